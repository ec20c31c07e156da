#include "outbox/cloud_event.h"

#include <absl/strings/ascii.h>
#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>
#include <absl/time/time.h>

#include <algorithm>
#include <cstddef>

#include "base/status_macros.h"
#include "base/strings.h"
#include "outbox/bytea.h"
#include "outbox/json_string.h"
#include "outbox/timestamp_text.h"
#include "outbox/value_writer.h"

namespace walpost::outbox {
namespace {

// 2000-01-01, where the server's time begins.
constexpr std::int64_t kPostgresEpochUs = 946'684'800'000'000;
constexpr std::string_view kJsonType = "application/json";
constexpr std::string_view kContentType = "content-type";
constexpr std::string_view kStructured = "application/cloudevents+json; charset=UTF-8";

absl::Status Bad(std::string_view attribute, std::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("attribute '", ToAbsl(attribute), "' of the CloudEvent ", ToAbsl(what)));
}

std::string Rfc3339(std::int64_t unix_micros) {
  return absl::FormatTime("%Y-%m-%d%ET%H:%M:%E*SZ", absl::FromUnixMicros(unix_micros),
                          absl::UTCTimeZone());
}

bool IsTimestamp(ColumnType type) {
  return type == ColumnType::kTimestampMs || type == ColumnType::kTimestampUs ||
         type == ColumnType::kTimestampTz;
}

// The media type of JSON, with or without parameters, or one that is built on it.
bool IsJsonType(std::string_view media_type) {
  const std::string_view bare = media_type.substr(0, media_type.find(';'));
  return absl::EqualsIgnoreCase(ToAbsl(bare), ToAbsl(kJsonType)) ||
         absl::EndsWithIgnoreCase(ToAbsl(bare), "+json") ||
         absl::EqualsIgnoreCase(ToAbsl(bare), "text/json");
}

}  // namespace

absl::Status CheckCloudEventValue(std::string_view name, std::string_view value) {
  if (value.empty()) return Bad(name, "is empty");
  const bool control = std::any_of(value.begin(), value.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  if (control) return Bad(name, "has control characters");
  if (name != "time") return absl::OkStatus();
  absl::Time ignored;
  std::string why;
  // The parser takes blanks around it, and words for what never comes.
  const auto first = static_cast<unsigned char>(value.front());
  const auto last = static_cast<unsigned char>(value.back());
  const bool bare = absl::ascii_isdigit(first) && absl::ascii_isgraph(last);
  if (bare && absl::ParseTime(absl::RFC3339_full, ToAbsl(value), &ignored, &why)) {
    return absl::OkStatus();
  }
  return Bad(name, "is not a time as RFC 3339 has it");
}

absl::StatusOr<OptionalText> CloudEventWriter::Write(const BoundRule& rule, pgoutput::Tuple row,
                                                     OptionalText data, std::int64_t commit_time_us,
                                                     HeaderList& headers) {
  WALPOST_RETURN_IF_ERROR(ReadAttributes(rule, row, commit_time_us, headers));
  if (!rule.rule->structured) {
    for (const auto& [name, value] : attributes_) {
      if (name == "datacontenttype") {
        headers.Add(kContentType, value);
      } else {
        std::string& prefixed = headers.NewText();
        absl::StrAppend(&prefixed, "ce_", ToAbsl(name));
        headers.Add(prefixed, value);
      }
    }
    return data;
  }
  headers.Add(kContentType, kStructured);
  if (!data && rule.rule->tombstone_when_empty) return std::nullopt;
  out_ = "{";
  for (const auto& [name, value] : attributes_) {
    if (out_.size() > 1) out_.push_back(',');
    AppendJsonString(name, out_);
    out_.push_back(':');
    AppendJsonString(value, out_);
  }
  if (data) WALPOST_RETURN_IF_ERROR(AppendData(rule, *data));
  out_.push_back('}');
  return OptionalText(out_);
}

// Sets attributes_, whose texts are in the row, in the rule or in `headers`.
absl::Status CloudEventWriter::ReadAttributes(const BoundRule& rule, pgoutput::Tuple row,
                                              std::int64_t commit_time_us, HeaderList& headers) {
  attributes_.clear();
  attributes_.emplace_back("specversion", "1.0");
  for (std::size_t i = 0; i < rule.cloudevents.size(); ++i) {
    WALPOST_RETURN_IF_ERROR(ReadAttribute(rule, i, row, headers));
  }
  const auto is_set = [&rule](std::string_view name) {
    return std::any_of(rule.rule->cloudevents.begin(), rule.rule->cloudevents.end(),
                       [name](const NamedSource& one) { return one.name == name; });
  };
  if (!is_set("id")) {
    WALPOST_ASSIGN_OR_RETURN(const OptionalText id, TextOf(row[rule.id.index]));
    if (id) attributes_.emplace_back("id", *id);
  }
  if (!is_set("time")) {
    attributes_.emplace_back("time", headers.Keep(Rfc3339(commit_time_us + kPostgresEpochUs)));
  }
  if (!is_set("datacontenttype") && rule.value.format.type == ColumnType::kJson) {
    attributes_.emplace_back("datacontenttype", kJsonType);
  }
  for (std::string_view needed : {"id", "source", "type"}) {
    if (Find(needed).empty()) return Bad(needed, "is NULL");
  }
  for (const auto& [name, value] : attributes_)
    WALPOST_RETURN_IF_ERROR(CheckCloudEventValue(name, value));
  return absl::OkStatus();
}

absl::Status CloudEventWriter::ReadAttribute(const BoundRule& rule, std::size_t index,
                                             pgoutput::Tuple row, HeaderList& headers) {
  const BoundSource& source = rule.cloudevents[index];
  const std::string& name = rule.rule->cloudevents[index].name;
  const bool is_column =
      source.kind == BoundSource::Kind::kVerbatim || source.kind == BoundSource::Kind::kRendered;
  if (name == "time" && is_column && IsTimestamp(source.column.format.type)) {
    WALPOST_ASSIGN_OR_RETURN(const OptionalText text, TextOf(row[source.column.index]));
    if (!text) return absl::OkStatus();
    WALPOST_ASSIGN_OR_RETURN(const std::int64_t micros, MicrosOfTimestamp(*text));
    attributes_.emplace_back(name, headers.Keep(Rfc3339(micros)));
    return absl::OkStatus();
  }
  WALPOST_ASSIGN_OR_RETURN(const OptionalText text, ReadSource(source, row, headers.NewText()));
  if (text) attributes_.emplace_back(name, *text);
  return absl::OkStatus();
}

std::string_view CloudEventWriter::Find(std::string_view name) const {
  for (const auto& [key, value] : attributes_) {
    if (key == name) return value;
  }
  return {};
}

// Source:
// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md#31-handling-of-data
absl::Status CloudEventWriter::AppendData(const BoundRule& rule, std::string_view data) {
  const ColumnType type = rule.value.format.type;
  if (type == ColumnType::kBytea) {
    out_.append(R"(,"data_base64":")");
    AppendBase64(data, out_);
    out_.push_back('"');
    return absl::OkStatus();
  }
  out_.append(R"(,"data":)");
  if (type == ColumnType::kJson || IsJsonType(Find("datacontenttype"))) {
    return AppendEmbedded(rule, data, out_);
  }
  AppendJsonString(data, out_);
  return absl::OkStatus();
}

}  // namespace walpost::outbox
