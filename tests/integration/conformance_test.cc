// A consumer of Debezium's must notice nothing: its settings are imported, its rows replayed, and
// each message compared with what Debezium wrote. See ../conformance/README.md.
#include <absl/strings/escaping.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>
#include <absl/strings/str_split.h>
#include <absl/time/clock.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/strings.h"
#include "integration/relay_test.h"
#include "support/temp_dir.h"

namespace walpost::integration {
namespace {

namespace fs = std::filesystem;
using support::Record;
using support::TempDir;

constexpr int kPartitions = 7;
constexpr std::string_view kRowsMarker = "-- rows\n";

std::string ReadAll(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<std::string> Variants() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(WALPOST_CONFORMANCE_DIR)) {
    if (entry.path().extension() == ".properties") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> Decoded(const rapidjson::Value& value) {
  if (value.IsNull()) return std::nullopt;
  std::string bytes;
  EXPECT_TRUE(absl::Base64Unescape(value.GetString(), &bytes));
  return bytes;
}

// A message as it was recorded.
struct Recorded {
  Record record;
  bool any_partition = false;
  bool now = false;
};

std::vector<Recorded> ReadRecorded(const std::string& variant, const std::string& topic_prefix) {
  std::vector<Recorded> all;
  std::ifstream file(fs::path(WALPOST_CONFORMANCE_DIR) / (variant + ".jsonl"));
  for (std::string line; std::getline(file, line);) {
    rapidjson::Document json;
    json.Parse(line.c_str());
    Recorded one;
    one.record.topic = topic_prefix + json["topic"].GetString();
    one.any_partition = json["partition"].IsNull();
    if (!one.any_partition) one.record.partition = json["partition"].GetInt();
    one.record.key = Decoded(json["key"]);
    one.record.value = Decoded(json["value"]);
    for (const auto& header : json["headers"].GetArray()) {
      one.record.headers.emplace_back(header[0].GetString(), Decoded(header[1]));
    }
    one.now = json["timestamp"].IsString();
    if (!one.now) one.record.timestamp_ms = json["timestamp"].GetInt64();
    all.push_back(std::move(one));
  }
  return all;
}

// Equal but for the order of members.
bool SameJson(const std::string& a, const std::string& b) {
  rapidjson::Document left;
  rapidjson::Document right;
  left.Parse<rapidjson::kParseNumbersAsStringsFlag>(a.c_str());
  right.Parse<rapidjson::kParseNumbersAsStringsFlag>(b.c_str());
  return !left.HasParseError() && !right.HasParseError() && left == right;
}

bool IsJson(const std::string& text) {
  rapidjson::Document json;
  json.Parse<rapidjson::kParseIterativeFlag>(text.c_str());
  return !json.HasParseError();
}

std::string Shown(const std::optional<std::string>& bytes) {
  return bytes ? absl::CEscape(*bytes) : "NULL";
}

class Conformance : public RelayTest, public ::testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    RequireKafka();
    if (IsSkipped() || HasFatalFailure()) return;
    DatabaseTest::SetUp();
    prefix_ = name() + ".";
    recorded_ = ReadRecorded(GetParam(), prefix_);
    LoadScript();
  }

  // The table of the variant, and what is replayed.
  void LoadScript() {
    const fs::path folder(WALPOST_CONFORMANCE_DIR);
    const bool own = fs::exists(folder / (GetParam() + ".sql"));
    std::string script = ReadAll(folder / (own ? GetParam() + ".sql" : "cases.sql"));
    if (!own) AdaptCases(script);
    const std::size_t marker = script.find(kRowsMarker);
    ASSERT_NE(marker, std::string::npos);
    sql().Exec(script.substr(0, marker));
    rows_ = script.substr(marker + kRowsMarker.size());
  }

