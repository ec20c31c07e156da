#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_replace.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "base/strings.h"
#include "config/debezium_connection.h"

namespace walpost::config {
namespace {

// Properties that mean the same as a keyword of libpq, and take the same values.
// Source: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS
constexpr std::pair<std::string_view, std::string_view> kKeywords[] = {
    {"database.hostname", "host"},           {"database.port", "port"},
    {"database.dbname", "dbname"},           {"database.user", "user"},
    {"database.sslmode", "sslmode"},         {"database.sslcert", "sslcert"},
    {"database.sslrootcert", "sslrootcert"},
};

constexpr std::string_view kFillIn =
    "is fetched by a config provider of Connect; hint: write the value itself";

// A value as libpq reads it in a conninfo.
std::string ConninfoText(std::string_view value) {
  const bool plain = !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
    return !absl::ascii_isspace(static_cast<unsigned char>(c)) && c != '\'' && c != '\\';
  });
  if (plain) return std::string(value);
  return absl::StrCat("'", absl::StrReplaceAll(ToAbsl(value), {{"\\", "\\\\"}, {"'", "\\'"}}), "'");
}

class PostgresSection {
 public:
  PostgresSection(ConnectorReader& reader, TomlDraft& draft) : reader_(reader), draft_(draft) {}

  absl::Status Write() {
    for (const auto& [property, keyword] : kKeywords) Add(property, keyword);
    AddKey();
    WALPOST_RETURN_IF_ERROR(AddKeepAlive());
    WriteConninfo();
    WritePassword();
    WriteSlot();
    WritePublication();
    if (body_.text().empty()) return absl::OkStatus();
    draft_.Section("[postgres]");
    draft_.Append(body_);
    return absl::OkStatus();
  }

 private:
  void Add(std::string_view property, std::string_view keyword) {
    const std::string* value = reader_.Find(property);
    if (value == nullptr) return;
    if (IsFromProvider(*value)) {
      reader_.Dropped(property, kFillIn);
      body_.Comment(absl::StrCat(ToAbsl(property), " ", ToAbsl(kFillIn), " as ", ToAbsl(keyword)));
      return;
    }
    reader_.Carried(property, ToStd(absl::StrCat("postgres.conninfo, ", ToAbsl(keyword))));
    keywords_.push_back(absl::StrCat(ToAbsl(keyword), "=", ConninfoText(Trimmed(*value))));
    from_.emplace_back(property);
  }

  // The Java driver takes a key in DER or PKCS #12, libpq in PEM.
  void AddKey() {
    constexpr std::string_view kName = "database.sslkey";
    const std::string* value = reader_.Find(kName);
    if (value == nullptr) return;
    const std::string lower = absl::AsciiStrToLower(*value);
    for (std::string_view ending : {".pk8", ".der", ".p12", ".pfx"}) {
      if (!std::string_view(lower).ends_with(ending)) continue;
      reader_.Dropped(kName, "libpq reads a key in PEM; hint: convert it and add sslkey=FILE");
      body_.Comment(
          "database.sslkey: libpq reads a key in PEM; convert it and add sslkey=FILE to conninfo");
      return;
    }
    Add(kName, "sslkey");
  }

  absl::Status AddKeepAlive() {
    constexpr std::string_view kName = "database.tcpKeepAlive";
    WALPOST_ASSIGN_OR_RETURN(const bool keep, reader_.FlagOr(kName, true));
    if (keep) {
      reader_.NothingToDo(kName, "the default of libpq");
      return absl::OkStatus();
    }
    reader_.Carried(kName, "postgres.conninfo, keepalives");
    keywords_.emplace_back("keepalives=0");
    from_.emplace_back(kName);
    return absl::OkStatus();
  }

  void WriteConninfo() {
    if (keywords_.empty()) {
      if (!reader_.whole()) return;
      body_.Example("conninfo", TomlString("host=db dbname=shop user=walpost"));
      return;
    }
    body_.Comment("from " + absl::StrJoin(from_, ", "));
    body_.Option("conninfo", TomlString(absl::StrJoin(keywords_, " ")));
  }

  void WritePassword() {
    constexpr std::string_view kName = "database.password";
    if (reader_.Find(kName) == nullptr) return;
    reader_.Dropped(kName,
                    "a secret, which is not carried over; hint: put it into a file and set "
                    "postgres.password_file, or use PGPASSFILE");
    body_.Comment(
        "database.password is a secret and not carried over; name a file that holds it, or set "
        "PGPASSFILE or PGPASSWORD");
    body_.Example("password_file", TomlString("/run/secrets/pg"));
  }

  void WriteSlot() {
    const std::string plugin = absl::AsciiStrToLower(Trimmed(reader_.TextOr("plugin.name", "")));
    if (plugin == "pgoutput") {
      reader_.NothingToDo("plugin.name", "what walpost reads");
    } else if (!plugin.empty() || reader_.whole()) {
      WriteSlotOfOtherPlugin(plugin);
      return;
    }
    WriteName("slot.name", "debezium", "slot");
  }

  // A slot keeps its plugin for life.
  void WriteSlotOfOtherPlugin(std::string_view plugin) {
    other_plugin_ = true;
    const std::string name =
        plugin.empty() ? "decoderbufs, since plugin.name is not set" : std::string(plugin);
    const std::string why = absl::StrCat(
        "the slot's plugin is ", name,
        ", and walpost reads pgoutput only; hint: make a new slot with `walpost setup` while the "
        "connector still runs, start walpost, then stop the connector: events in between come "
        "twice, none is lost");
    reader_.ChangesEvents("plugin.name", why);
    reader_.NothingToDo("slot.name", "cannot be read; see plugin.name");
    body_.Comment("plugin.name: " + why);
    body_.Option("slot", TomlString("walpost"));
  }

  void WritePublication() {
    // Other plugins have no publication.
    if (other_plugin_ && reader_.Find("publication.name") == nullptr) return;
    WriteName("publication.name", "dbz_publication", "publication");
  }

  void WriteName(std::string_view property, std::string_view fallback, std::string_view option) {
    const bool set = reader_.Find(property) != nullptr;
    // A part of a connector leaves it to flags and environment.
    if (!set && !reader_.whole()) return;
    reader_.Carried(property, ToStd(absl::StrCat("postgres.", ToAbsl(option))));
    body_.Comment(set ? absl::StrCat("from ", ToAbsl(property))
                      : absl::StrCat("the default of ", ToAbsl(property)));
    body_.Option(option, TomlString(Trimmed(reader_.TextOr(property, fallback))));
  }

  ConnectorReader& reader_;
  TomlDraft& draft_;
  TomlDraft body_;
  std::vector<std::string> keywords_;
  std::vector<std::string> from_;
  bool other_plugin_ = false;
};

}  // namespace

absl::Status WritePostgresSection(ConnectorReader& reader, TomlDraft& draft) {
  return PostgresSection(reader, draft).Write();
}

}  // namespace walpost::config
