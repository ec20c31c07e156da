#ifndef WALPOST_CLI_CONNECT_OFFSET_H_
#define WALPOST_CLI_CONNECT_OFFSET_H_

#include <absl/status/statusor.h>

#include <string>
#include <string_view>

#include "walpost/lsn.h"

namespace walpost::cli {

// Where a Debezium connector has finished its last transaction.
struct ConnectPosition {
  Lsn lsn_commit;
  std::string owner;  // `server shop of connector orders`, as far as it is known; may be empty
};

// Reads the offset that Kafka Connect keeps for a connector, in the shapes that people have at
// hand:
//   - the offset alone: {"lsn_commit":123,"lsn":124,...};
//   - the answer of GET /connectors/NAME/offsets;
//   - records of the offsets topic: key and value after one another, as kafka-console-consumer
//     prints them with print.key, in an array, or as members `key` and `value` (or `payload`) of an
//     object. Of several for one partition the last counts.
//   - the file of a standalone worker (offset.storage.file.filename), which Java has serialised.
//
// Only `lsn_commit` is used: a transaction ends there. `lsn` and `lsn_proc` may be inside one.
//
// kInvalidArgument: it is none of these, or holds several partitions that do not agree.
// kFailedPrecondition: the connector has finished no transaction yet, or is in its snapshot. No
// message repeats the text.
absl::StatusOr<ConnectPosition> ParseConnectOffset(std::string_view text);

// The same from an argument that is the JSON itself, or else names a file.
absl::StatusOr<ConnectPosition> ReadConnectOffset(const std::string& file_or_json);

}  // namespace walpost::cli

#endif  // WALPOST_CLI_CONNECT_OFFSET_H_
