#ifndef WALPOST_OUTBOX_JSON_TREE_H_
#define WALPOST_OUTBOX_JSON_TREE_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace walpost::outbox {

enum class JsonKind : std::uint8_t {
  kNull,
  kBoolean,
  kString,
  kInt32,
  kInt64,  // beyond int32
  kBig,    // an integer beyond int64
  kDouble,
  kArray,
  kObject,
};

// A value of a JsonTree.
struct JsonNode {
  JsonKind kind = JsonKind::kNull;
  std::string_view name;           // of a member of an object
  std::string_view text;           // of kString, without its escapes; `true` or `false`
  std::int64_t integer = 0;        // of kInt32 and kInt64
  double real = 0;                 // of kDouble; infinite when beyond double
  std::vector<JsonNode> children;  // elements or members
};

// A JSON document as Jackson's readTree() sees it, with the limits that Jackson has by default:
// - a member that comes again takes the place of the first and the value of the last;
// - integers are told by their size, all other numbers become the nearest double;
// - more than 1000 levels, a number of more than 1000 digits, and a name or string of more than
//   50 thousand or 20 million UTF-16 units are errors;
// - what follows the first value is not read.
// More than four million values are an error too, since each of them takes memory.
// An escaped surrogate without its other half stays in the text in three bytes (ED A0..BF xx),
// which is no UTF-8; AppendJsonString() writes it as its escape. Not thread-safe.
class JsonTree {
 public:
  // Whether `text` begins with an object or array that can be read; it must outlive the tree.
  bool Parse(std::string_view text);

  const JsonNode& root() const { return root_; }

 private:
  // The content of a string token, in the source where it has no escapes.
  std::string_view Decoded(std::string_view token);

  JsonNode root_;
  std::deque<std::string> decoded_;  // a deque: what points into it must stay
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_JSON_TREE_H_
