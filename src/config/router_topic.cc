#include "config/router_topic.h"

#include <absl/status/status.h>
#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/status_macros.h"
#include "base/strings.h"

namespace walpost::config {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Whether the expression is one group that takes all there is, and how the group is called.
std::optional<std::string_view> WholeValueGroup(std::string_view regex) {
  constexpr std::string_view kBegin = "(?<";
  constexpr std::string_view kEnd = ">.*)";
  if (regex == "(.*)") return std::string_view();
  if (!regex.starts_with(kBegin) || !regex.ends_with(kEnd) ||
      regex.size() <= kBegin.size() + kEnd.size()) {
    return std::nullopt;
  }
  const std::string_view name =
      regex.substr(kBegin.size(), regex.size() - kBegin.size() - kEnd.size());
  const bool is_name = std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c));
  });
  return is_name ? std::optional(name) : std::nullopt;
}

// A replacement whose groups are all the whole value, as a template with `value` in their place.
// Nothing when it holds a dollar sign, which a template cannot.
class Folding {
 public:
  Folding(std::string_view text, std::string_view group, std::string_view value)
      : text_(text), group_(group), value_(value) {}

  absl::StatusOr<std::optional<std::string>> Fold() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '\\') {
        if (at_ == text_.size()) return absl::InvalidArgumentError("ends with a backslash");
        plain_dollar_ = plain_dollar_ || text_[at_] == '$';
        out_.push_back(text_[at_++]);
      } else if (c == '$') {
        WALPOST_RETURN_IF_ERROR(FoldGroup());
      } else {
        out_.push_back(c);
      }
    }
    if (plain_dollar_) return std::optional<std::string>();
    return std::optional(out_);
  }

 private:
  absl::Status FoldGroup() {
    if (at_ < text_.size() && text_[at_] == '{') return FoldNamedGroup();
    if (at_ == text_.size() || !IsDigit(text_[at_])) {
      return absl::InvalidArgumentError("has a '$' without the number or name of a group");
    }
    int group = text_[at_++] - '0';
    if (group > 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no group ", group, " in route.topic.regex"));
    }
    // Further digits belong to the number as long as there is such a group.
    while (at_ < text_.size() && IsDigit(text_[at_]) && group * 10 + (text_[at_] - '0') <= 1) {
      group = group * 10 + (text_[at_++] - '0');
    }
    out_ += value_;
    return absl::OkStatus();
  }

  absl::Status FoldNamedGroup() {
    const std::size_t close = text_.find('}', at_);
    const std::string_view name =
        close == std::string_view::npos ? "" : text_.substr(at_ + 1, close - at_ - 1);
    if (name.empty() || name != group_) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no group '", ToAbsl(name), "' in route.topic.regex"));
    }
    at_ = close + 1;
    out_ += value_;
    return absl::OkStatus();
  }

  std::string_view text_;
  std::string_view group_;
  std::string_view value_;
  std::size_t at_ = 0;
  std::string out_;
  bool plain_dollar_ = false;
};

// Whether the flags in `(?idmsuxU-idmsuxU)` or `(?idmsuxU:` hold one that PCRE2 reads otherwise.
bool HasJavaFlag(std::string_view flags) {
  for (char c : flags) {
    if (c == ')' || c == ':') return false;
    if (c == 'U' || c == 'u' || c == 'd') return true;
    if (!absl::ascii_isalpha(static_cast<unsigned char>(c)) && c != '-') return false;
  }
  return false;
}

}  // namespace

absl::StatusOr<TopicRule> TranslateTopic(std::string_view column, std::string_view regex,
                                         std::string_view replacement) {
  const std::string value = absl::StrCat("${", ToAbsl(column), "}");
  if (const auto group = WholeValueGroup(regex)) {
    WALPOST_ASSIGN_OR_RETURN(const auto folded, Folding(replacement, *group, value).Fold());
    if (folded.has_value()) return TopicRule{*folded, "", ""};
  }
  return TopicRule{value, std::string(regex), std::string(replacement)};
}

std::string_view DifferenceToJava(std::string_view regex) {
  bool in_class = false;
  for (std::size_t i = 0; i < regex.size(); ++i) {
    const char c = regex[i];
    if (c == '\\') {
      ++i;
    } else if (in_class) {
      if (c == '[') return "it has a class within a class";
      if (regex.substr(i, 2) == "&&") return "it has an intersection of classes (&&)";
      if (c == ']') in_class = false;
    } else if (c == '[') {
      in_class = true;
      // The first one may be a bracket itself.
      if (regex.substr(i + 1, 1) == "^") ++i;
      if (regex.substr(i + 1, 1) == "]") ++i;
    } else if (regex.substr(i, 2) == "(?" && HasJavaFlag(regex.substr(i + 2))) {
      return "it has one of Java's flags d, u and U";
    }
  }
  return {};
}

}  // namespace walpost::config
