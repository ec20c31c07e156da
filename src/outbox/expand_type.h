#ifndef WALPOST_OUTBOX_EXPAND_TYPE_H_
#define WALPOST_OUTBOX_EXPAND_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "outbox/json_expand.h"
#include "outbox/json_tree.h"
#include "outbox/name_index.h"

namespace walpost::outbox {

// The Connect schema of a value in an expanded payload.
struct ExpandType {
  enum class Kind : std::uint8_t {
    kString,
    kBoolean,
    kInt32,
    kInt64,
    kDouble,
    kBytes,  // of what is only ever null
    kArray,
    kStruct,
  };
  struct Field {
    std::string_view name;
    ExpandType* type = nullptr;
  };

  Kind kind = Kind::kString;
  bool optional = true;
  ExpandType* element = nullptr;  // of kArray
  bool element_unknown = false;   // of kArray: it comes from an array without elements
  std::vector<Field> fields;      // of kStruct
  NameIndex index;                // of the fields, once another struct is merged into it
};

// Finds the type of an expanded document, as io.debezium.transforms.outbox.JsonSchemaData does; so
// arrays of arrays have the type of their first element alone. Where Debezium takes one of several
// types of a member by the chance of a hash order and loses what the others hold, this takes the
// union of them, in the order of first appearance. Depth is bounded by JsonTree. Not thread-safe.
class ExpandTypes {
 public:
  explicit ExpandTypes(const ExpandOptions& options) : options_(options) {}

  // The type of `root`, which must outlive this, as this must outlive the type. Null when the
  // document has none: because is_failed(), or because it is an empty array that is not kept.
  const ExpandType* Infer(const JsonNode& root) { return TypeOf(root); }

  // Whether some array mixes types or holds only nulls, or some member has an empty name, so that
  // Debezium leaves the whole document alone.
  bool is_failed() const { return failed_; }

 private:
  ExpandType* TypeOf(const JsonNode& node);
  ExpandType* OfArray(const JsonNode& node);
  ExpandType* OfObject(const JsonNode& node);
  ExpandType* OfObjects(const JsonNode& array);
  ExpandType* Scalar(ExpandType::Kind kind);
  ExpandType* New(ExpandType::Kind kind);
  ExpandType* Fail();

  ExpandOptions options_;
  bool failed_ = false;
  std::deque<ExpandType> types_;  // a deque: they point at each other
  std::vector<ExpandType*> scalars_;
};

// Appends the type as JsonConverter writes a schema. `name` is that of the payload's column, which
// those of structs are made of: `payload.a.b`. With `field`, as a member of a struct of that name.
// Returns false, and leaves `out` as it was, when the whole would nest deeper than the 1000 levels
// that Jackson writes, or be longer than `limit` bytes: the names grow with the depth.
bool AppendSchemaJson(const ExpandType& type, std::string_view name, std::string_view field,
                      std::size_t limit, std::string& out);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_EXPAND_TYPE_H_
