#include "app/demo_shop.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "postgres/setup.h"

namespace walpost::app {
namespace {

// A statement that a slow or blocked server does not finish ends the demo, rather than hanging it.
constexpr absl::Duration kStatementLimit = absl::Seconds(30);

}  // namespace

DemoShop::DemoShop(postgres::ConnectionOptions options, std::string name, const StopSignal& stop)
    : options_(std::move(options)), name_(std::move(name)), stop_(stop) {
  options_.slot = name_;
  options_.publication = name_;
}

DemoShop::~DemoShop() = default;

absl::Status DemoShop::Create() {
  WALPOST_ASSIGN_OR_RETURN(
      session_, postgres::SqlSession::Connect(options_, stop_, postgres::SqlSession::Mode::kSql));
  session_->set_query_limit(kStatementLimit);
  const std::string schema = QuoteIdentifier(name_);
  // Fails when the schema is there: then it is not ours, and nothing of it may be removed.
  WALPOST_RETURN_IF_ERROR(session_->Query(absl::StrCat("CREATE SCHEMA ", schema)).status());
  created_ = true;
  WALPOST_RETURN_IF_ERROR(
      session_
          ->Query(absl::StrCat("CREATE TABLE ", schema,
                               ".orders (id text PRIMARY KEY, total_cents integer NOT NULL)"))
          .status());
  postgres::Setup setup(options_, {.tables = {outbox()}, .create_table_preset = "debezium"}, stop_);
  return setup.Apply([](const postgres::SetupStep&) {});
}

absl::StatusOr<std::string> DemoShop::PlaceOrder(int number) { return WriteOrder(number, true); }

absl::StatusOr<std::string> DemoShop::AbandonOrder(int number) { return WriteOrder(number, false); }

absl::StatusOr<std::string> DemoShop::WriteOrder(int number, bool keep) {
  const std::string order = absl::StrFormat("o-%04d", number);
  const int total = 1000 + number * 37 % 9000;
  const std::string schema = QuoteIdentifier(name_);
  // One round trip: the business row, its event, and the end of the transaction.
  WALPOST_ASSIGN_OR_RETURN(
      postgres::SqlResult row,
      session_->Query(absl::StrCat(
          "BEGIN; INSERT INTO ", schema, ".orders VALUES (", QuoteLiteral(order), ", ", total,
          "); INSERT INTO ", schema, ".outbox (aggregatetype, aggregateid, type, payload) VALUES (",
          QuoteLiteral(kAggregateType), ", ", QuoteLiteral(order),
          ", 'OrderPlaced', jsonb_build_object('total_cents', ", total, ")) RETURNING id")));
  const std::string id(row.Text(0, "id"));
  WALPOST_RETURN_IF_ERROR(session_->Query(keep ? "COMMIT" : "ROLLBACK").status());
  return id;
}

absl::Status DemoShop::Remove() {
  if (!created_) return absl::OkStatus();
  // The other session may have ended with the stop.
  const postgres::NeverStop never;
  session_.reset();
  WALPOST_ASSIGN_OR_RETURN(
      std::unique_ptr<postgres::SqlSession> session,
      postgres::SqlSession::Connect(options_, never, postgres::SqlSession::Mode::kSql));
  session->set_query_limit(kStatementLimit);
  // Each on its own, so that what one cannot remove does not keep the others.
  absl::Status status;
  for (const std::string& statement :
       {absl::StrCat("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE "
                     "slot_name = ",
                     QuoteLiteral(name_)),
        absl::StrCat("DROP PUBLICATION IF EXISTS ", QuoteIdentifier(name_)),
        absl::StrCat("DROP SCHEMA ", QuoteIdentifier(name_), " CASCADE")}) {
    status.Update(session->Query(statement).status());
  }
  if (status.ok()) created_ = false;
  return status;
}

}  // namespace walpost::app
