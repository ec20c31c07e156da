#include "cli/connect_offset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include "support/message_builder.h"

namespace walpost::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// As a connector in the middle of a transaction leaves it.
constexpr char kOffset[] =
    R"({"transaction_id":null,"lsn_proc":22118056,"messageType":"INSERT","lsn_commit":22118040,)"
    R"("lsn":22118200,"txId":749,"ts_usec":1700000000000000})";
const Lsn kCommit(22118040);

std::string Offset(const std::string& lsn_commit) { return R"({"lsn_commit":)" + lsn_commit + "}"; }

std::string Key(const std::string& connector, const std::string& server) {
  return "[\"" + connector + "\",{\"server\":\"" + server + "\"}]";
}

void ExpectPosition(const std::string& text, Lsn lsn, const std::string& owner) {
  const auto position = ParseConnectOffset(text);
  ASSERT_TRUE(position.ok()) << position.status() << "\n" << text;
  EXPECT_EQ(position->lsn_commit, lsn) << text;
  EXPECT_EQ(position->owner, owner) << text;
}

void ExpectError(const std::string& text, absl::StatusCode code, const std::string& part) {
  const auto position = ParseConnectOffset(text);
  EXPECT_EQ(position.status().code(), code) << text << "\n" << position.status();
  EXPECT_THAT(std::string(position.status().message()), HasSubstr(part)) << text;
}

TEST(ConnectOffset, IsReadFromTheOffsetAlone) { ExpectPosition(kOffset, kCommit, ""); }

TEST(ConnectOffset, IsReadFromTheAnswerOfTheRestApi) {
  ExpectPosition(
      std::string(R"({"offsets":[{"partition":{"server":"shop"},"offset":)") + kOffset + "}]}",
      kCommit, "server 'shop'");
}

TEST(ConnectOffset, IsReadFromARecordInEachShape) {
  const std::string owner = "server 'shop' of connector 'orders'";
  const std::string key = Key("orders", "shop");
  ExpectPosition(key + "\t" + kOffset + "\n", kCommit, owner);
  ExpectPosition("[" + key + "," + kOffset + "]", kCommit, owner);
  ExpectPosition("{\"key\":" + key + ",\"value\":" + kOffset + "}", kCommit, owner);
  // As kcat -J prints it.
  ExpectPosition(R"({"topic":"connect-offsets","partition":3,"offset":7,)"
                 R"("key":"[\"orders\",{\"server\":\"shop\"}]","payload":"{\"lsn_commit\":5}"})",
                 Lsn(5), owner);
}

TEST(ConnectOffset, OfSeveralRecordsOfOnePartitionIsTheLast) {
  const std::string key = Key("orders", "shop");
  ExpectPosition(key + "\t" + Offset("5") + "\n" + key + "\t" + Offset("7") + "\n", Lsn(7),
                 "server 'shop' of connector 'orders'");
  ExpectPosition(Key("old", "x") + "\t" + Offset("5") + "\n" + key + "\t" + Offset("7") + "\n" +
                     Key("old", "x") + "\tnull\n",
                 Lsn(7), "server 'shop' of connector 'orders'");
}

TEST(ConnectOffset, TakesTheWholeRangeOf64BitsAsNumberAndAsText) {
  ExpectPosition(Offset("18446744073709551615"), Lsn(18446744073709551615u), "");
  ExpectPosition(Offset("\"9223372036854775808\""), Lsn(9223372036854775808u), "");
}

TEST(ConnectOffset, RefusesALsnCommitThatIsNone) {
  for (const char* bad :
       {"-1", "0", "1.5", "1e9", "\"16/B374D848\"", "\"\"", "true", "[]", "18446744073709551616"}) {
    ExpectError(Offset(bad), absl::StatusCode::kInvalidArgument, "lsn_commit is not an LSN");
  }
}

TEST(ConnectOffset, WithoutLsnCommitSaysWhatThatMeansAndUsesNoOther) {
  for (const char* text : {R"({"lsn":22118200,"lsn_proc":22118056})", R"({"lsn_commit":null})"}) {
    ExpectError(text, absl::StatusCode::kFailedPrecondition, "has not finished a transaction");
  }
}

TEST(ConnectOffset, RefusesASnapshotThatIsNotOver) {
  for (const char* flag : {R"("snapshot":true)", R"("snapshot":"INITIAL")", R"("snapshot":"true")",
                           R"("last_snapshot_record":false)", R"("last_snapshot_record":true)"}) {
    ExpectError(std::string(R"({"lsn_commit":5,)") + flag + "}",
                absl::StatusCode::kFailedPrecondition, "snapshot");
  }
  for (const char* flag : {R"("snapshot":false)", R"("snapshot":null)", R"("snapshot":"false")"}) {
    ExpectPosition(std::string(R"({"lsn_commit":5,)") + flag + "}", Lsn(5), "");
  }
}

TEST(ConnectOffset, OfSeveralPartitionsIsTakenOnlyWhenTheyAgree) {
  const std::string two = Key("a", "shop") + Offset("5") + Key("b", "stock");
  ExpectPosition(two + Offset("5"), Lsn(5), "server 'shop' of connector 'a'");
  ExpectError(two + Offset("6"), absl::StatusCode::kInvalidArgument,
              "0/5 is of server 'shop' of connector 'a', 0/6 is of server 'stock' of connector "
              "'b'");
}

