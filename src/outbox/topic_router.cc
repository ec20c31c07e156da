#include "outbox/topic_router.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace walpost::outbox {
namespace {

// Steps that one match may take: far beyond any sane expression on 249 characters, and
// milliseconds.
constexpr std::uint32_t kMatchLimit = 100'000;

absl::Status Bad(std::string_view setting, std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("outbox.", ToAbsl(setting), ": ", ToAbsl(what)));
}

std::string MessageOf(int code) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

// Walks over an expression for what Java and PCRE2 read differently, and for what PCRE2 has alone.
class JavaSyntax {
 public:
  explicit JavaSyntax(std::string_view regex) : rest_(regex) {}

  // What is not the same in both; empty when all is.
  std::string_view Fault() {
    while (!rest_.empty()) {
      const std::string_view fault = Next();
      if (!fault.empty()) return fault;
    }
    return {};
  }

 private:
  bool Take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  std::string_view Next() {
    if (rest_.front() == '\\') return Escape();
    if (Take("[")) return Class();
    if (Take("(*")) return "a verb '(*'";
    if (Take("(?")) return Group();
    rest_.remove_prefix(1);
    return {};
  }

  // Within a class, too.
  std::string_view Escape() {
    if (Take("\\Q")) {
      const std::size_t end = rest_.find("\\E");
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 2);
      return {};
    }
    for (std::string_view own : {"\\K", "\\N", "\\g", "\\o"}) {
      if (Take(own)) return "a backslash with K, N, g or o";
    }
    rest_.remove_prefix(std::min<std::size_t>(rest_.size(), 2));
    return {};
  }

  std::string_view Class() {
    Take("^");
    if (Take("]")) return "a class that begins with ']'";
    while (!rest_.empty() && !Take("]")) {
      if (rest_.front() == '[') return "a class within a class";
      if (Take("&&")) return "an intersection of classes, '&&'";
      if (rest_.front() != '\\') {
        rest_.remove_prefix(1);
      } else if (const std::string_view fault = Escape(); !fault.empty()) {
        return fault;
      }
    }
    return {};
  }

  // Behind `(?`: groups, names, looks ahead and behind, and the flags that mean the same.
  std::string_view Group() {
    if (rest_.find_first_of(":=!><") == 0) return {};
    const std::size_t end = rest_.find_first_of(":)");
    const std::string_view flags = rest_.substr(0, end);
    const bool same = end != std::string_view::npos && !flags.empty() &&
                      flags.find_first_not_of("ims-") == std::string_view::npos;
    return same ? std::string_view() : "flags other than i, m and s, or a group of another kind";
  }

  std::string_view rest_;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void TopicRouter::Deleter::operator()(pcre2_code* code) const { pcre2_code_free(code); }
void TopicRouter::Deleter::operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
void TopicRouter::Deleter::operator()(pcre2_match_context* context) const {
  pcre2_match_context_free(context);
}

absl::StatusOr<std::unique_ptr<TopicRouter>> TopicRouter::Compile(const std::string& regex,
                                                                  std::string_view replacement) {
  if (const std::string_view fault = JavaSyntax(regex).Fault(); !fault.empty()) {
    return Bad("topic_regex",
               ToStd(absl::StrCat("'", regex, "' has ", ToAbsl(fault),
                                  ", which is not the same here as in Java; hint: write it "
                                  "another way, a class within a class as one of two with |")));
  }
  std::unique_ptr<TopicRouter> router(new TopicRouter());
  int error = 0;
  PCRE2_SIZE offset = 0;
  // As Java, a dot matches no line terminator of any kind.
  const std::unique_ptr<pcre2_compile_context, void (*)(pcre2_compile_context*)> compile(
      pcre2_compile_context_create(nullptr), pcre2_compile_context_free);
  pcre2_set_newline(compile.get(), PCRE2_NEWLINE_ANY);
  router->code_.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(regex.data()), regex.size(),
                                    PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &error, &offset,
                                    compile.get()));
  if (router->code_ == nullptr) {
    return Bad("topic_regex",
               ToStd(absl::StrCat("'", regex, "' is no regular expression: ", MessageOf(error),
                                  " at character ", offset + 1,
                                  "; hint: write one in Java's syntax, as (?<name>.*)")));
  }
  std::uint32_t groups = 0;
  pcre2_pattern_info(router->code_.get(), PCRE2_INFO_CAPTURECOUNT, &groups);
  router->groups_ = static_cast<int>(groups);
  router->match_.reset(pcre2_match_data_create_from_pattern(router->code_.get(), nullptr));
  router->context_.reset(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(router->context_.get(), kMatchLimit);
  WALPOST_RETURN_IF_ERROR(router->ParseReplacement(replacement));
  return router;
}

