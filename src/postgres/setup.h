#ifndef WALPOST_POSTGRES_SETUP_H_
#define WALPOST_POSTGRES_SETUP_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/qualified_name.h"
#include "postgres/connection_options.h"
#include "walpost/stop_signal.h"

namespace walpost::postgres {

class Connection;
struct ServerFacts;
struct TableFacts;

// One object that setup makes, or would make, or has found.
struct SetupStep {
  enum class State { kExists, kCreated, kWouldCreate };

  // For people: `table public.outbox`, `publication walpost`, `slot walpost`.
  std::string object;
  // What makes it: one or more statements for psql, each ended by a semicolon. Also there when the
  // object exists.
  std::string sql;
  State state = State::kWouldCreate;
  // What a person should know about it; one line, often empty.
  std::string note;
};

struct SetupRequest {
  // Every outbox table.
  std::vector<QualifiedName> tables;
  // The preset whose table is made when the first table is missing; empty to make none.
  std::string create_table_preset;
  // How long the slot may wait for other transactions.
  absl::Duration timeout = absl::Seconds(30);
};

// Makes what a relay needs, and only what is missing: the table if asked for, then the publication,
// then the slot. In that order, because changes from before a publication cannot be decoded with
// it.
//
// Everything that can be checked is checked before the first object is made. An object that is
// there but not right is an error with the statement that puts it right; setup changes nothing that
// it did not make.
//
// Errors: those of ReplicationSource::Open() in so far as they apply, and kUnavailable when the
// slot still waits for other transactions after the timeout: the message names their pids, and no
// half-made slot stays behind. The same holds after a stop (kCancelled). Not thread-safe.
class Setup {
 public:
  // `stop` must outlive it.
  Setup(ConnectionOptions options, SetupRequest request, const StopSignal& stop);

  // Looks, and changes nothing; asks for no privilege, since another role may run the statements.
  absl::StatusOr<std::vector<SetupStep>> Plan();

  // Looks, and makes what is missing; tells `report` each step once it is done or found done.
  absl::Status Apply(const std::function<void(const SetupStep&)>& report);

 private:
  struct Findings;

  absl::StatusOr<Findings> Look(Connection& connection) const;
  absl::StatusOr<std::vector<std::optional<TableFacts>>> LookAtTables(Connection& connection,
                                                                      Findings& findings) const;
  absl::Status LookAtPublication(Connection& connection,
                                 const std::vector<std::optional<TableFacts>>& tables,
                                 Findings& findings) const;
  absl::Status CheckSlotCanBeMade(const ServerFacts& server) const;
  absl::Status Make(Connection& connection, SetupStep& step) const;
  absl::Status MakeSlot(Connection& connection, SetupStep& step) const;

  const ConnectionOptions options_;
  const SetupRequest request_;
  const StopSignal& stop_;
};

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_SETUP_H_
