#include "support/postgres_server.h"

#include <absl/strings/str_cat.h>

#include <fstream>
#include <sstream>

#include "support/free_port.h"
#include "support/sql.h"

namespace walpost::support {
namespace {

constexpr char kScript[] = WALPOST_SUPPORT_DIR "/pg.sh";

std::string ReadFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

PostgresServer::PostgresServer(const std::string& conf)
    : dir_("postgres"),
      port_(FreePort()),
      environment_{
          {"PG_DIR", dir_.path() + "/pg"}, {"PG_PORT", absl::StrCat(port_)}, {"PG_CONF", conf}},
      epilogue_(absl::StrCat("PG_DIR='", dir_.path(), "/pg' '", kScript, "' destroy; rm -rf '",
                             dir_.path(), "'")) {}

PostgresServer::~PostgresServer() { Script("destroy"); }

Finished PostgresServer::Script(const std::string& command, absl::Duration limit) {
  return Run({kScript, command}, environment_, limit);
}

absl::Status PostgresServer::Start() {
  const Finished start = Script("start");
  if (start.code == 0) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("PostgreSQL did not start: ", start.err));
}

std::optional<absl::Duration> PostgresServer::StopFast(absl::Duration limit) {
  environment_["PG_STOP_SECONDS"] = absl::StrCat(absl::ToInt64Seconds(limit));
  const Finished stop = Script("stop", limit + absl::Seconds(10));
  if (stop.code != 0) return {};
  return stop.took;
}

void PostgresServer::Crash() { Script("kill"); }

void PostgresServer::PrependHba(const std::string& lines) {
  const std::string path = environment_["PG_DIR"] + "/data/pg_hba.conf";
  const std::string old = ReadFile(path);
  std::ofstream(path, std::ios::trunc) << lines << old;
  Reload();
}

void PostgresServer::Reload() { Sql(Conninfo()).Exec("SELECT pg_reload_conf()"); }

std::string PostgresServer::Conninfo(const std::string& database) const {
  return absl::StrCat("host=127.0.0.1 port=", port_, " user=postgres dbname=", database);
}

std::string PostgresServer::Log() const {
  return ReadFile(environment_.at("PG_DIR") + "/server.log");
}

}  // namespace walpost::support
