#include "outbox/header_columns.h"

#include <absl/strings/str_cat.h>

#include <string_view>
#include <vector>

#include "base/java_properties.h"
#include "base/status_macros.h"
#include "base/strings.h"
#include "outbox/json_members.h"
#include "outbox/row_reader.h"

namespace walpost::outbox {
namespace {

constexpr std::string_view kTracingHeaders[] = {"traceparent", "tracestate", "baggage"};

absl::Status Because(std::string_view what, const absl::Status& error) {
  return absl::InvalidArgumentError(absl::StrCat(ToAbsl(what), ": ", error.message()));
}

}  // namespace

absl::Status AddObjectHeaders(const pgoutput::ColumnValue& column, HeaderList& headers) {
  WALPOST_ASSIGN_OR_RETURN(const OptionalText text, TextOf(column));
  if (!text) return absl::OkStatus();
  const auto members = MembersOf(*text);
  if (!members.ok()) return Because("the headers (outbox.headers_from)", members.status());
  for (const JsonMember& member : *members) {
    if (member.name == "id") {
      return absl::InvalidArgumentError(
          "the headers (outbox.headers_from) have a member 'id', which would hide the event's own");
    }
    const std::string_view name = headers.Keep(member.name);
    if (member.kind == JsonMember::Kind::kNull) {
      headers.Add(name, std::nullopt);
    } else {
      const auto member_text = member.Text();
      if (!member_text.ok())
        return Because("the headers (outbox.headers_from)", member_text.status());
      headers.Add(name, headers.Keep(*member_text));
    }
  }
  return absl::OkStatus();
}

absl::Status AddTracingHeaders(const pgoutput::ColumnValue& column, HeaderList& headers) {
  WALPOST_ASSIGN_OR_RETURN(const OptionalText text, TextOf(column));
  if (!text) return absl::OkStatus();
  const auto properties = ParseJavaProperties(*text);
  if (!properties.ok()) return Because("the column of outbox.tracing", properties.status());
  for (std::string_view name : kTracingHeaders) {
    const std::string* found = nullptr;
    for (const auto& [key, value] : *properties) {
      if (key == name) found = &value;  // the last one counts
    }
    if (found != nullptr) headers.Add(name, headers.Keep(*found));
  }
  return absl::OkStatus();
}

}  // namespace walpost::outbox
