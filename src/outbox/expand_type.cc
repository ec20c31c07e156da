#include "outbox/expand_type.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "outbox/json_string.h"

namespace walpost::outbox {
namespace {

using Kind = ExpandType::Kind;

// An integer beyond int64 has the type of a double, which its value then does not fit.
Kind ScalarKind(JsonKind kind) {
  switch (kind) {
    case JsonKind::kBoolean:
      return Kind::kBoolean;
    case JsonKind::kString:
      return Kind::kString;
    case JsonKind::kInt32:
      return Kind::kInt32;
    case JsonKind::kInt64:
      return Kind::kInt64;
    case JsonKind::kBig:
    case JsonKind::kDouble:
      return Kind::kDouble;
    case JsonKind::kNull:
    case JsonKind::kArray:
    case JsonKind::kObject:
      break;
  }
  return Kind::kBytes;
}

bool IsNested(JsonKind kind) { return kind == JsonKind::kArray || kind == JsonKind::kObject; }

// Whether two elements may stand in one array.
bool IsOneType(JsonKind a, JsonKind b) {
  if (IsNested(a) || IsNested(b)) return a == b;
  return ScalarKind(a) == ScalarKind(b);
}

// The name of a schema is not compared: the members that lead to it make it.
bool IsEqual(const ExpandType& a, const ExpandType& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.optional != b.optional) return false;
  if (a.kind == Kind::kArray) return IsEqual(*a.element, *b.element);
  return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const ExpandType::Field& x, const ExpandType::Field& y) {
                      return x.name == y.name && IsEqual(*x.type, *y.type);
                    });
}

void Merge(const ExpandType& from, ExpandType& into);

// Types that do not go together leave the left one; the values then show that they do not fit.
ExpandType* Merged(ExpandType* left, ExpandType* right) {
  if (left->kind != right->kind) return left->kind == Kind::kBytes ? right : left;
  if (left->kind == Kind::kStruct) {
    left->optional = left->optional || right->optional;
    Merge(*right, *left);
  }
  if (left->kind == Kind::kArray && !right->element_unknown) {
    if (left->element_unknown) return right;
    left->element = Merged(left->element, right->element);
  }
  return left;
}

// Adds the fields of one struct to another.
void Merge(const ExpandType& from, ExpandType& into) {
  while (into.index.size() < into.fields.size()) {
    into.index.Add(into.fields[into.index.size()].name);
  }
  for (const ExpandType::Field& field : from.fields) {
    if (const auto place = into.index.Find(field.name)) {
      ExpandType*& type = into.fields[*place].type;
      type = Merged(type, field.type);
      continue;
    }
    into.index.Add(field.name);
    into.fields.push_back(field);
  }
}

bool IsBlank(std::string_view name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

std::string_view TypeName(Kind kind) {
  switch (kind) {
    case Kind::kString:
      return "string";
    case Kind::kBoolean:
      return "boolean";
    case Kind::kInt32:
      return "int32";
    case Kind::kInt64:
      return "int64";
    case Kind::kDouble:
      return "double";
    case Kind::kBytes:
      return "bytes";
    case Kind::kArray:
      return "array";
    case Kind::kStruct:
      return "struct";
  }
  return "";
}

// Levels that Jackson writes.
constexpr int kMaxLevels = 1000;

class SchemaWriter {
 public:
  SchemaWriter(std::string_view name, std::size_t limit, std::string& out)
      : limit_(out.size() + limit), path_(name), out_(out) {}

  // Whether there was room for it. The name of the schema is what `path_` holds from `name` on; it
  // has none inside arrays of arrays. It stands at `level`.
  bool Write(const ExpandType& type, std::optional<std::size_t> name, std::string_view field,
             int level) {
    if (level > kMaxLevels) return false;
    out_.append(R"({"type":")").append(TypeName(type.kind)).push_back('"');
    if (type.kind == Kind::kArray) {
      out_.append(R"(,"items":)");
      // The objects of an array have the array's name; what is nested deeper has none.
      const bool is_struct = type.element->kind == Kind::kStruct;
      if (!Write(*type.element, is_struct ? name : std::nullopt, {}, level + 1)) return false;
    }
    if (type.kind == Kind::kStruct && !WriteFields(type, name, level + 1)) return false;
    out_.append(R"(,"optional":)").append(type.optional ? "true" : "false");
    if (type.kind == Kind::kStruct && name) WriteText("name", NameFrom(*name));
    if (!field.empty()) WriteText("field", field);
    out_.push_back('}');
    return out_.size() <= limit_;
  }

 private:
  std::string_view NameFrom(std::size_t at) const { return std::string_view(path_).substr(at); }

  void WriteText(std::string_view key, std::string_view text) {
    out_.append(",\"").append(key).append("\":");
    AppendJsonString(text, out_);
  }

  bool WriteFields(const ExpandType& type, std::optional<std::size_t> name, int level) {
    out_.append(R"(,"fields":[)");
    const std::size_t size = path_.size();
    const bool has_parent = name && !IsBlank(NameFrom(*name));
    bool first = true;
    for (const ExpandType::Field& field : type.fields) {
      if (!std::exchange(first, false)) out_.push_back(',');
      if (has_parent) path_.push_back('.');
      path_.append(field.name);
      if (!Write(*field.type, has_parent ? *name : size, field.name, level + 1)) return false;
      path_.resize(size);
    }
    out_.push_back(']');
    return true;
  }

  const std::size_t limit_;
  std::string path_;
  std::string& out_;
};

}  // namespace

