#ifndef WALPOST_CONFIG_LOADER_H_
#define WALPOST_CONFIG_LOADER_H_

#include <absl/status/statusor.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/option_table.h"
#include "config/settings.h"

namespace walpost::config {

// The value of an environment variable; nothing when it is not set.
using Environment = std::function<std::optional<std::string>(std::string_view name)>;

// One flag as it was given. An option of kind kMap takes one `name=value` in each, and may come
// several times; of any other the last one counts.
struct FlagValue {
  const OptionDef* option = nullptr;
  std::string text;
  // How it was written, for errors, when that is not the option's own flag.
  std::string_view flag = {};
};

struct LoadRequest {
  std::string file;  // empty: none
  std::vector<FlagValue> flags = {};
  Environment environment = {};  // empty: none
  // Says what is wrong with an [[outbox]] block for the mapping, in a message that begins with the
  // option ("outbox.topic: ..."); empty: not asked.
  std::function<absl::Status(const OutboxSettings&)> check_outbox = {};
  // The same of [kafka] for the producer; empty: not asked.
  std::function<absl::Status(const KafkaSettings&)> check_kafka = {};
};

// One value for people to see, secrets masked.
struct ShownValue {
  const OptionDef* option = nullptr;
  // Counted from 1 for [[outbox]], 0 for the other sections.
  std::size_t block = 0;
  // `postgres.slot`, `outbox[2].table` when there are several blocks, `kafka.properties."acks"`.
  std::string name = {};
  std::string text = {};  // bare
  std::string toml = {};  // as it would be written in the file
  // `flag --slot`, `env WALPOST_POSTGRES_SLOT`, `walpost.toml:3`, `preset debezium` or `default`.
  std::string origin;
};

struct LoadedConfig {
  Settings settings;
  std::vector<ShownValue> values;  // every option, in the order of the table
};

// Puts together, for each option, the first of flag, environment, file and default that has a
// value; properties of Kafka name by name. Reads the files that `*_file` properties name.
//
// Error: kInvalidArgument. The message has one line for each thing that is wrong, all of them, in
// the order of the file: `FILE:LINE:COLUMN: ...; hint: ...`, or the flag or variable in place of
// the position. No line shows a secret.
absl::StatusOr<LoadedConfig> Load(const LoadRequest& request);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_LOADER_H_
