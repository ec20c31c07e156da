#include "postgres/setup.h"

#include <absl/strings/str_cat.h>

#include <optional>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "postgres/catalog.h"
#include "postgres/connection.h"
#include "postgres/preflight.h"
#include "postgres/setup_sql.h"
#include "postgres/slot_creation.h"
#include "postgres/sql_state.h"

namespace walpost::postgres {
namespace {

using absl::FailedPreconditionError;
using absl::StrCat;
using State = SetupStep::State;

constexpr absl::Duration kStatementLimit = absl::Seconds(30);

// A publication that is there must be right: setup does not change what it did not make.
absl::Status CheckExisting(Connection& connection, std::string_view name,
                           const PublicationFacts& publication, const QualifiedName& table_name,
                           const std::optional<TableFacts>& table) {
  if (table.has_value()) {
    return RequirePublished(connection, name, publication, table_name, *table).status();
  }
  if (publication.all_tables) return absl::OkStatus();
  return FailedPreconditionError(StrCat(
      "publication ", QuoteIdentifier(name), " exists, but without table ", table_name.ToString(),
      ", which does not; hint: create the table, then ALTER "
      "PUBLICATION ",
      QuoteIdentifier(name), " ADD TABLE ", QuotedTable(table_name)));
}

absl::StatusOr<bool> SchemaExists(Connection& connection, const std::string& schema) {
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult found,
      connection.Execute(StrCat("SELECT FROM pg_namespace WHERE nspname = ", QuoteLiteral(schema)),
                         kStatementLimit));
  return !found.empty();
}

std::string OlderSlotNote(const std::string& slot) {
  return StrCat("slot ", QuoteIdentifier(slot),
                " is older than this publication, and what was written before cannot be decoded "
                "with it: SELECT pg_replication_slot_advance(",
                QuoteLiteral(slot),
                ", pg_current_wal_lsn()) passes over it; rows written until then must be "
                "published again from the table");
}

absl::Status WithHint(const absl::Status& error, const SetupStep& step) {
  std::string state = SqlStateOf(error);
  std::string hint;
  if (state == "42501") {
    hint =
        "; hint: run walpost setup as the owner of the table, with CREATE on the database, or "
        "have its owner run what walpost setup --dry-run prints";
  }
  if (state == "42710") hint = "; hint: somebody else made it just now; run walpost setup again";
  return StatusWithSqlState(
      error.code(), state,
      ToStd(StrCat("cannot create ", step.object, ": ", error.message(), hint)));
}

}  // namespace

// What the catalogs say, and what follows from it.
struct Setup::Findings {
  ServerFacts server;
  std::vector<SetupStep> steps;
  bool slot_missing = false;
};

Setup::Setup(ConnectionOptions options, SetupRequest request, const StopSignal& stop)
    : options_(std::move(options)), request_(std::move(request)), stop_(stop) {}

absl::StatusOr<Setup::Findings> Setup::Look(Connection& connection) const {
  Findings out;
  WALPOST_RETURN_IF_ERROR(CheckSlotName(options_.slot));
  WALPOST_ASSIGN_OR_RETURN(out.server, ReadServer(connection));
  WALPOST_RETURN_IF_ERROR(CheckServer(out.server));
  if (out.server.in_recovery) {
    return FailedPreconditionError(
        "the server is a standby, where nothing can be created; hint: name the primary in "
        "postgres.conninfo (--conninfo)");
  }
  WALPOST_ASSIGN_OR_RETURN(std::vector<std::optional<TableFacts>> tables,
                           LookAtTables(connection, out));
  WALPOST_ASSIGN_OR_RETURN(std::optional<SlotFacts> slot, ReadSlot(connection, options_.slot));
  if (slot.has_value()) {
    WALPOST_RETURN_IF_ERROR(CheckSlotIsOurs(*slot, options_.slot, out.server));
  }
  out.slot_missing = !slot.has_value();
  WALPOST_RETURN_IF_ERROR(LookAtPublication(connection, tables, out));
  out.steps.push_back({StrCat("slot ", QuoteIdentifier(options_.slot)), SlotSql(options_.slot),
                       slot.has_value() ? State::kExists : State::kWouldCreate, ""});
  return out;
}

absl::StatusOr<std::vector<std::optional<TableFacts>>> Setup::LookAtTables(
    Connection& connection, Findings& findings) const {
  std::vector<std::optional<TableFacts>> out;
  for (const QualifiedName& name : request_.tables) {
    bool may_create = out.empty() && !request_.create_table_preset.empty();
    WALPOST_ASSIGN_OR_RETURN(std::optional<TableFacts> table, ReadTable(connection, name));
    if (!table.has_value() && !may_create) {
      return RequireTable(connection, name, findings.server.database).status();
    }
    if (table.has_value()) WALPOST_RETURN_IF_ERROR(CheckTableKind(name, *table));
    if (may_create) {
      WALPOST_ASSIGN_OR_RETURN(bool has_schema, SchemaExists(connection, name.schema));
      WALPOST_ASSIGN_OR_RETURN(std::string sql,
                               TableSql(request_.create_table_preset, name, !has_schema));
      findings.steps.push_back({StrCat("table ", name.ToString()), std::move(sql),
                                table.has_value() ? State::kExists : State::kWouldCreate, ""});
    }
    out.push_back(std::move(table));
  }
  return out;
}

