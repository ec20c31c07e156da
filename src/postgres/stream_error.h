#ifndef WALPOST_POSTGRES_STREAM_ERROR_H_
#define WALPOST_POSTGRES_STREAM_ERROR_H_

#include <absl/status/status.h>

#include <string>

namespace walpost::postgres {

// Whose stream it is, for messages.
struct StreamNames {
  std::string slot;
  std::string publication;
  bool messages = false;  // whether logical decoding messages are asked for
};

// What it means that the server refuses to start a stream or ends one with an error. Pure.
// `error` is the server's own, with its SQLSTATE (see sql_state.h).
//
// kDataLoss: the slot cannot deliver any more what it promised. kAborted: another connection holds
// it. kFailedPrecondition: the error would come again. kUnavailable: it may not.
absl::Status StatusOfStreamError(const absl::Status& error, const StreamNames& names);

// What it means that the server warns, instead of failing, that it does not find a publication
// (PostgreSQL 18): it sends no rows and lets the slot pass over them.
absl::Status StatusOfSkippedPublication(const StreamNames& names);

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_STREAM_ERROR_H_
