#ifndef WALPOST_CLI_JAVA_OFFSET_FILE_H_
#define WALPOST_CLI_JAVA_OFFSET_FILE_H_

#include <absl/status/statusor.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace walpost::cli {

// Whether these are the first bytes of a Java serialisation stream.
bool IsJavaStream(std::string_view bytes);

// Key and value of each entry of the file that Kafka Connect's FileOffsetBackingStore writes: a
// java.util.HashMap of byte arrays. Views into `bytes`; nothing for a null. kInvalidArgument, with
// the offset, for any other stream.
// Source: https://docs.oracle.com/en/java/javase/17/docs/specs/serialization/protocol.html
absl::StatusOr<std::vector<std::pair<std::string_view, std::optional<std::string_view>>>>
ReadJavaOffsetFile(std::string_view bytes);

}  // namespace walpost::cli

#endif  // WALPOST_CLI_JAVA_OFFSET_FILE_H_
