#ifndef WALPOST_CONFIG_ASSIGNMENT_H_
#define WALPOST_CONFIG_ASSIGNMENT_H_

#include <cstddef>
#include <limits>
#include <string>

#include "config/option_table.h"
#include "config/toml_document.h"

namespace walpost::config {

// Sorts what flags and the environment say behind what the file says.
inline constexpr SourcePosition kBehindTheFile = {std::numeric_limits<int>::max(), 0};

// One thing that is wrong. The text is a whole line: place, option, reason, hint.
struct LoadError {
  SourcePosition position;
  std::string text;
};

// One option that was given a value somewhere: in the file, in the environment or by a flag.
struct Assignment {
  const OptionDef* option = nullptr;
  // Which [[outbox]] block; 0 for the other sections.
  std::size_t block = 0;
  OptionValue value = {};
  SourcePosition position = kBehindTheFile;
  // For errors: `walpost.toml:3:8`, `--slot` or `WALPOST_POSTGRES_SLOT`.
  std::string place;
  // For `config show`: `walpost.toml:3`, `flag --slot` or `env WALPOST_POSTGRES_SLOT`.
  std::string origin;
};

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_ASSIGNMENT_H_
