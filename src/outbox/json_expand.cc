#include "outbox/json_expand.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "outbox/expand_type.h"
#include "outbox/java_number.h"
#include "outbox/json_compact.h"
#include "outbox/json_string.h"
#include "outbox/json_tree.h"
#include "outbox/name_index.h"
#include "outbox/utf8.h"

namespace walpost::outbox {
namespace {

using Kind = ExpandType::Kind;

// A union can be the square of its payload. No broker takes an event of this size.
constexpr std::size_t kMaxExpanded = std::size_t{64} << 20;

// Nor is it worth more than this, some tenths of a second.
constexpr std::size_t kMaxFields = 4'000'000;

enum class Style { kJson, kStruct };

// Appends text as Java's getBytes(UTF_8) does, which has a `?` for a surrogate without its other
// half.
void AppendJavaBytes(std::string_view text, std::string& out) {
  std::size_t at = 0;
  for (std::size_t lead = text.find('\xED'); lead != std::string_view::npos;
       lead = text.find('\xED', lead + 1)) {
    if (Utf8LengthAt(text.substr(lead)) != 0) continue;
    out.append(text, at, lead - at).push_back('?');
    at = lead + 3;
  }
  out.append(text, at);
}

// The members of an object, asked for in the order of a struct's fields, which is most often their
// own order.
class MemberReader {
 public:
  explicit MemberReader(const JsonNode& object) : members_(object.children) {}

  // Null when there is none of that name.
  const JsonNode* Find(std::string_view name) {
    if (next_ < members_.size() && members_[next_].name == name) return &members_[next_++];
    if (index_.size() == 0) {
      for (const JsonNode& member : members_) index_.Add(member.name);
    }
    const auto place = index_.Find(name);
    if (!place) return nullptr;
    next_ = *place + 1;
    return &members_[*place];
  }

 private:
  const std::vector<JsonNode>& members_;
  NameIndex index_;
  std::size_t next_ = 0;
};

// Writes a document by its type.
class ExpandWriter {
 public:
  ExpandWriter(Style style, std::size_t limit, std::string& out)
      : style_(style), limit_(limit), out_(out) {}

  // Whether the value fits its type, and the output its limit; a null `node` is a JSON null. What
  // has been appended by then is of no use when not.
  bool Write(const JsonNode* node, const ExpandType& type) {
    if (out_.size() > limit_) return false;
    if (node == nullptr || node->kind == JsonKind::kNull) {
      out_.append("null");
      return type.optional;
    }
    switch (node->kind) {
      case JsonKind::kArray:
        return type.kind == Kind::kArray && WriteArray(*node, *type.element);
      case JsonKind::kObject:
        return type.kind == Kind::kStruct && WriteObject(*node, type);
      default:
        return WriteScalar(*node, type.kind);
    }
  }

 private:
  bool WriteScalar(const JsonNode& node, Kind kind) {
    switch (node.kind) {
      case JsonKind::kString:
        WriteText(node.text);
        return kind == Kind::kString;
      case JsonKind::kBoolean:
        out_.append(node.text);
        return kind == Kind::kBoolean;
      case JsonKind::kInt32:
        out_.append(std::to_string(node.integer));
        return kind == Kind::kInt32;
      case JsonKind::kInt64:
        out_.append(std::to_string(node.integer));
        return kind == Kind::kInt64;
      case JsonKind::kDouble:
        WriteDouble(node.real);
        return kind == Kind::kDouble;
      default:
        return false;
    }
  }

  // What has no JSON number becomes a string.
  void WriteDouble(double value) {
    const bool quoted = style_ == Style::kJson && !std::isfinite(value);
    if (quoted) out_.push_back('"');
    AppendJavaDouble(value, out_);
    if (quoted) out_.push_back('"');
  }

  void WriteText(std::string_view text) {
    if (style_ == Style::kJson) {
      AppendJsonString(text, out_);
    } else {
      AppendJavaBytes(text, out_);
    }
  }

  bool WriteArray(const JsonNode& array, const ExpandType& element) {
    out_.push_back('[');
    bool first = true;
    for (const JsonNode& child : array.children) {
      if (!std::exchange(first, false)) out_.append(style_ == Style::kJson ? "," : ", ");
      if (!Write(&child, element)) return false;
    }
    out_.push_back(']');
    return true;
  }

