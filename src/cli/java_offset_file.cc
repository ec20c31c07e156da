#include "cli/java_offset_file.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/byte_reader.h"
#include "base/status_macros.h"
#include "base/strings.h"

namespace walpost::cli {
namespace {

using Entry = std::pair<std::string_view, std::optional<std::string_view>>;

constexpr std::string_view kStreamHeader("\xac\xed\x00\x05", 4);
constexpr std::uint8_t kNull = 0x70;
constexpr std::uint8_t kReference = 0x71;
constexpr std::uint8_t kClass = 0x72;
constexpr std::uint8_t kObject = 0x73;
constexpr std::uint8_t kArray = 0x75;
constexpr std::uint8_t kBlockData = 0x77;
constexpr std::uint8_t kEndBlockData = 0x78;

absl::Status Malformed(const ByteReader& reader) {
  return absl::InvalidArgumentError(absl::StrCat(
      "it is a Java serialisation stream, but not of a Kafka Connect offset file (byte ",
      reader.offset(), ")"));
}

std::string_view ReadName(ByteReader& reader) {
  return reader.ReadBytes(reader.Read<std::uint16_t>());
}

// Whether the description of a class follows, and the class has that name. Fields are of primitive
// types alone.
bool SkipClass(ByteReader& reader, std::string_view name) {
  if (reader.Read<std::uint8_t>() != kClass || ReadName(reader) != name) return false;
  reader.Read<std::uint64_t>();  // serialVersionUID
  reader.Read<std::uint8_t>();   // flags
  const auto fields = reader.Read<std::uint16_t>();
  for (int i = 0; i < fields && reader.ok(); ++i) {
    reader.Read<std::uint8_t>();  // type
    ReadName(reader);
  }
  return reader.Read<std::uint8_t>() == kEndBlockData && reader.Read<std::uint8_t>() == kNull;
}

// The class is described once and referred to from then on.
bool SkipArrayClass(ByteReader& reader, std::string_view rest) {
  if (rest.empty() || static_cast<std::uint8_t>(rest.front()) != kReference) {
    return SkipClass(reader, "[B");
  }
  reader.Read<std::uint8_t>();
  reader.Read<std::uint32_t>();
  return reader.ok();
}

absl::StatusOr<std::optional<std::string_view>> ReadByteArray(ByteReader& reader,
                                                              std::string_view bytes) {
  const auto tag = reader.Read<std::uint8_t>();
  if (reader.ok() && tag == kNull) return std::optional<std::string_view>();
  if (tag != kArray || !SkipArrayClass(reader, bytes.substr(reader.offset()))) {
    return Malformed(reader);
  }
  const std::string_view array = reader.ReadBytes(reader.Read<std::uint32_t>());
  if (!reader.ok()) return Malformed(reader);
  return std::optional<std::string_view>(array);
}

}  // namespace

bool IsJavaStream(std::string_view bytes) { return bytes.starts_with(kStreamHeader); }

absl::StatusOr<std::vector<Entry>> ReadJavaOffsetFile(std::string_view bytes) {
  ByteReader reader(bytes);
  reader.ReadBytes(kStreamHeader.size());
  if (reader.Read<std::uint8_t>() != kObject || !SkipClass(reader, "java.util.HashMap")) {
    return Malformed(reader);
  }
  reader.Read<std::uint64_t>();  // loadFactor, threshold
  if (reader.Read<std::uint8_t>() != kBlockData || reader.Read<std::uint8_t>() != 8) {
    return Malformed(reader);
  }
  reader.Read<std::uint32_t>();  // buckets
  const auto size = reader.Read<std::uint32_t>();
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < size; ++i) {
    WALPOST_ASSIGN_OR_RETURN(std::optional<std::string_view> key, ReadByteArray(reader, bytes));
    WALPOST_ASSIGN_OR_RETURN(std::optional<std::string_view> value, ReadByteArray(reader, bytes));
    entries.emplace_back(key.value_or(std::string_view()), value);
  }
  return entries;
}

}  // namespace walpost::cli
