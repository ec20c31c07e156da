#ifndef WALPOST_OUTBOX_FIELD_SOURCE_H_
#define WALPOST_OUTBOX_FIELD_SOURCE_H_

#include <absl/status/statusor.h>

#include <string>
#include <string_view>

namespace walpost::outbox {

// Where a key or a header's value comes from: a column as it is, or a scalar inside a column that
// holds JSON
// (`payload:/order/id`, a JSON pointer). A value.
struct FieldSource {
  std::string column;
  std::string pointer;  // empty: the whole column

  bool is_pointer() const { return !pointer.empty(); }

  // Error: kInvalidArgument for an empty column or a malformed pointer; `setting` is named in it.
  static absl::StatusOr<FieldSource> Parse(std::string_view text, std::string_view setting);
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_FIELD_SOURCE_H_
