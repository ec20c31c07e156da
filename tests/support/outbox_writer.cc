#include "support/outbox_writer.h"

#include <absl/strings/str_cat.h>
#include <absl/time/clock.h>
#include <absl/time/time.h>

#include <utility>

#include "support/sql.h"

namespace walpost::support {

OutboxWriter::OutboxWriter(std::string conninfo, std::string aggregate_type, double rows_per_second)
    : conninfo_(std::move(conninfo)),
      aggregate_type_(std::move(aggregate_type)),
      rows_per_second_(rows_per_second),
      thread_([this] { Work(); }) {}

OutboxWriter::~OutboxWriter() { Stop(); }

void OutboxWriter::Stop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void OutboxWriter::Work() {
  Sql sql(conninfo_);
  const absl::Time start = absl::Now();
  for (long n = 0; !stop_; ++n) {
    absl::SleepFor(start + absl::Seconds(static_cast<double>(n) / rows_per_second_) - absl::Now());
    const std::string insert =
        absl::StrCat("INSERT INTO outbox(aggregatetype, aggregateid, type, payload) VALUES (",
                     Quoted(aggregate_type_), ", 'k", n % 10, "', 'Written', '{\"n\": ", n, "}')");
    if (sql.TryExec(insert)) ++written_;
  }
}

}  // namespace walpost::support
