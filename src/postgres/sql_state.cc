#include "postgres/sql_state.h"

#include <absl/strings/ascii.h>
#include <absl/strings/cord.h>
#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>
#include <absl/strings/str_split.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/strings.h"

namespace walpost::postgres {
namespace {

using absl::StatusCode;

constexpr char kPayloadUrl[] = "walpost/sqlstate";

struct Rule {
  std::string_view prefix;
  StatusCode code;
};

// The first prefix that fits decides: whole states come before their class.
constexpr std::array kRules = {
    Rule{"28", StatusCode::kUnauthenticated},        // invalid authorization
    Rule{"53400", StatusCode::kFailedPrecondition},  // configuration limit exceeded
    Rule{"55006", StatusCode::kAborted},             // object in use: another holds the slot
    Rule{"55P03", StatusCode::kUnavailable},         // lock not available
    Rule{"55", StatusCode::kFailedPrecondition},     // object not in prerequisite state
    Rule{"57P04", StatusCode::kFailedPrecondition},  // database dropped
    Rule{"0A", StatusCode::kFailedPrecondition},     // feature not supported
    Rule{"22", StatusCode::kInvalidArgument},        // data exception
    Rule{"23", StatusCode::kFailedPrecondition},     // integrity constraint violation
    Rule{"25", StatusCode::kFailedPrecondition},     // read-only transaction: a standby
    Rule{"3D", StatusCode::kFailedPrecondition},     // no such database
    Rule{"3F", StatusCode::kFailedPrecondition},     // no such schema
    Rule{"42601", StatusCode::kInternal},            // syntax error: we wrote the statement
    Rule{"42602", StatusCode::kInvalidArgument},     // invalid name
    Rule{"42622", StatusCode::kInvalidArgument},     // name too long
    Rule{"42", StatusCode::kFailedPrecondition},     // no such object, no privilege
    Rule{"XX001", StatusCode::kFailedPrecondition},  // data corrupted
    Rule{"XX002", StatusCode::kFailedPrecondition},  // index corrupted
};

// Lines that tell a developer of the server where it happened, and what libpq and the server guess
// about it; our own hint follows.
bool IsNoise(std::string_view line) {
  return absl::StartsWith(ToAbsl(line), "LOCATION:") || absl::StartsWith(ToAbsl(line), "HINT:") ||
         absl::StartsWith(ToAbsl(line), "Is the server running") ||
         absl::StartsWith(ToAbsl(line), "This probably means the server terminated") ||
         absl::StartsWith(ToAbsl(line), "before or while processing the request");
}

// A SQLSTATE as it stands in a verbose message, at the two blanks after the severity.
std::string_view StateAt(std::string_view message, std::size_t colon) {
  std::string_view state = message.substr(colon + 3, 5);
  bool complete = state.size() == 5 && message.substr(colon + 8, 2) == ": ";
  bool plain = std::all_of(state.begin(), state.end(), [](char c) {
    auto u = static_cast<unsigned char>(c);
    return absl::ascii_isdigit(u) || absl::ascii_isupper(u);
  });
  return complete && plain ? state : std::string_view();
}

}  // namespace

absl::StatusCode CodeForSqlState(std::string_view sql_state) {
  for (const Rule& rule : kRules) {
    if (absl::StartsWith(ToAbsl(sql_state), ToAbsl(rule.prefix))) return rule.code;
  }
  return StatusCode::kUnavailable;
}

absl::Status StatusFromSqlState(std::string_view sql_state, std::string_view message) {
  return StatusWithSqlState(CodeForSqlState(sql_state), sql_state, message);
}

absl::Status StatusWithSqlState(absl::StatusCode code, std::string_view sql_state,
                                std::string_view message) {
  absl::Status status(code, ToAbsl(message));
  if (!sql_state.empty()) status.SetPayload(kPayloadUrl, absl::Cord(ToAbsl(sql_state)));
  return status;
}

std::string SqlStateOf(const absl::Status& status) {
  absl::optional<absl::Cord> payload = status.GetPayload(kPayloadUrl);
  return payload.has_value() ? std::string(*payload) : std::string();
}

std::string FoldMessage(std::string_view message) {
  std::string text(message);
  // A person reads the sentence; the status remembers the state.
  for (std::string state = SqlStateInMessage(text); !state.empty();
       state = SqlStateInMessage(text)) {
    absl::StrReplaceAll({{absl::StrCat(":  ", state, ": "), ": "}}, &text);
  }
  std::string out;
  std::vector<std::string_view> seen;
  for (absl::string_view raw : absl::StrSplit(text, '\n')) {
    std::string_view line = ToStd(absl::StripAsciiWhitespace(raw));
    // Without encryption libpq tries a refused connection twice, and says the same twice.
    bool repeated = std::find(seen.begin(), seen.end(), line) != seen.end();
    if (line.empty() || IsNoise(line) || repeated) continue;
    seen.push_back(line);
    if (!out.empty()) out += "; ";
    out += line;
  }
  std::replace_if(
      out.begin(), out.end(),
      [](char c) { return absl::ascii_iscntrl(static_cast<unsigned char>(c)); }, ' ');
  return out;
}

std::string SqlStateInMessage(std::string_view message) {
  std::string_view found;
  for (std::size_t i = message.find(":  "); i != std::string_view::npos;
       i = message.find(":  ", i + 1)) {
    std::string_view state = StateAt(message, i);
    if (!state.empty()) found = state;
  }
  return std::string(found);
}

}  // namespace walpost::postgres
