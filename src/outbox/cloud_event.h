#ifndef WALPOST_OUTBOX_CLOUD_EVENT_H_
#define WALPOST_OUTBOX_CLOUD_EVENT_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "outbox/bound_rule.h"
#include "outbox/header_list.h"
#include "outbox/row_reader.h"
#include "pgoutput/message.h"

namespace walpost::outbox {

// Whether an attribute may have this value. Error: kInvalidArgument for an empty one, one with
// control characters, and a `time` that is none.
// Source:
// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md#type-system
absl::Status CheckCloudEventValue(std::string_view name, std::string_view value);

// Writes a row as a CloudEvent 1.0, in binary or structured mode. Its memory is used again from row
// to row. Not thread-safe.
// Source:
// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md
class CloudEventWriter {
 public:
  // Adds the headers, and answers with the record's value: `data` in binary mode, the whole event
  // in structured mode. `data` is the payload's bytes, absent for NULL. Error: kInvalidArgument for
  // an attribute that is needed and absent or empty, one with control characters, a `time` that is
  // none, and data that is not JSON although datacontenttype says so.
  absl::StatusOr<OptionalText> Write(const BoundRule& rule, pgoutput::Tuple row, OptionalText data,
                                     std::int64_t commit_time_us, HeaderList& headers);

 private:
  using Attribute = std::pair<std::string_view, std::string_view>;

  absl::Status ReadAttributes(const BoundRule& rule, pgoutput::Tuple row,
                              std::int64_t commit_time_us, HeaderList& headers);
  absl::Status ReadAttribute(const BoundRule& rule, std::size_t index, pgoutput::Tuple row,
                             HeaderList& headers);
  std::string_view Find(std::string_view name) const;
  absl::Status AppendData(const BoundRule& rule, std::string_view data);

  std::vector<Attribute> attributes_;
  std::string out_;
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_CLOUD_EVENT_H_
