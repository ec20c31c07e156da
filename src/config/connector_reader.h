#ifndef WALPOST_CONFIG_CONNECTOR_READER_H_
#define WALPOST_CONFIG_CONNECTOR_READER_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/debezium_import.h"
#include "config/value_text.h"

namespace walpost::config {

// The properties of a connector, and what was found out about each of them so far.
class ConnectorReader {
 public:
  // A name that comes twice has its last value. Of the worker's, only those count that Connect
  // takes from there: converters that the connector does not name, and the producer's settings.
  ConnectorReader(const NamedTexts& connector, const NamedTexts& worker);

  // Whether all of a connector's configuration is there, so that a property that is missing has its
  // default.
  bool whole() const { return Find("connector.class") != nullptr; }

  // Null when it is not set. Valid as long as the reader.
  const std::string* Find(std::string_view name) const;
  std::string TextOr(std::string_view name, std::string_view fallback) const;
  // As Java reads a boolean, in any case and with blanks around. Error: neither true nor false.
  absl::StatusOr<bool> FlagOr(std::string_view name, bool fallback) const;
  // One of several words, in any case and with blanks around, in lower case. Error: none of them.
  absl::StatusOr<std::string> WordOr(std::string_view name, std::string_view fallback,
                                     const std::vector<std::string_view>& allowed) const;

  // What became of a property. The texts go to people. `Carried` and `NothingToDo` are of no effect
  // for a property that is not set.
  void Carried(std::string_view name, std::string_view option);
  void NothingToDo(std::string_view name, std::string_view why);
  void Assumed(std::string_view name, std::string_view what);
  void Dropped(std::string_view name, std::string_view why);
  void ChangesEvents(std::string_view name, std::string_view why);
  void Unknown(std::string_view name, std::string_view why);

  // Calls back for each property of which nothing was said yet.
  void ForEachOpen(
      const std::function<void(const std::string& name, const std::string& value)>& callback) const;

  // In the order of the properties.
  std::vector<ImportedProperty> TakeFindings();

 private:
  void Add(std::string_view name, ImportOutcome outcome, std::string_view text);

  std::vector<std::string> names_;  // in their order, each once
  std::map<std::string, std::string, std::less<>> values_;
  std::vector<ImportedProperty> findings_;
};

// Whether a value is fetched by one of Connect's config providers when the connector starts:
// `${file:/etc/secrets:password}`.
// Source: org.apache.kafka.common.config.ConfigTransformer
bool IsFromProvider(std::string_view value);

// The error for a property: `NAME: WHAT`.
absl::Status PropertyError(std::string_view name, std::string_view what);

// Without the blanks around it.
std::string Trimmed(std::string_view text);

// The parts between commas, without the blanks around them and without empty ones.
std::vector<std::string> CommaList(std::string_view text);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_CONNECTOR_READER_H_
