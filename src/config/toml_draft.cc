#include "config/toml_draft.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_split.h>

#include <algorithm>
#include <cstddef>

#include "base/strings.h"

namespace walpost::config {
namespace {

// TOML allows no control character but the tab in a comment.
std::string Printable(std::string_view text) {
  std::string out;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      absl::StrAppendFormat(&out, "\\u%04x", unsigned{byte});
    } else {
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace

void TomlDraft::Section(std::string_view header) {
  absl::StrAppend(&text_, text_.empty() ? "" : "\n", ToAbsl(header), "\n");
}

void TomlDraft::Comment(std::string_view text) {
  constexpr std::size_t kWidth = 100;
  const std::string printable = Printable(text);
  const std::size_t indent = std::min(printable.find_first_not_of(' '), printable.size());
  std::string line = "#";
  bool first = true;
  for (absl::string_view word : absl::StrSplit(printable, ' ')) {
    if (!first && line.size() + 1 + word.size() > kWidth) {
      absl::StrAppend(&text_, line, "\n");
      line = "#  " + std::string(indent, ' ');
    }
    absl::StrAppend(&line, " ", word);
    first = false;
  }
  absl::StrAppend(&text_, line, "\n");
}

void TomlDraft::Option(std::string_view key, std::string_view value) {
  absl::StrAppend(&text_, ToAbsl(key), " = ", ToAbsl(value), "\n");
}

void TomlDraft::Example(std::string_view key, std::string_view value) {
  absl::StrAppend(&text_, "#", ToAbsl(key), " = ", ToAbsl(value), "\n");
}

}  // namespace walpost::config
