#ifndef WALPOST_OUTBOX_JSON_EXPAND_H_
#define WALPOST_OUTBOX_JSON_EXPAND_H_

#include <absl/status/status.h>

#include <string>
#include <string_view>

namespace walpost::outbox {

// What Debezium's outbox router makes of a JSON payload with `table.expand.json.payload=true`.
//
// It expands a payload that begins with `{` or `[`, without a blank in front. Members keep their
// order; of duplicates the first place and the last value stay; what follows the first JSON value
// is ignored. Nulls and empty arrays of a member are left out, unless the options keep them. An
// integer up to int64 stays as it is, any other number becomes a Java double. Objects of one array
// get the union of their members, with nulls for those that are not theirs, in the order of first
// appearance; so do the objects nested in them, of which Debezium keeps the members of one alone,
// by chance. Arrays of arrays have the members that their first element has, as with Debezium: what
// others have besides is lost.
//
// It leaves a payload alone, as text, that is no such JSON, that mixes types in some array (int32,
// int64 and fractions are three) or that has an array of nothing but nulls, a member without a name
// or more than 1000 levels.
//
// Debezium's task dies on an array at the top, on an integer beyond int64, and on a member that has
// one type in one element of an array and another in the next. Such a payload becomes the JSON that
// it is, without white space; so does one whose union would exceed 64 MiB or four million members.
//
// Docs: https://debezium.io/documentation/reference/stable/transformations/outbox-event-router.html
struct ExpandOptions {
  bool keep_nulls = false;         // table.json.payload.null.behavior=optional_bytes
  bool keep_empty_arrays = false;  // table.json.payload.empty.array.behavior=optional_string
};

// Appends the expanded payload as a JsonConverter without schemas writes it; a payload that is left
// alone as one JSON string. Error: kInvalidArgument when that string would not be UTF-8; `out` is
// left as it was.
absl::Status AppendExpandedJson(std::string_view payload, const ExpandOptions& options,
                                std::string& out);

// Appends the expanded payload as a StringConverter writes it: `Struct{a=Struct{z=[1, 2]},b=x}`,
// where nulls are left out of structs. Debezium does not die here: all that it does not expand
// stays the text that it is. No payload is an error.
absl::Status AppendExpandedStruct(std::string_view payload, const ExpandOptions& options,
                                  std::string& out);

// What a JsonConverter with schemas must know of the payload's column.
struct ExpandColumn {
  std::string_view name = "payload";  // which names the structs: `payload.a.b`
  // The schema of the column itself, for a payload that is left alone, a JSON object:
  // {"type":"string","optional":true,"name":"io.debezium.data.Json","version":1}
  std::string_view schema;
  // With a name, the schemas are those of a member of an envelope: {..., "field":"payload"}. The
  // schema above must then have it, too.
  std::string_view field;
};

// Appends the schema of the payload and the payload, each alone, as a JsonConverter with schemas
// writes them. Where Debezium's task dies the payload is left alone, so that both agree. Error: as
// above; both are left as they were.
absl::Status AppendExpandedParts(std::string_view payload, const ExpandOptions& options,
                                 const ExpandColumn& column, std::string& schema,
                                 std::string& value);

// The same two as one: {"schema":...,"payload":...}.
absl::Status AppendExpandedSchemaJson(std::string_view payload, const ExpandOptions& options,
                                      const ExpandColumn& column, std::string& out);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_JSON_EXPAND_H_
