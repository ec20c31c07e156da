#ifndef WALPOST_APP_DEMO_SHOP_H_
#define WALPOST_APP_DEMO_SHOP_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <memory>
#include <string>

#include "core/qualified_name.h"
#include "postgres/connection_options.h"
#include "postgres/sql_session.h"
#include "walpost/stop_signal.h"

namespace walpost::app {

// A small shop in a schema of its own: orders, and an outbox in which each order leaves an event in
// the same transaction; with the publication and the slot for it. All of it bears one unique name,
// and it touches nothing else. Main thread only.
class DemoShop {
 public:
  // Makes everything. `name` must be new; `options` says where, and its slot and publication are
  // replaced by the name. `stop` must outlive the shop. What a failure leaves behind, Remove()
  // removes.
  DemoShop(postgres::ConnectionOptions options, std::string name, const StopSignal& stop);
  ~DemoShop();

  absl::Status Create();

  // Commits an order and its event; answers the event's id.
  absl::StatusOr<std::string> PlaceOrder(int number);

  // The same, rolled back at the end.
  absl::StatusOr<std::string> AbandonOrder(int number);

  // Removes all that Create() made, also what it made in part. To be called once the relay has left
  // the slot. Goes on after a stop was requested.
  absl::Status Remove();

  const postgres::ConnectionOptions& options() const { return options_; }
  QualifiedName outbox() const { return {name_, "outbox"}; }
  static constexpr const char* kAggregateType = "order";

 private:
  absl::StatusOr<std::string> WriteOrder(int number, bool keep);

  postgres::ConnectionOptions options_;
  const std::string name_;
  const StopSignal& stop_;
  std::unique_ptr<postgres::SqlSession> session_;
  bool created_ = false;
};

}  // namespace walpost::app

#endif  // WALPOST_APP_DEMO_SHOP_H_