  bool WriteObject(const JsonNode& object, const ExpandType& type) {
    out_.append(style_ == Style::kJson ? "{" : "Struct{");
    MemberReader members(object);
    bool first = true;
    for (const ExpandType::Field& field : type.fields) {
      // Also for what is left out, which takes its time.
      if (++fields_ > kMaxFields) return false;
      const JsonNode* member = members.Find(field.name);
      const bool is_null = member == nullptr || member->kind == JsonKind::kNull;
      if (is_null && style_ == Style::kStruct) continue;
      if (!std::exchange(first, false)) out_.push_back(',');
      WriteText(field.name);
      out_.push_back(style_ == Style::kJson ? ':' : '=');
      if (!Write(member, *field.type)) return false;
    }
    out_.push_back('}');
    return true;
  }

  const Style style_;
  const std::size_t limit_;
  std::size_t fields_ = 0;
  std::string& out_;
};

// A payload as far as it can be understood.
class Expansion {
 public:
  Expansion(std::string_view payload, const ExpandOptions& options)
      : payload_(payload), types_(options) {
    const bool tried = !payload.empty() && (payload.front() == '{' || payload.front() == '[');
    if (!tried || !tree_.Parse(payload)) return;
    type_ = types_.Infer(tree_.root());
    is_empty_array_ = type_ == nullptr && !types_.is_failed();
  }

  // Whether Debezium gives the payload a type; Append() can still find that it does not fit.
  bool has_type() const { return type_ != nullptr; }
  const ExpandType& type() const { return *type_; }
  // `[]`, which Debezium gives no schema at all.
  bool is_empty_array() const { return is_empty_array_; }

  // Appends the payload, unless Debezium leaves it alone or dies of it.
  bool Append(Style style, std::string& out) const {
    if (type_ == nullptr || type_->kind != Kind::kStruct) return false;
    const std::size_t before = out.size();
    ExpandWriter writer(style, before + payload_.size() + kMaxExpanded, out);
    if (writer.Write(&tree_.root(), *type_)) return true;
    out.resize(before);
    return false;
  }

 private:
  std::string_view payload_;
  JsonTree tree_;
  ExpandTypes types_;
  const ExpandType* type_ = nullptr;
  bool is_empty_array_ = false;
};

absl::Status AppendWhole(std::string_view payload, std::string& out) {
  if (!IsUtf8(payload)) return absl::InvalidArgumentError("the payload is not UTF-8");
  AppendJsonString(payload, out);
  return absl::OkStatus();
}

}  // namespace

absl::Status AppendExpandedJson(std::string_view payload, const ExpandOptions& options,
                                std::string& out) {
  const Expansion expansion(payload, options);
  if (expansion.Append(Style::kJson, out)) return absl::OkStatus();
  // Something may follow the first value, which is then no longer JSON as a whole.
  if (expansion.has_type() && AppendCompactJson(payload, out).ok()) return absl::OkStatus();
  return AppendWhole(payload, out);
}

absl::Status AppendExpandedStruct(std::string_view payload, const ExpandOptions& options,
                                  std::string& out) {
  const Expansion expansion(payload, options);
  if (!expansion.Append(Style::kStruct, out)) out.append(payload);
  return absl::OkStatus();
}

absl::Status AppendExpandedParts(std::string_view payload, const ExpandOptions& options,
                                 const ExpandColumn& column, std::string& schema,
                                 std::string& value) {
  const Expansion expansion(payload, options);
  const std::size_t before = value.size();
  if (expansion.Append(Style::kJson, value)) {
    const std::size_t limit = payload.size() + kMaxExpanded;
    if (AppendSchemaJson(expansion.type(), column.name, column.field, limit, schema)) {
      return absl::OkStatus();
    }
    value.resize(before);
  }
  const absl::Status whole = AppendWhole(payload, value);
  if (!whole.ok()) return whole;
  const bool none = expansion.is_empty_array() && column.field.empty();
  schema.append(none ? "null" : column.schema);
  return absl::OkStatus();
}

absl::Status AppendExpandedSchemaJson(std::string_view payload, const ExpandOptions& options,
                                      const ExpandColumn& column, std::string& out) {
  std::string schema;
  std::string value;
  const absl::Status status = AppendExpandedParts(payload, options, column, schema, value);
  if (!status.ok()) return status;
  out.append(R"({"schema":)").append(schema).append(R"(,"payload":)").append(value).push_back('}');
  return absl::OkStatus();
}

}  // namespace walpost::outbox
