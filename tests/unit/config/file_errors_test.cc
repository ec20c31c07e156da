#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "config/file_layer.h"
#include "config/loader.h"
#include "unit/config/temporary_file.h"

namespace walpost::config {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// The errors of a file with this text, the path replaced by `f`.
std::string ErrorsOf(std::string_view text) {
  TemporaryFile file(text);
  absl::StatusOr<LoadedConfig> loaded = Load({.file = file.path(), .flags = {}, .environment = {}});
  EXPECT_EQ(loaded.status().code(), absl::StatusCode::kInvalidArgument);
  std::string message(ToStd(loaded.status().message()));
  for (std::size_t at = message.find(file.path()); at != std::string::npos;
       at = message.find(file.path())) {
    message.replace(at, file.path().size(), "f");
  }
  return message;
}

TEST(FileErrors, NameTheNearestKey) {
  EXPECT_EQ(ErrorsOf("[postgres]\n  slott = \"x\"\n"),
            "f:2:3: unknown key 'postgres.slott'; hint: did you mean 'slot'?");
  EXPECT_EQ(ErrorsOf("[[outbox]]\ntopics = \"x\"\n"),
            "f:2:1: unknown key 'outbox.topics'; hint: did you mean 'topic'?");
}

TEST(FileErrors, ListTheKeysWhenNoneIsNear) {
  EXPECT_EQ(ErrorsOf("[log]\ncolour = \"x\"\n"),
            "f:2:1: unknown key 'log.colour'; hint: [log] takes: level, format");
}

TEST(FileErrors, NameTheSectionThatAKeyBelongsTo) {
  EXPECT_EQ(ErrorsOf("[kafka]\nslot = \"x\"\n"),
            "f:2:1: unknown key 'kafka.slot'; hint: 'slot' belongs to [postgres]");
  EXPECT_EQ(ErrorsOf("slot = \"x\"\n"),
            "f:1:1: unknown key 'slot'; hint: write it below [postgres]");
}

TEST(FileErrors, NameTheNearestSection) {
  EXPECT_EQ(ErrorsOf("[postgers]\nslot = \"x\"\n"),
            "f:1:2: unknown section 'postgers'; hint: did you mean 'postgres'?");
  EXPECT_THAT(ErrorsOf("[[outboxes]]\ntable = \"x\"\n"),
              HasSubstr("unknown section 'outboxes'; hint: did you mean 'outbox'?"));
}

TEST(FileErrors, ExplainHowBlocksAreWritten) {
  EXPECT_EQ(ErrorsOf("[outbox]\ntable = \"x\"\n"),
            "f:1:2: [outbox] may occur several times; hint: write [[outbox]]");
  EXPECT_THAT(ErrorsOf("outbox = [1]\n"), HasSubstr("f:1:11: 'outbox' holds an integer"));
  EXPECT_THAT(ErrorsOf("postgres = \"x\"\n"), StartsWith("f:1:1: 'postgres' is a section"));
  EXPECT_THAT(ErrorsOf("[[postgres]]\nslot = \"x\"\n"), HasSubstr("hint: write [postgres]"));
}

TEST(FileErrors, NameTheTypeThatIsWrong) {
  EXPECT_EQ(ErrorsOf("[postgres]\nslot = 5\n"),
            "f:2:8: postgres.slot: expected text, got an integer; hint: write slot = \"walpost\"");
  EXPECT_EQ(
      ErrorsOf("[relay]\nconfirm_interval = 100\n"),
      "f:2:20: relay.confirm_interval: expected text with a unit, got an integer; hint: write "
      "confirm_interval = \"100ms\"");
  EXPECT_THAT(ErrorsOf("[relay]\nmax_in_flight_bytes = 1.5\n"),
              HasSubstr("a number with a fraction"));
  EXPECT_THAT(ErrorsOf("[relay]\nmax_in_flight_bytes = true\n"), HasSubstr("got a boolean"));
  EXPECT_THAT(ErrorsOf("[log]\nlevel = [\"info\"]\n"), HasSubstr("got an array"));
  EXPECT_THAT(ErrorsOf("[log]\nlevel = 2020-01-01\n"), HasSubstr("got a date or time"));
  EXPECT_THAT(ErrorsOf("[kafka]\nproperties = \"acks=all\"\n"),
              HasSubstr("expected a table, got text"));
  EXPECT_THAT(ErrorsOf("[kafka.properties]\nacks = \"all\"\nlinger.ms = [5]\n"),
              HasSubstr("f:3:13: kafka.properties: 'linger.ms' is an array"));
}

TEST(FileErrors, NameThePlaceOfAWrongValue) {
  EXPECT_EQ(ErrorsOf("[relay]\non_poison = \"retry\"\n"),
            "f:2:13: relay.on_poison: 'retry' is not one of: halt, dead-letter, skip");
  EXPECT_EQ(ErrorsOf("[log]\nlevel = \"inof\"\n"),
            "f:2:9: log.level: 'inof' is not one of: debug, info, warn, error; hint: did you mean "
            "'info'?");
  EXPECT_THAT(
      ErrorsOf("[[outbox]]\npreset = \"debezum\"\n"),
      HasSubstr("f:2:10: outbox.preset: 'debezum' is not one of: debezium, aggregate, topic, "
                "efcore, message; hint: did you mean 'debezium'?"));
}

TEST(FileErrors, NameThePlaceOfASyntaxError) {
  EXPECT_THAT(ErrorsOf("[postgres]\nslot = walpost\n"), StartsWith("f:2:"));
  EXPECT_THAT(ErrorsOf("[postgres\n"), StartsWith("f:1:"));
  EXPECT_THAT(ErrorsOf("[log]\nlevel = \"info\"\nlevel = \"info\"\n"), StartsWith("f:3:"));
  EXPECT_THAT(ErrorsOf("[postgres]\nslot = \"\xff\"\n"), StartsWith("f:2:"));
}

TEST(FileErrors, DoNotRepeatASecret) {
  EXPECT_THAT(ErrorsOf("[postgres]\npassword = \"hunter2\"\n"), Not(HasSubstr("hunter2")));
  EXPECT_THAT(ErrorsOf("[postgres]\npassword = hunter2\n"), Not(HasSubstr("hunter2")));
  EXPECT_THAT(ErrorsOf("[kafka]\nproperties = { a = [\"hunter2\"] }\n"), Not(HasSubstr("hunter2")));
}

TEST(FileErrors, AreAllReportedInTheOrderOfTheFile) {
  EXPECT_EQ(
      ErrorsOf("[postgres]\n"
               "slot = \"No Slot\"\n"
               "slott = \"x\"\n"
               "[relay]\n"
               "reconnect_max_delay = \"1ms\"\n"
               "drain_timeout = 3\n"),
      "f:2:8: postgres.slot: 'No Slot' is not a slot name; hint: use a to z, 0 to 9 and _, at "
      "most 63 characters\n"
      "f:3:1: unknown key 'postgres.slott'; hint: did you mean 'slot'?\n"
      "f:5:23: relay.reconnect_max_delay (1ms) is less than relay.reconnect_min_delay "
      "(100ms); hint: raise it\n"
      "f:6:17: relay.drain_timeout: expected text with a unit, got an integer; hint: write "
      "drain_timeout = \"3s\"");
}

TEST(FileErrors, SayWhyAFileCannotBeRead) {
  auto missing = Load({.file = "/no/such.toml", .flags = {}, .environment = {}});
  EXPECT_EQ(missing.status().message(),
            "/no/such.toml: cannot be read: No such file or directory; hint: check --config or "
            "WALPOST_CONFIG");
  auto directory = Load({.file = "/", .flags = {}, .environment = {}});
  EXPECT_THAT(std::string(directory.status().message()), HasSubstr("Is a directory"));
}

TEST(FileLayer, TakesAnEmptyFile) {
  FileLayer layer = ReadFileLayer("", "f");
  EXPECT_TRUE(layer.errors.empty());
  EXPECT_TRUE(layer.assignments.empty());
  EXPECT_EQ(layer.outbox_blocks, 0u);
}

}  // namespace
}  // namespace walpost::config