absl::StatusOr<int> TopicRouter::GroupNamed(std::string_view name) const {
  const std::string terminated(name);
  const int group = pcre2_substring_number_from_name(
      code_.get(), reinterpret_cast<PCRE2_SPTR>(terminated.c_str()));
  if (group > 0) return group;
  return Bad("topic_replacement",
             ToStd(absl::StrCat("'${", terminated,
                                "}' names no group of topic_regex; hint: groups "
                                "are written (?<",
                                terminated, ">...), columns belong into topic")));
}

// Source: java.util.regex.Matcher#appendReplacement
absl::Status TopicRouter::ParseReplacement(std::string_view text) {
  std::string literal;
  auto add_group = [&](int group) {
    if (!literal.empty()) replacement_.push_back({std::exchange(literal, {}), -1});
    replacement_.push_back({{}, group});
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      if (++i == text.size()) return Bad("topic_replacement", "ends with a backslash");
      literal.push_back(text[i]);
    } else if (text[i] != '$') {
      literal.push_back(text[i]);
    } else if (i + 1 < text.size() && text[i + 1] == '{') {
      const std::size_t close = text.find('}', i);
      if (close == std::string_view::npos) return Bad("topic_replacement", "'${' without '}'");
      WALPOST_ASSIGN_OR_RETURN(const int group, GroupNamed(text.substr(i + 2, close - i - 2)));
      add_group(group);
      i = close;
    } else if (i + 1 < text.size() && IsDigit(text[i + 1])) {
      int group = text[++i] - '0';
      if (group > groups_) {
        return Bad("topic_replacement",
                   ToStd(absl::StrCat("there is no group ", group, "; topic_regex has ", groups_)));
      }
      // Further digits belong to it as long as there is such a group.
      while (i + 1 < text.size() && IsDigit(text[i + 1]) &&
             group * 10 + (text[i + 1] - '0') <= groups_) {
        group = group * 10 + (text[++i] - '0');
      }
      add_group(group);
    } else {
      return Bad("topic_replacement",
                 "'$' without the number or name of a group; hint: \\$ is a dollar sign itself");
    }
  }
  if (!literal.empty()) replacement_.push_back({std::move(literal), -1});
  return absl::OkStatus();
}

// The number of groups that the match has set, 0 for no match.
absl::StatusOr<int> TopicRouter::Match(std::string_view text, unsigned options) {
  const int found = pcre2_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                                0, options, match_.get(), context_.get());
  if (found == PCRE2_ERROR_NOMATCH) return 0;
  if (found < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("outbox.topic_regex failed on the topic: ", MessageOf(found)));
  }
  return found;
}

absl::Status TopicRouter::Route(std::string& topic) {
  WALPOST_ASSIGN_OR_RETURN(const int whole, Match(topic, PCRE2_ANCHORED | PCRE2_ENDANCHORED));
  if (whole == 0) return absl::OkStatus();
  // What is found first need not be the whole: of `a|ab` in `ab` it is `a`.
  WALPOST_ASSIGN_OR_RETURN(const int groups, Match(topic, 0));
  const PCRE2_SIZE* bounds = pcre2_get_ovector_pointer(match_.get());
  routed_.assign(topic, 0, bounds[0]);
  for (const Piece& piece : replacement_) {
    routed_.append(piece.text);
    if (piece.group < 0 || piece.group >= groups) continue;
    const std::size_t index = 2 * static_cast<std::size_t>(piece.group);
    if (bounds[index] == PCRE2_UNSET) continue;
    routed_.append(topic, bounds[index], bounds[index + 1] - bounds[index]);
  }
  routed_.append(topic, bounds[1]);
  topic.swap(routed_);
  return absl::OkStatus();
}

}  // namespace walpost::outbox