absl::Status Setup::LookAtPublication(Connection& connection,
                                      const std::vector<std::optional<TableFacts>>& tables,
                                      Findings& findings) const {
  const std::string& name = options_.publication;
  bool via_root = false;
  for (const auto& table : tables) via_root |= table.has_value() && table->kind == 'p';
  SetupStep step{StrCat("publication ", QuoteIdentifier(name)),
                 PublicationSql(name, request_.tables, via_root), State::kWouldCreate, ""};
  WALPOST_ASSIGN_OR_RETURN(std::optional<PublicationFacts> found,
                           ReadPublication(connection, name));
  if (found.has_value()) {
    step.state = State::kExists;
    const bool rows = !tables.empty();
    WALPOST_RETURN_IF_ERROR(CheckPublication(found, name, findings.server, rows));
    for (std::size_t i = 0; i < tables.size(); ++i) {
      WALPOST_RETURN_IF_ERROR(
          CheckExisting(connection, name, *found, request_.tables[i], tables[i]));
    }
  } else if (!findings.slot_missing) {
    step.note = OlderSlotNote(options_.slot);
  }
  findings.steps.push_back(std::move(step));
  return absl::OkStatus();
}

// Before the first object is made, so that no setup stays half done. What a role may do on a
// managed server shows only when it is tried.
absl::Status Setup::CheckSlotCanBeMade(const ServerFacts& server) const {
  if (server.used_slots >= server.max_slots) {
    return FailedPreconditionError(
        StrCat("cannot create slot ", QuoteIdentifier(options_.slot), ": all ", server.max_slots,
               " of max_replication_slots are in use; hint: raise max_replication_slots and "
               "restart PostgreSQL, or drop a slot"));
  }
  if (server.may_replicate) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<Connection>> probe =
      Connection::Open(options_, ConnectionMode::kReplication, stop_);
  if (probe.ok()) return absl::OkStatus();
  if (absl::IsCancelled(probe.status())) return probe.status();
  std::string role = QuoteIdentifier(server.user);
  return FailedPreconditionError(
      StrCat("role ", role, " of postgres.conninfo (--conninfo) may not create slot ",
             QuoteIdentifier(options_.slot),
             ": it lacks REPLICATION; hint: run as a superuser: ALTER ROLE ", role,
             " WITH REPLICATION (on Amazon RDS: GRANT rds_replication TO ", role, ")"));
}

absl::StatusOr<std::vector<SetupStep>> Setup::Plan() {
  WALPOST_ASSIGN_OR_RETURN(std::unique_ptr<Connection> connection,
                           Connection::Open(options_, ConnectionMode::kSql, stop_));
  WALPOST_ASSIGN_OR_RETURN(Findings findings, Look(*connection));
  return std::move(findings.steps);
}

absl::Status Setup::Apply(const std::function<void(const SetupStep&)>& report) {
  WALPOST_ASSIGN_OR_RETURN(std::unique_ptr<Connection> connection,
                           Connection::Open(options_, ConnectionMode::kSql, stop_));
  WALPOST_ASSIGN_OR_RETURN(Findings findings, Look(*connection));
  if (findings.slot_missing) {
    WALPOST_RETURN_IF_ERROR(CheckSlotCanBeMade(findings.server));
  }
  for (SetupStep& step : findings.steps) {
    if (step.state == State::kWouldCreate) {
      bool is_slot = &step == &findings.steps.back();
      WALPOST_RETURN_IF_ERROR(is_slot ? MakeSlot(*connection, step) : Make(*connection, step));
    }
    report(step);
  }
  return absl::OkStatus();
}

absl::Status Setup::Make(Connection& connection, SetupStep& step) const {
  absl::Status made = connection.Execute(step.sql, kStatementLimit).status();
  if (absl::IsCancelled(made)) return made;
  if (!made.ok()) return WithHint(made, step);
  step.state = State::kCreated;
  return absl::OkStatus();
}

absl::Status Setup::MakeSlot(Connection& connection, SetupStep& step) const {
  WALPOST_ASSIGN_OR_RETURN(SlotCreation made,
                           CreateSlot(connection, options_, request_.timeout, stop_));
  step.state = made == SlotCreation::kCreated ? State::kCreated : State::kExists;
  return absl::OkStatus();
}

}  // namespace walpost::postgres
