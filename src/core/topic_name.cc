#include "core/topic_name.h"

#include <absl/strings/ascii.h>

#include <cstddef>

namespace walpost {
namespace {

constexpr std::size_t kMaxLength = 249;

bool IsLegal(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-';
}

}  // namespace

std::string_view TopicNameFault(std::string_view name) {
  if (name.empty()) return "the topic name is empty";
  if (name == "." || name == "..") return "the topic name is . or ..";
  return TopicPartFault(name);
}

std::string_view TopicPartFault(std::string_view part) {
  if (part.size() > kMaxLength) return "the topic name is longer than 249 characters";
  for (char c : part) {
    if (!IsLegal(c))
      return "the topic name has a character other than a-z, A-Z, 0-9, '.', '_' and '-'";
  }
  return {};
}

}  // namespace walpost
