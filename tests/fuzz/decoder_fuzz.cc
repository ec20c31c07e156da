// A whole stream of frames out of arbitrary bytes: each is parsed, decoded and mapped. Nothing may
// crash, read out of bounds or run away with memory; every fault must come back as an error.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "base/byte_reader.h"
#include "outbox/event_mapper.h"
#include "pgoutput/decoder.h"
#include "pgoutput/frame.h"

namespace {

using namespace walpost;  // NOLINT(build/namespaces): a fuzz target is one function

// Reads every byte that a view promises, so that the address sanitizer sees them.
std::size_t Touch(std::string_view bytes) {
  std::size_t sum = 0;
  for (char c : bytes) sum += static_cast<unsigned char>(c);
  return sum;
}

void TouchEvent(outbox::EventMapper& mapper, const absl::StatusOr<const OutboxEvent*>& mapped) {
  if (mapped.ok() && *mapped == nullptr) return;
  const OutboxEvent& event =
      mapped.ok() ? **mapped : mapper.DeadLetter("dead", mapped.status(), Lsn(1));
  volatile std::size_t sum =
      Touch(event.topic) + Touch(event.key.value_or("")) + Touch(event.value.value_or(""));
  for (const EventHeader& header : event.headers) {
    sum = sum + Touch(header.name) + Touch(header.value.value_or(""));
  }
}

void Consume(outbox::EventMapper& mapper, const pgoutput::Message& message) {
  if (const auto* relation = std::get_if<const pgoutput::Relation*>(&message)) {
    static_cast<void>(mapper.OnRelation(**relation));
  } else if (const auto* insert = std::get_if<pgoutput::Insert>(&message)) {
    TouchEvent(mapper, mapper.Map(*insert, 0));
  } else if (const auto* logical = std::get_if<pgoutput::LogicalMessage>(&message)) {
    TouchEvent(mapper, mapper.Map(*logical, 0));
  }
}

// One table with much to do for each row, and messages beside it.
absl::StatusOr<outbox::EventMapper> MakeMapper() {
  OutboxSettings rows;
  rows.headers = OutboxSettings::Texts{{"h", "payload:/h"}};
  rows.topic_regex = "(a|ab)(.*)";
  rows.topic_replacement = "$2-$1";
  rows.value = "json";
  rows.json_style = "debezium";
  rows.column_text = "debezium";
  OutboxSettings messages;
  messages.preset = "message";
  messages.message_scope = "all";
  messages.timestamp = "at";
  messages.partition = "part";
  messages.tracing = "trace";
  return outbox::EventMapper::Create({rows, messages});
}

}  // namespace

// The input is a sequence of frames, each behind its length in two bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader input(std::string_view(reinterpret_cast<const char*>(data), size));
  pgoutput::Decoder decoder;
  auto mapper = MakeMapper();
  while (!input.AtEnd() && input.ok()) {
    const auto frame = pgoutput::ParseFrame(input.ReadBytes(input.Read<std::uint16_t>()));
    if (!frame.ok()) continue;
    const auto* xlog = std::get_if<pgoutput::XLogData>(&*frame);
    if (xlog == nullptr) continue;
    const auto message = decoder.Decode(xlog->payload);
    if (message.ok()) Consume(*mapper, *message);
  }
  return 0;
}
