#ifndef WALPOST_BASE_JAVA_PROPERTIES_H_
#define WALPOST_BASE_JAVA_PROPERTIES_H_

#include <absl/status/statusor.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace walpost {

// The keys and values of a text in the format of java.util.Properties, in its order, duplicates
// included: comments after # and !, `=`, `:` or blanks between key and value, a backslash at the
// end of a line joins the next one to it, \n \t \r \f and \uXXXX are escapes, and a backslash
// before anything else is left out. The text is UTF-8. Pure.
//
// Error: kInvalidArgument, with the line, for a \u without four hexadecimal digits or with half a
// surrogate pair.
// Source: https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Properties.html
absl::StatusOr<std::vector<std::pair<std::string, std::string>>> ParseJavaProperties(
    std::string_view text);

}  // namespace walpost

#endif  // WALPOST_BASE_JAVA_PROPERTIES_H_
