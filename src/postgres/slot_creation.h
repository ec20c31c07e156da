#ifndef WALPOST_POSTGRES_SLOT_CREATION_H_
#define WALPOST_POSTGRES_SLOT_CREATION_H_

#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include "postgres/connection_options.h"
#include "walpost/stop_signal.h"

namespace walpost::postgres {

class Connection;

enum class SlotCreation { kCreated, kAlreadyThere };

// Makes the slot of `options`, on a connection of its own: the server waits meanwhile for every
// transaction that is running and has written, in any database. `control` is used to look at them
// and to call it off.
//
// kUnavailable: it still waited after `limit`; the message names whom for. kCancelled: `stop` was
// requested. After either no slot stays behind. Otherwise the server's refusal.
// Source: https://www.postgresql.org/docs/current/functions-admin.html
absl::StatusOr<SlotCreation> CreateSlot(Connection& control, const ConnectionOptions& options,
                                        absl::Duration limit, const StopSignal& stop);

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_SLOT_CREATION_H_