  // How a variant's table and rows differ from the common ones.
  void AdaptCases(std::string& script) {
    const auto replace = [&script](absl::string_view from, absl::string_view to) {
      absl::StrReplaceAll({{from, to}}, &script);
    };
    const std::string& variant = GetParam();
    const bool bytea = variant.starts_with("bytea");
    if (bytea || variant == "text") {
      replace("payload jsonb", bytea ? "payload bytea" : "payload text");
      replace("jsonb_build_object('big', string_agg(md5(g::text),''))",
              bytea ? "string_agg(md5(g::text),'')::bytea" : "string_agg(md5(g::text),'')");
      if (bytea) replace("\\", "\\\\");  // the escape format of bytea
    }
    if (variant == "json-text") replace("payload jsonb", "payload json");
    if (variant == "timestamp") replace("ts timestamptz", "ts timestamp");
    // A row without a topic is poison, to both.
    if (variant == "route-column") DropRows(script, {"0e", "10", "12", "14", "15"});
    // The order of members is in the schema too.
    if (variant == "json-schema-expanded") DropRows(script, {"0d"});
  }

  static void DropRows(std::string& script, const std::vector<std::string>& ids) {
    std::string kept;
    for (absl::string_view line : absl::StrSplit(script, '\n')) {
      const bool drop = std::any_of(ids.begin(), ids.end(), [line](const std::string& id) {
        return line.find(absl::StrCat("-0000000000", id, "'")) != absl::string_view::npos;
      });
      if (!drop) absl::StrAppend(&kept, line, "\n");
    }
    script = kept;
  }

  // The variant's settings as `walpost config import-debezium` turns them into ours, with topics of
  // this test alone.
  std::string ImportedConfig(const TempDir& folder) {
    const std::string properties = folder.path() + "/connector.properties";
    std::ofstream(properties) << absl::StrReplaceAll(
        ReadAll(fs::path(WALPOST_CONFORMANCE_DIR) / (GetParam() + ".properties")),
        {{"route.topic.replacement=", absl::StrCat("route.topic.replacement=", prefix_)}});
    const std::string config = folder.path() + "/walpost.toml";
    const support::Finished imported = support::Run(
        {WalpostBinary(), "config", "import-debezium", properties, "--output", config});
    EXPECT_EQ(imported.code, 0) << imported.err << ReadAll(config);
    return config;
  }

  void Replay() {
    for (absl::string_view statement : absl::StrSplit(rows_, ";\n", absl::SkipWhitespace())) {
      sql().Exec(std::string(ToStd(statement)));
    }
    if (!IdsRepeat()) {
      for (const auto& row : sql().Rows("SELECT id::text FROM outbox")) ids_.insert(*row[0]);
    }
    for (const Recorded& one : recorded_) ids_.insert(IdOf(one.record));
  }

  // Where the header `id` is the aggregate's, the value tells its events apart.
  static bool IdsRepeat() { return GetParam() == "payload-id-column"; }

  // In some variants the header is JSON.
  static std::string IdOf(const Record& record) {
    const std::string id = absl::StrReplaceAll(record.Id(), {{"\"", ""}});
    return IdsRepeat() ? absl::StrCat(id, " ", record.value.value_or("NULL")) : id;
  }

  std::vector<Record> ReadTopics() {
    std::set<std::string> topics;
    for (const Recorded& one : recorded_) topics.insert(one.record.topic);
    support::TopicReader reader(kafka().bootstrap(), {topics.begin(), topics.end()});
    EXPECT_TRUE(reader.ReadUntilCount(ids_.size(), absl::Seconds(20)));
    EXPECT_TRUE(reader.ReadToEnd());
    return reader.records();
  }

