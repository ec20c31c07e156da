#ifndef WALPOST_OUTBOX_COLUMN_TEMPLATE_H_
#define WALPOST_OUTBOX_COLUMN_TEMPLATE_H_

#include <absl/status/statusor.h>

#include <string>
#include <string_view>
#include <vector>

namespace walpost::outbox {

// Text with column names in it: `outbox.event.${aggregatetype}`. A value; safe to share once
// parsed.
struct ColumnTemplate {
  struct Part {
    std::string text;  // literal text, or the name of a column
    bool is_column = false;
  };
  std::vector<Part> parts;

  // Error: kInvalidArgument for an unclosed or empty `${}` and for an empty template; `setting` is
  // named in it.
  static absl::StatusOr<ColumnTemplate> Parse(std::string_view text, std::string_view setting);
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_COLUMN_TEMPLATE_H_
