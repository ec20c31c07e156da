#ifndef WALPOST_OUTBOX_FIELD_SOURCE_H_
#define WALPOST_OUTBOX_FIELD_SOURCE_H_

#include <absl/status/statusor.h>

#include <string>
#include <string_view>

namespace walpost::outbox {

// Where a key, a header or an attribute comes from: a column as it is, a scalar inside a column
// that holds JSON (`payload:/order/id`, a JSON pointer), or a constant (`'shop'`). A value.
struct FieldSource {
  std::string column;    // empty for a constant
  std::string pointer;   // empty: the whole column
  std::string constant;  // without its quotes

  bool is_constant() const { return column.empty(); }
  bool is_pointer() const { return !pointer.empty(); }

  // Error: kInvalidArgument for an empty column or a malformed pointer; `setting` is named in it.
  static absl::StatusOr<FieldSource> Parse(std::string_view text, std::string_view setting);
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_FIELD_SOURCE_H_
