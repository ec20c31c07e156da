#ifndef WALPOST_CONFIG_TOML_DRAFT_H_
#define WALPOST_CONFIG_TOML_DRAFT_H_

#include <string>
#include <string_view>

namespace walpost::config {

// Text of a TOML document for people to read on, written from top to bottom. Whatever a comment
// holds, it cannot end its line.
class TomlDraft {
 public:
  // `[postgres]` or `[[outbox]]`, with an empty line in front.
  void Section(std::string_view header);
  void Gap() { text_ += '\n'; }
  // Broken into lines of 100 characters, those after the first with an indent of two more.
  void Comment(std::string_view text);
  // `value` is TOML already: see TomlString and TomlTable.
  void Option(std::string_view key, std::string_view value);
  // The same as a comment, for a person to complete.
  void Example(std::string_view key, std::string_view value);
  void Append(const TomlDraft& other) { text_ += other.text_; }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_TOML_DRAFT_H_
