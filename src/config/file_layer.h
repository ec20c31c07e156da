#ifndef WALPOST_CONFIG_FILE_LAYER_H_
#define WALPOST_CONFIG_FILE_LAYER_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "config/assignment.h"

namespace walpost::config {

// What a configuration file says, in the order of the file.
struct FileLayer {
  std::vector<Assignment> assignments;
  std::size_t outbox_blocks = 0;
  // Each begins with `FILE:LINE:COLUMN: `.
  std::vector<LoadError> errors;
};

// Reads the text of a configuration file against the option table. Sections, keys and types are
// checked here, values are not. `name` stands for the file in errors and origins.
FileLayer ReadFileLayer(std::string_view text, std::string_view name);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_FILE_LAYER_H_
