#ifndef WALPOST_OUTBOX_JSON_SCANNER_H_
#define WALPOST_OUTBOX_JSON_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace walpost::outbox {

enum class JsonToken : std::uint8_t {
  kObjectBegin,
  kObjectEnd,
  kArrayBegin,
  kArrayEnd,
  kName,  // of a member, with its quotes and escapes
  kString,
  kNumber,
  kTrue,
  kFalse,
  kNull,
  kEnd,    // the text holds nothing more
  kError,  // it is no JSON (RFC 8259) or no UTF-8; again at each further call
};

// Reads JSON token by token and checks it on the way. A token is a slice of the source, so whoever
// copies tokens loses no digit and no escape, which a parser that makes values of them cannot
// promise. Unlike RapidJSON it takes escapes of lone surrogates, as PostgreSQL's json does. Nesting
// costs one bit of memory a level and no stack. Not thread-safe.
class JsonScanner {
 public:
  // `text` must outlive the scanner.
  explicit JsonScanner(std::string_view text) : text_(text) {}

  JsonToken Next();

  // The whole of the value that begins with the token that Next() has just found: what follows up
  // to its end is read too. Nothing when that is no JSON; Next() then answers kError.
  std::optional<std::string_view> ReadWhole();

  // The token that Next() found, until the next call.
  std::string_view slice() const { return text_.substr(begin_, at_ - begin_); }
  // Where reading stands, in bytes: behind the token, or at the fault after kError.
  std::size_t offset() const { return at_; }
  // Open objects and arrays.
  std::size_t depth() const { return objects_.size(); }

 private:
  enum class Expected : std::uint8_t {
    kValue,
    kFirstElement,  // or the end of the array
    kFirstMember,   // or the end of the object
    kColon,
    kSeparator,  // or the end of what is open; the end of the text when nothing is
  };

  void SkipBlanks();
  bool Take(char c);
  JsonToken Fail();
  JsonToken AfterSeparator();
  JsonToken Value();
  JsonToken Name();
  JsonToken AfterName();
  JsonToken Open(bool object);
  JsonToken Close();
  JsonToken Literal(std::string_view word, JsonToken token);
  JsonToken Number();
  bool SkipDigits();
  bool SkipString();
  bool SkipEscape();

  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t at_ = 0;
  std::vector<bool> objects_;  // what is open, the innermost last: an object, or an array
  Expected expected_ = Expected::kValue;
  bool failed_ = false;
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_JSON_SCANNER_H_