TEST(ConnectOffset, RefusesTextThatIsNoOffsetAndDoesNotRepeatIt) {
  for (const char* text :
       {"", "  ", "null", "7", "[]", "{}", "{\"password\":\"hunter2\"}", "{\"offsets\":[]}",
        "{\"offsets\":[\"hunter2\"]}", "{\"key\":\"hunter2\",\"value\":\"{}\"}",
        "{\"lsn_commit\":5", "hunter2", "[\"c\",{\"server\":\"hunter2\"}]",
        "[\"c\",{\"server\":\"x\"}]\t7", "{\"lsn_commit\":5}|x"}) {
    const auto position = ParseConnectOffset(text);
    EXPECT_TRUE(absl::IsInvalidArgument(position.status())) << text << position.status();
    EXPECT_THAT(
        std::string(position.status().message()),
        AllOf(HasSubstr("--connect-offset: "), HasSubstr("; hint: "), Not(HasSubstr("hunter2"))));
  }
}

TEST(ConnectOffset, OfAnArgumentThatIsNoJsonIsInAFile) {
  const std::string path = testing::TempDir() + "walpost-offset-test.json";
  std::ofstream(path) << kOffset;
  const auto position = ReadConnectOffset(path);
  ASSERT_TRUE(position.ok()) << position.status();
  EXPECT_EQ(position->lsn_commit, kCommit);
  std::remove(path.c_str());
  EXPECT_THAT(std::string(ReadConnectOffset(path).status().message()), HasSubstr("cannot read"));
  EXPECT_TRUE(absl::IsInvalidArgument(ReadConnectOffset(testing::TempDir()).status()));
  EXPECT_EQ(ReadConnectOffset(std::string(" ") + kOffset)->lsn_commit, kCommit);
}

TEST(ConnectOffset, RefusesBracketsWithoutEnd) {
  const std::string open(1 << 20, '[');
  EXPECT_TRUE(absl::IsInvalidArgument(ParseConnectOffset(open).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      ParseConnectOffset(open + Offset("5") + std::string(1 << 20, ']')).status()));
  ExpectPosition("[[[" + Offset("5") + "]]]", Lsn(5), "");
  std::string nested = Offset("5");
  for (int i = 0; i < 20; ++i) nested = "{\"offsets\":[" + nested + "]}";
  ExpectError(nested, absl::StatusCode::kInvalidArgument, "nested too deeply");
}

// What Java writes for a java.util.HashMap of byte arrays.
class JavaFile {
 public:
  JavaFile& Array(const std::string& text) {
    body_.Raw("u");
    if (described_) {
      body_.Raw("q").Int(0x007e0002);
    } else {
      body_.Raw("r").Int(std::int16_t{2}).Raw("[B").Int(0xacf317f8060854e0u);
      body_.Int(std::int8_t{2}).Int(std::int16_t{0}).Raw("xp");
    }
    described_ = true;
    body_.Int(static_cast<std::int32_t>(text.size())).Raw(text);
    return *this;
  }
  JavaFile& Null() {
    body_.Raw("p");
    return *this;
  }
  std::string Build(std::int32_t entries, std::string_view class_name = "java.util.HashMap") const {
    test::Bytes out;
    out.Int(0xaced0005).Raw("sr").Int(static_cast<std::int16_t>(class_name.size()));
    out.Raw(class_name).Int(0x0507dac1c31660d1).Int(std::int8_t{3}).Int(std::int16_t{2});
    out.Raw("F").Int(std::int16_t{10}).Raw("loadFactor");
    out.Raw("I").Int(std::int16_t{9}).Raw("threshold").Raw("xp");
    out.Int(0x3f400000).Int(12).Raw("w").Int(std::int8_t{8}).Int(16).Int(entries);
    return out.Raw(body_.str()).Raw("x");
  }

 private:
  test::Bytes body_;
  bool described_ = false;
};

TEST(ConnectOffset, IsReadFromTheFileOfAStandaloneWorker) {
  ExpectPosition(JavaFile().Array(Key("orders", "shop")).Array(Offset("5")).Build(1), Lsn(5),
                 "server 'shop' of connector 'orders'");
  ExpectPosition(JavaFile()
                     .Array(Key("gone", "x"))
                     .Null()
                     .Array(Key("orders", "shop"))
                     .Array(Offset("5"))
                     .Build(2),
                 Lsn(5), "server 'shop' of connector 'orders'");
}

TEST(ConnectOffset, OfATruncatedFileIsAnErrorAtEachByte) {
  const std::string whole = JavaFile().Array(Key("orders", "shop")).Array(Offset("5")).Build(1);
  // The end mark is not read.
  for (std::size_t n = 0; n + 1 < whole.size(); ++n) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseConnectOffset(whole.substr(0, n)).status())) << n;
  }
}

TEST(ConnectOffset, OfAFileThatLiesAboutItsSizeIsAnError) {
  const JavaFile one = JavaFile().Array(Key("orders", "shop")).Array(Offset("5"));
  EXPECT_TRUE(absl::IsInvalidArgument(ParseConnectOffset(one.Build(2)).status()));
  EXPECT_THAT(std::string(ParseConnectOffset(one.Build(1, "java.util.TreeMap")).status().message()),
              HasSubstr("not of a Kafka Connect offset file"));
}

}  // namespace
}  // namespace walpost::cli
