#include "postgres/connection_options.h"

#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>
#include <libpq-fe.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>

#include "base/status_macros.h"
#include "base/strings.h"

namespace walpost::postgres {
namespace {

struct OptionsDeleter {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
using OptionsPtr = std::unique_ptr<PQconninfoOption, OptionsDeleter>;

// Only settings that every role may set, and that every version from 14 on knows: anything else
// would fail the connection. Those that came later, or that a variable of libpq would set once
// more, are pinned by Connection.
constexpr std::array<std::string_view, 10> kPinnedSettings = {
    // What the text of a column looks like.
    "intervalstyle=postgres", "extra_float_digits=3", "bytea_output=hex",
    // Our literals are quoted for it.
    "standard_conforming_strings=on",
    // Nobody's function is to stand in for one of the server's.
    "search_path=pg_catalog", "row_security=off",
    // PostgreSQL 18 tells of a missing publication by a warning alone, which must arrive.
    "client_min_messages=warning", "statement_timeout=0", "lock_timeout=0",
    "idle_in_transaction_session_timeout=0"};

// libpq takes a dbname for a connection string only when it looks like one.
bool IsConnectionString(std::string_view conninfo) {
  return absl::StrContains(ToAbsl(conninfo), "=") ||
         absl::StartsWith(ToAbsl(conninfo), "postgresql://") ||
         absl::StartsWith(ToAbsl(conninfo), "postgres://");
}

// What is wrong, from libpq's English message but without the part of the conninfo that it quotes:
// an unquoted blank in a password turns its second half into "an option".
std::string_view ReasonWithoutSecrets(std::string_view message) {
  auto says = [message](std::string_view part) {
    return absl::StrContains(ToAbsl(message), ToAbsl(part));
  };
  if (says("invalid connection option") || says("invalid URI query parameter")) {
    return "it has a keyword that libpq does not know";
  }
  if (says("missing \"=\"")) return "a word in it has no '='";
  if (says("unterminated quoted string")) return "a single quote in it is not closed";
  if (says("URI") || says("percent-encoded")) return "it is not a valid URI";
  return "libpq cannot read it";
}

absl::StatusOr<OptionsPtr> Parse(std::string_view conninfo) {
  char* error = nullptr;
  OptionsPtr options(PQconninfoParse(std::string(conninfo).c_str(), &error));
  std::unique_ptr<char, decltype(&PQfreemem)> error_owner(error, &PQfreemem);
  if (options != nullptr) return options;
  return absl::InvalidArgumentError(absl::StrCat(
      "postgres.conninfo (--conninfo) is not a connection string: ",
      ToAbsl(ReasonWithoutSecrets(error == nullptr ? "" : error)),
      "; hint: write libpq keywords, as in 'host=db dbname=shop user=walpost', with single quotes "
      "around values that hold blanks"));
}

std::optional<std::string> ValueIn(const PQconninfoOption* options, std::string_view keyword) {
  for (const PQconninfoOption* o = options; o != nullptr && o->keyword != nullptr; ++o) {
    if (keyword == o->keyword && o->val != nullptr) return std::string(o->val);
  }
  return std::nullopt;
}

std::vector<std::string> SplitList(const std::optional<std::string>& list) {
  if (!list.has_value() || list->empty()) return {};
  return absl::StrSplit(*list, ',');
}

std::string PinnedOptions(std::string_view conninfo) {
  std::string options = ConninfoValue(conninfo, "options").value_or("");
  for (std::string_view setting : kPinnedSettings) {
    absl::StrAppend(&options, options.empty() ? "" : " ", "-c ", ToAbsl(setting));
  }
  return options;
}

}  // namespace

absl::Status ValidateConninfo(std::string_view conninfo) {
  if (conninfo.find('\0') != std::string_view::npos) {
    return absl::InvalidArgumentError("postgres.conninfo (--conninfo) holds a NUL byte");
  }
  if (!IsConnectionString(conninfo)) return absl::OkStatus();
  return Parse(conninfo).status();
}

std::optional<std::string> ConninfoValue(std::string_view conninfo, std::string_view keyword) {
  if (IsConnectionString(conninfo)) {
    absl::StatusOr<OptionsPtr> parsed = Parse(conninfo);
    if (!parsed.ok()) return std::nullopt;
    if (std::optional<std::string> value = ValueIn(parsed->get(), keyword)) return value;
    // A service file that the conninfo names comes before the environment, and libpq does not tell
    // what is in it.
    if (ValueIn(parsed->get(), "service").has_value()) return std::nullopt;
  } else if (keyword == "dbname" && !conninfo.empty()) {
    return std::string(conninfo);
  }
  OptionsPtr defaults(PQconndefaults());
  return ValueIn(defaults.get(), keyword);
}

absl::StatusOr<std::string> ReadPasswordFile(const std::string& path) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"),
                                                       &std::fclose);
  std::string password;
  std::array<char, 4096> chunk{};
  std::size_t n = 0;
  while (file != nullptr && (n = std::fread(chunk.data(), 1, chunk.size(), file.get())) > 0) {
    password.append(chunk.data(), n);
    if (password.size() > 65'536) {
      return absl::UnauthenticatedError(
          absl::StrCat("postgres.password_file '", path, "' is too large to be a password"));
    }
  }
  if (file == nullptr || std::ferror(file.get()) != 0) {
    return absl::UnauthenticatedError(absl::StrCat(
        "cannot read postgres.password_file '", path, "': ", std::strerror(errno),
        "; hint: the file must exist and be readable by the user that walpost runs as"));
  }
  if (absl::EndsWith(password, "\n")) password.pop_back();
  if (absl::EndsWith(password, "\r")) password.pop_back();
  if (password.find('\0') != std::string::npos) {
    return absl::UnauthenticatedError(
        absl::StrCat("postgres.password_file '", path, "' holds a NUL byte"));
  }
  return password;
}

