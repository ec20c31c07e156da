#ifndef WALPOST_CONFIG_FILE_TEXT_H_
#define WALPOST_CONFIG_FILE_TEXT_H_

#include <absl/status/statusor.h>

#include <string>

namespace walpost::config {

// The whole content of a file. Error: kInvalidArgument, with the system's reason alone.
absl::StatusOr<std::string> ReadFileText(const std::string& path);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_FILE_TEXT_H_