  void ExpectSame(const Recorded& wanted, const Record& got) {
    SCOPED_TRACE(absl::StrCat("id ", IdOf(wanted.record)));
    EXPECT_EQ(got.topic, wanted.record.topic);
    if (!wanted.any_partition) {
      EXPECT_EQ(got.partition, wanted.record.partition);
    }
    EXPECT_EQ(Shown(got.key), Shown(wanted.record.key));
    if (got.value != wanted.record.value) {
      const bool expanded = GetParam().find("expanded") != std::string::npos;
      const bool same = expanded && got.value && wanted.record.value &&
                        SameJson(*got.value, *wanted.record.value);
      EXPECT_TRUE(same) << "value " << Shown(got.value) << "\n wanted "
                        << Shown(wanted.record.value);
    }
    ASSERT_EQ(got.headers.size(), wanted.record.headers.size());
    for (std::size_t i = 0; i < got.headers.size(); ++i) {
      EXPECT_EQ(got.headers[i].first, wanted.record.headers[i].first);
      EXPECT_EQ(Shown(got.headers[i].second), Shown(wanted.record.headers[i].second))
          << "header " << got.headers[i].first;
    }
    if (wanted.now) {
      EXPECT_LT(std::abs(got.timestamp_ms - absl::ToUnixMillis(absl::Now())), 600'000);
    } else {
      EXPECT_EQ(got.timestamp_ms, wanted.record.timestamp_ms);
    }
  }

  std::string prefix_;
  std::string rows_;
  std::vector<Recorded> recorded_;
  std::set<std::string> ids_;  // of every row that has to arrive
};

TEST_P(Conformance, WritesWhatDebeziumWrites) {
  const TempDir folder("walpost-conformance");
  const std::string config = ImportedConfig(folder);
  CreatePublication();
  CreateSlot();
  std::set<std::string> topics;
  for (const Recorded& one : recorded_) topics.insert(one.record.topic);
  for (const std::string& topic : topics) {
    ASSERT_TRUE(kafka().CreateTopic(topic, kPartitions).ok());
  }
  Replay();

  std::vector<std::string> flags = Flags();
  flags.insert(flags.end(), {"--config", config, "--brokers", kafka().bootstrap()});
  support::RelayProcess relay(WalpostBinary(), flags);
  ASSERT_TRUE(relay.WaitReady()) << relay.process().Err();
  const std::vector<Record> records = ReadTopics();

  // Each message once, and those of one partition in the recorded order.
  std::map<std::string, const Record*> by_id;
  std::map<std::pair<std::string, int>, std::vector<std::string>> order;
  std::map<std::pair<std::string, int>, std::vector<std::string>> wanted_order;
  for (const Record& record : records) {
    EXPECT_TRUE(by_id.emplace(IdOf(record), &record).second) << "twice: " << IdOf(record);
  }
  std::set<std::string> recorded_ids;
  for (const Recorded& one : recorded_) {
    const std::string id = IdOf(one.record);
    recorded_ids.insert(id);
    ASSERT_TRUE(by_id.contains(id)) << id << "\n" << relay.process().Err();
    ExpectSame(one, *by_id.at(id));
    if (!one.any_partition) {
      wanted_order[{one.record.topic, one.record.partition}].push_back(id);
    }
  }
  for (const Record& record : records) {
    if (recorded_ids.contains(IdOf(record)) && record.key) {
      order[{record.topic, record.partition}].push_back(IdOf(record));
    }
  }
  EXPECT_EQ(order, wanted_order);
  // What Debezium dies of.
  for (const Record& record : records) {
    if (recorded_ids.contains(IdOf(record))) continue;
    EXPECT_TRUE(record.value && IsJson(*record.value)) << IdOf(record) << Shown(record.value);
  }
  EXPECT_EQ(records.size(), ids_.size()) << relay.process().Err();
  EXPECT_EQ(relay.Terminate().code, 0);
}

INSTANTIATE_TEST_SUITE_P(Debezium, Conformance, ::testing::ValuesIn(Variants()),
                         [](const auto& variant) {
                           return absl::StrReplaceAll(variant.param, {{"-", "_"}});
                         });

}  // namespace
}  // namespace walpost::integration
