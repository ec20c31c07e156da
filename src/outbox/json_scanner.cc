#include "outbox/json_scanner.h"

#include "outbox/utf8.h"

namespace walpost::outbox {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

}  // namespace

JsonToken JsonScanner::Next() {
  if (failed_) return JsonToken::kError;
  SkipBlanks();
  begin_ = at_;
  switch (expected_) {
    case Expected::kValue:
      return Value();
    case Expected::kFirstElement:
      return Take(']') ? Close() : Value();
    case Expected::kFirstMember:
      return Take('}') ? Close() : Name();
    case Expected::kColon:
      return AfterName();
    case Expected::kSeparator:
      return AfterSeparator();
  }
  return Fail();
}

std::optional<std::string_view> JsonScanner::ReadWhole() {
  const std::size_t begin = begin_;
  const bool opens = text_[begin] == '{' || text_[begin] == '[';
  const std::size_t outside = depth() - (opens ? 1 : 0);
  while (depth() > outside) {
    if (Next() == JsonToken::kError) return std::nullopt;
  }
  return text_.substr(begin, at_ - begin);
}

void JsonScanner::SkipBlanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return;
    ++at_;
  }
}

bool JsonScanner::Take(char c) {
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

JsonToken JsonScanner::Fail() {
  failed_ = true;
  begin_ = at_;
  return JsonToken::kError;
}

JsonToken JsonScanner::AfterSeparator() {
  if (objects_.empty()) return at_ == text_.size() ? JsonToken::kEnd : Fail();
  const bool object = objects_.back();
  if (Take(object ? '}' : ']')) return Close();
  if (!Take(',')) return Fail();
  SkipBlanks();
  begin_ = at_;
  return object ? Name() : Value();
}

JsonToken JsonScanner::Value() {
  if (at_ >= text_.size()) return Fail();
  expected_ = Expected::kSeparator;
  switch (text_[at_]) {
    case '{':
      return Open(true);
    case '[':
      return Open(false);
    case '"':
      return SkipString() ? JsonToken::kString : Fail();
    case 't':
      return Literal("true", JsonToken::kTrue);
    case 'f':
      return Literal("false", JsonToken::kFalse);
    case 'n':
      return Literal("null", JsonToken::kNull);
    default:
      return Number();
  }
}

JsonToken JsonScanner::Name() {
  if (!SkipString()) return Fail();
  expected_ = Expected::kColon;
  return JsonToken::kName;
}

JsonToken JsonScanner::AfterName() {
  if (!Take(':')) return Fail();
  SkipBlanks();
  begin_ = at_;
  return Value();
}

JsonToken JsonScanner::Open(bool object) {
  ++at_;
  objects_.push_back(object);
  expected_ = object ? Expected::kFirstMember : Expected::kFirstElement;
  return object ? JsonToken::kObjectBegin : JsonToken::kArrayBegin;
}

JsonToken JsonScanner::Close() {
  const bool object = objects_.back();
  objects_.pop_back();
  expected_ = Expected::kSeparator;
  return object ? JsonToken::kObjectEnd : JsonToken::kArrayEnd;
}

JsonToken JsonScanner::Literal(std::string_view word, JsonToken token) {
  if (text_.substr(at_, word.size()) != word) return Fail();
  at_ += word.size();
  return token;
}

JsonToken JsonScanner::Number() {
  Take('-');
  if (!Take('0') && !SkipDigits()) return Fail();
  if (Take('.') && !SkipDigits()) return Fail();
  if (Take('e') || Take('E')) {
    if (!Take('+')) Take('-');
    if (!SkipDigits()) return Fail();
  }
  return JsonToken::kNumber;
}

bool JsonScanner::SkipDigits() {
  const std::size_t from = at_;
  while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
  return at_ > from;
}

bool JsonScanner::SkipString() {
  if (!Take('"')) return false;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') return Take('"');
    if (c == '\\') {
      if (!SkipEscape()) return false;
    } else if (static_cast<unsigned char>(c) < 0x80) {
      if (static_cast<unsigned char>(c) < 0x20) return false;
      ++at_;
    } else {
      const std::size_t length = Utf8LengthAt(text_.substr(at_));
      if (length == 0) return false;
      at_ += length;
    }
  }
  return false;
}

bool JsonScanner::SkipEscape() {
  ++at_;
  if (at_ >= text_.size()) return false;
  constexpr std::string_view kNames = "\"\\/bfnrt";
  if (text_[at_] != 'u') {
    if (kNames.find(text_[at_]) == std::string_view::npos) return false;
    ++at_;
    return true;
  }
  ++at_;
  for (int digit = 0; digit < 4; ++digit, ++at_) {
    if (at_ >= text_.size() || !IsHexDigit(text_[at_])) return false;
  }
  return true;
}

}  // namespace walpost::outbox
