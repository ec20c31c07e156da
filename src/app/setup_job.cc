#include <ostream>
#include <string>

#include "app/app.h"
#include "app/parts.h"
#include "app/signal_stop.h"
#include "base/status_macros.h"
#include "core/outbox_presets.h"
#include "core/qualified_name.h"
#include "postgres/setup.h"

namespace walpost::app {
namespace {

absl::StatusOr<postgres::SetupRequest> RequestFrom(const config::Settings& settings,
                                                   const SetupOptions& options) {
  postgres::SetupRequest request;
  for (const OutboxSettings& block : settings.outboxes) {
    if (block.preset == kMessagePreset) continue;
    WALPOST_ASSIGN_OR_RETURN(QualifiedName table, QualifiedName::Parse(block.table));
    // Of several, the first may be made.
    if (options.create_table && request.tables.empty()) request.create_table_preset = block.preset;
    request.tables.push_back(std::move(table));
  }
  if (options.create_table && request.tables.empty()) {
    return absl::InvalidArgumentError(
        "--create-table: the preset 'message' has no table; hint: walpost setup --preset message");
  }
  request.timeout = options.timeout;
  return request;
}

void PrintDone(const postgres::SetupStep& step, std::ostream& out) {
  const bool exists = step.state == postgres::SetupStep::State::kExists;
  out << step.object << ": " << (exists ? "already there" : "created");
  if (!step.note.empty()) out << " (" << step.note << ")";
  out << std::endl;
}

// Text that psql runs: what exists is a comment.
void PrintPlan(const std::vector<postgres::SetupStep>& steps, std::ostream& out) {
  for (const postgres::SetupStep& step : steps) {
    const bool exists = step.state == postgres::SetupStep::State::kExists;
    out << "-- " << step.object << ": " << (exists ? "already there" : "to be created") << "\n";
    if (!step.note.empty()) out << "-- " << step.note << "\n";
    if (!exists) out << step.sql << "\n";
  }
  out.flush();
}

}  // namespace

absl::Status RunSetup(const config::Settings& settings, const SetupOptions& options,
                      std::ostream& out) {
  SignalStop stop(/*second_signal_ends=*/true);
  WALPOST_ASSIGN_OR_RETURN(postgres::SetupRequest request, RequestFrom(settings, options));
  postgres::Setup setup(ConnectionOptionsFrom(settings), std::move(request), stop);
  if (options.dry_run) {
    WALPOST_ASSIGN_OR_RETURN(const std::vector<postgres::SetupStep> steps, setup.Plan());
    PrintPlan(steps, out);
    return absl::OkStatus();
  }
  return setup.Apply([&out](const postgres::SetupStep& step) { PrintDone(step, out); });
}

}  // namespace walpost::app
