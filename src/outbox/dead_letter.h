#ifndef WALPOST_OUTBOX_DEAD_LETTER_H_
#define WALPOST_OUTBOX_DEAD_LETTER_H_

#include <absl/status/status.h>

#include <optional>
#include <string>
#include <string_view>

#include "outbox/header_list.h"
#include "pgoutput/message.h"
#include "walpost/lsn.h"
#include "walpost/outbox_event.h"

namespace walpost::outbox {

// What a dead letter tells beside the row itself.
struct DeadLetterFacts {
  std::string_view topic;              // where it goes
  std::optional<std::string_view> id;  // of the row
  std::string_view table;              // or what stands for it
  Lsn position;
  absl::Status reason;
  // False for a letter that says what it is about, and leaves the row itself out.
  bool with_row = true;
};

// Makes the event that carries a poison event to its dead-letter topic. As headers `id`,
// `walpost_table`, `walpost_lsn`, `walpost_reason` (the label of the metric) and `walpost_error`
// (the line of the log). One without its row has the header `walpost_row_left_out` too, and a value
// that says the same: no value at all would be a tombstone. Its memory is used again. Not
// thread-safe.
class DeadLetterWriter {
 public:
  // Value: the row as a JSON object, each column under its name as the server's text, NULL as null.
  // The event is valid until the next call.
  const OutboxEvent& Write(const pgoutput::Insert& row, const DeadLetterFacts& facts,
                           std::optional<std::string_view> key);
  // Value: the content of the message as it is; with the header `walpost_prefix`.
  const OutboxEvent& Write(const pgoutput::LogicalMessage& message, const DeadLetterFacts& facts,
                           std::optional<std::string_view> key);

 private:
  void WriteRow(const pgoutput::Insert& row);
  void WriteHeaders(const DeadLetterFacts& facts);

  OutboxEvent event_;
  HeaderList headers_;
  std::string value_;
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_DEAD_LETTER_H_