absl::StatusOr<ConnectionParameters> BuildConnectionParameters(const ConnectionOptions& options,
                                                               ConnectionMode mode) {
  WALPOST_RETURN_IF_ERROR(ValidateConninfo(options.conninfo));
  ConnectionParameters out = {{"keepalives", "1"},
                              {"keepalives_idle", "30"},
                              {"keepalives_interval", "10"},
                              {"keepalives_count", "3"},
                              {"tcp_user_timeout", "30000"}};
  // An empty dbname would still be expanded, to no use; without it libpq takes PGDATABASE.
  if (!options.conninfo.empty()) out.emplace_back("dbname", options.conninfo);
  if (!options.password_file.empty()) {
    WALPOST_ASSIGN_OR_RETURN(std::string password, ReadPasswordFile(options.password_file));
    out.emplace_back("password", std::move(password));
  }
  if (mode == ConnectionMode::kReplication) out.emplace_back("replication", "database");
  out.emplace_back("client_encoding", "UTF8");
  out.emplace_back("application_name", absl::StrCat("walpost/", options.slot));
  out.emplace_back("options", PinnedOptions(options.conninfo));
  return out;
}

absl::StatusOr<std::vector<ConnectionParameters>> SplitHosts(std::string_view conninfo) {
  std::vector<std::string> hosts = SplitList(ConninfoValue(conninfo, "host"));
  std::vector<std::string> addresses = SplitList(ConninfoValue(conninfo, "hostaddr"));
  std::vector<std::string> ports = SplitList(ConninfoValue(conninfo, "port"));
  std::size_t count = std::max(hosts.size(), addresses.size());
  if (count <= 1) return std::vector<ConnectionParameters>{{}};
  auto fits = [count](const std::vector<std::string>& list) {
    return list.empty() || list.size() == count;
  };
  if (!fits(hosts) || !fits(addresses) || (!fits(ports) && ports.size() != 1)) {
    return absl::InvalidArgumentError(
        "postgres.conninfo (--conninfo) lists several hosts, but host, hostaddr and port do not "
        "have as many entries; hint: give one port, or one for each host");
  }
  std::vector<ConnectionParameters> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!hosts.empty()) out[i].emplace_back("host", hosts[i]);
    if (!addresses.empty()) out[i].emplace_back("hostaddr", addresses[i]);
    if (!ports.empty()) out[i].emplace_back("port", ports.size() == 1 ? ports[0] : ports[i]);
  }
  return out;
}

}  // namespace walpost::postgres