ExpandType* ExpandTypes::TypeOf(const JsonNode& node) {
  switch (node.kind) {
    case JsonKind::kNull:
      return options_.keep_nulls ? Scalar(Kind::kBytes) : nullptr;
    case JsonKind::kArray:
      return OfArray(node);
    case JsonKind::kObject:
      return OfObject(node);
    default:
      return Scalar(ScalarKind(node.kind));
  }
}

ExpandType* ExpandTypes::OfArray(const JsonNode& node) {
  ExpandType* element = nullptr;
  if (node.children.empty()) {
    if (!options_.keep_empty_arrays) return nullptr;
    element = Scalar(Kind::kString);
  } else {
    const JsonNode* sample = &node.children.front();
    for (const JsonNode& child : node.children) {
      if (child.kind == JsonKind::kNull) continue;
      if (sample->kind == JsonKind::kNull) sample = &child;
      if (!IsOneType(sample->kind, child.kind)) return Fail();
    }
    element = sample->kind == JsonKind::kObject ? OfObjects(node) : TypeOf(*sample);
    if (element == nullptr) return Fail();
  }
  ExpandType* type = New(Kind::kArray);
  type->element = element;
  type->element_unknown = node.children.empty();
  return type;
}

ExpandType* ExpandTypes::OfObject(const JsonNode& node) {
  ExpandType* type = New(Kind::kStruct);
  for (const JsonNode& member : node.children) {
    ExpandType* field = TypeOf(member);
    if (failed_) return nullptr;
    if (field == nullptr) continue;
    if (member.name.empty()) return Fail();
    type->fields.push_back({member.name, field});
  }
  return type;
}

// The union of the objects of an array.
ExpandType* ExpandTypes::OfObjects(const JsonNode& array) {
  ExpandType* all = nullptr;
  bool merged = false;
  for (const JsonNode& element : array.children) {
    if (element.kind != JsonKind::kObject) continue;
    ExpandType* type = OfObject(element);
    if (type == nullptr) return nullptr;
    if (all == nullptr) {
      all = type;
      continue;
    }
    if (!merged && IsEqual(*all, *type)) continue;
    merged = true;
    Merge(*type, *all);
  }
  // Debezium forgets it for a union, and so dies on a null among the elements.
  if (merged) all->optional = false;
  return all;
}

// Scalar types are shared: nothing is ever merged into them.
ExpandType* ExpandTypes::Scalar(Kind kind) {
  for (ExpandType* scalar : scalars_) {
    if (scalar->kind == kind) return scalar;
  }
  return scalars_.emplace_back(New(kind));
}

ExpandType* ExpandTypes::New(Kind kind) {
  ExpandType& type = types_.emplace_back();
  type.kind = kind;
  return &type;
}

ExpandType* ExpandTypes::Fail() {
  failed_ = true;
  return nullptr;
}

bool AppendSchemaJson(const ExpandType& type, std::string_view name, std::string_view field,
                      std::size_t limit, std::string& out) {
  // {"schema":...} around it; the struct of the envelope and its list of fields, too.
  const int level = field.empty() ? 2 : 4;
  const std::size_t before = out.size();
  if (SchemaWriter(name, limit, out).Write(type, 0, field, level)) return true;
  out.resize(before);
  return false;
}

}  // namespace walpost::outbox
