#include "pgoutput/decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "support/message_builder.h"

namespace walpost::pgoutput {
namespace {

using test::Bytes;
using test::Field;

constexpr std::uint32_t kOutbox = 16385;

// A decoder that has been told of public.outbox(id, payload).
class DecoderTest : public testing::Test {
 protected:
  DecoderTest() {
    Must(test::RelationMessage(kOutbox, "public", "outbox", {{"id", 2950}, {"payload", 3802}}));
  }

  Message Must(const std::string& bytes) {
    bytes_ = bytes;  // the message's views point into it
    auto message = decoder_.Decode(bytes_);
    EXPECT_TRUE(message.ok()) << message.status();
    return message.ok() ? *message : Message(Begin{});
  }
  void ExpectRefused(const std::string& bytes) {
    EXPECT_TRUE(absl::IsDataLoss(decoder_.Decode(bytes).status())) << testing::PrintToString(bytes);
  }

  Decoder decoder_;
  std::string bytes_;
};

TEST_F(DecoderTest, ReadsBegin) {
  const auto begin = std::get<Begin>(Must(test::BeginMessage(0x1000, 123456, 99)));
  EXPECT_EQ(begin.final_lsn, Lsn(0x1000));
  EXPECT_EQ(begin.commit_time_us, 123456);
  EXPECT_EQ(begin.xid, 99u);
}

TEST_F(DecoderTest, ReadsCommitWithItsEnd) {
  const auto commit = std::get<Commit>(Must(test::CommitMessage(0x1000, 0x1030, -5)));
  EXPECT_EQ(commit.commit_lsn, Lsn(0x1000));
  EXPECT_EQ(commit.end_lsn, Lsn(0x1030));
  EXPECT_EQ(commit.commit_time_us, -5);
}

TEST_F(DecoderTest, RefusesACommitWithUnknownFlags) {
  ExpectRefused(Bytes()
                    .Raw("C")
                    .Int(std::uint8_t{1})
                    .Int(std::uint64_t{1})
                    .Int(std::uint64_t{2})
                    .Int(std::int64_t{0}));
}

TEST_F(DecoderTest, ReadsOrigin) {
  const auto origin = std::get<Origin>(Must(test::OriginMessage(77, "node_a")));
  EXPECT_EQ(origin.commit_lsn, Lsn(77));
  EXPECT_EQ(origin.name, "node_a");
}

TEST_F(DecoderTest, ReadsRelationWithItsColumns) {
  const auto* relation = std::get<const Relation*>(Must(
      test::RelationMessage(5, "My Schema", "OutboxMessages", {{"Id", 2950}, {"Payload", 25}})));
  EXPECT_EQ(relation->id, 5u);
  EXPECT_EQ(relation->schema, "My Schema");
  EXPECT_EQ(relation->name, "OutboxMessages");
  ASSERT_EQ(relation->columns.size(), 2u);
  EXPECT_EQ(relation->columns[1].name, "Payload");
  EXPECT_EQ(relation->columns[1].type_oid, 25u);
  EXPECT_EQ(relation->columns[1].type_modifier, -1);
}

TEST_F(DecoderTest, ReadsAnEmptySchemaAsPgCatalog) {
  const auto* relation = std::get<const Relation*>(Must(test::RelationMessage(5, "", "t", {})));
  EXPECT_EQ(relation->schema, "pg_catalog");
}

TEST_F(DecoderTest, ARepeatedRelationReplacesTheOneBefore) {
  Must(test::RelationMessage(kOutbox, "public", "outbox", {{"id"}, {"payload"}, {"extra"}}));
  const auto insert = std::get<Insert>(Must(test::InsertMessage(kOutbox, {"1", "{}", "x"})));
  EXPECT_EQ(insert.row.size(), 3u);
  ExpectRefused(test::InsertMessage(kOutbox, {"1", "{}"}));
}

TEST_F(DecoderTest, RefusesARelationWithANegativeColumnCount) {
  ExpectRefused(Bytes()
                    .Raw("R")
                    .Int(std::uint32_t{5})
                    .CString("s")
                    .CString("t")
                    .Raw("d")
                    .Int(std::int16_t{-1}));
}

TEST_F(DecoderTest, ReadsType) {
  const auto type = std::get<Type>(Must(test::TypeMessage(16400, "public", "status")));
  EXPECT_EQ(type.oid, 16400u);
  EXPECT_EQ(type.name, "status");
}

TEST_F(DecoderTest, ReadsInsertWithNullEmptyAndTextValues) {
  const auto insert =
      std::get<Insert>(Must(test::InsertMessage(kOutbox, {Field(""), std::nullopt})));
  EXPECT_EQ(insert.relation->name, "outbox");
  EXPECT_EQ(insert.row[0].kind, ValueKind::kText);
  EXPECT_EQ(insert.row[0].bytes, "");
  EXPECT_EQ(insert.row[1].kind, ValueKind::kNull);
}

TEST_F(DecoderTest, ReadsUnchangedAndBinaryValues) {
  const auto insert = std::get<Insert>(Must(Bytes()
                                                .Raw("I")
                                                .Int(kOutbox)
                                                .Raw("N")
                                                .Int(std::int16_t{2})
                                                .Raw("ub")
                                                .Int(std::uint32_t{3})
                                                .Raw(std::string_view("a\0b", 3))));
  EXPECT_EQ(insert.row[0].kind, ValueKind::kUnchanged);
  EXPECT_EQ(insert.row[1].kind, ValueKind::kBinary);
  EXPECT_EQ(insert.row[1].bytes, std::string_view("a\0b", 3));
}

TEST_F(DecoderTest, ReadsUpdateWithAndWithoutAnOldTuple) {
  for (char old : {'\0', 'K', 'O'}) {
    const auto update = std::get<Update>(Must(test::UpdateMessage(kOutbox, {"1", "new"}, old)));
    EXPECT_EQ(update.row[1].bytes, "new");
  }
}

TEST_F(DecoderTest, ReadsDeleteByKeyAndByFullRow) {
  for (char old : {'K', 'O'}) {
    const auto gone =
        std::get<Delete>(Must(test::DeleteMessage(kOutbox, {"1", std::nullopt}, old)));
    EXPECT_EQ(gone.relation->name, "outbox");
  }
}

TEST_F(DecoderTest, ReadsTruncateOfSeveralTables) {
  const auto truncate = std::get<Truncate>(Must(test::TruncateMessage({1, 2, 3}, 3)));
  EXPECT_THAT(
      std::vector<std::uint32_t>(truncate.relation_ids.begin(), truncate.relation_ids.end()),
      testing::ElementsAre(1, 2, 3));
  EXPECT_TRUE(truncate.cascade);
  EXPECT_TRUE(truncate.restart_identity);
}

TEST_F(DecoderTest, ReadsALogicalMessage) {
  const auto message =
      std::get<LogicalMessage>(Must(test::LogicalMessageBytes(1, 9, "walpost", "body")));
  EXPECT_TRUE(message.transactional);
  EXPECT_EQ(message.lsn, Lsn(9));
  EXPECT_EQ(message.prefix, "walpost");
  EXPECT_EQ(message.content, "body");
}

TEST_F(DecoderTest, RefusesALogicalMessageWithUnknownFlags) {
  ExpectRefused(test::LogicalMessageBytes(2, 9, "walpost", "body"));
}

TEST_F(DecoderTest, RefusesEveryMessageCutAtAnyByteOrWithABytesLeftOver) {
  const std::vector<std::string> whole = {
      test::BeginMessage(1),
      test::CommitMessage(1, 2),
      test::OriginMessage(1, "n"),
      test::RelationMessage(9, "s", "t", {{"a"}, {"b"}}),
      test::TypeMessage(1, "s", "t"),
      test::InsertMessage(kOutbox, {"id", "{}"}),
      test::UpdateMessage(kOutbox, {"id", "{}"}, 'O'),
      test::DeleteMessage(kOutbox, {"id", std::nullopt}),
      test::TruncateMessage({1, 2}),
      test::LogicalMessageBytes(0, 1, "p", "content"),
  };
  for (const std::string& message : whole) {
    for (std::size_t n = 0; n < message.size(); ++n) ExpectRefused(message.substr(0, n));
    ExpectRefused(message + "x");
  }
}

TEST_F(DecoderTest, RefusesEveryUnknownTypeStreamingAndTwoPhaseIncluded) {
  const std::set<int> known = {'B', 'C', 'O', 'R', 'Y', 'I', 'U', 'D', 'T', 'M'};
  for (int type = 0; type < 256; ++type) {
    if (!known.contains(type))
      ExpectRefused(std::string(1, static_cast<char>(type)) + std::string(40, '\0'));
  }
}

TEST_F(DecoderTest, RefusesARowOfARelationItWasNotToldOf) {
  ExpectRefused(test::InsertMessage(4711, {"1", "2"}));
}

TEST_F(DecoderTest, RefusesARowAfterReset) {
  decoder_.Reset();
  ExpectRefused(test::InsertMessage(kOutbox, {"1", "{}"}));
}

TEST_F(DecoderTest, RefusesATupleOfAnotherWidth) {
  ExpectRefused(test::InsertMessage(kOutbox, {"1"}));
  ExpectRefused(test::InsertMessage(kOutbox, {"1", "2", "3"}));
  ExpectRefused(Bytes().Raw("I").Int(kOutbox).Raw("N").Int(std::int16_t{-2}));
}

TEST_F(DecoderTest, RefusesAValueWhoseLengthLies) {
  for (std::uint32_t length : {3u, 0x7fffffffu, 0xffffffffu}) {
    ExpectRefused(Bytes()
                      .Raw("I")
                      .Int(kOutbox)
                      .Raw("N")
                      .Int(std::int16_t{2})
                      .Raw("nt")
                      .Int(length)
                      .Raw("ab"));
  }
}

TEST_F(DecoderTest, RefusesATruncateWhoseCountLies) {
  ExpectRefused(
      Bytes().Raw("T").Int(std::uint32_t{0xffffffff}).Int(std::uint8_t{0}).Int(std::uint32_t{1}));
}

TEST_F(DecoderTest, RefusesWrongTagsInsideRows) {
  ExpectRefused(Bytes().Raw("I").Int(kOutbox).Raw("K").Raw(test::TupleBytes({"1", "2"})));
  ExpectRefused(Bytes().Raw("U").Int(kOutbox).Raw("X").Raw(test::TupleBytes({"1", "2"})));
  ExpectRefused(Bytes()
                    .Raw("U")
                    .Int(kOutbox)
                    .Raw("K")
                    .Raw(test::TupleBytes({"1", "2"}))
                    .Raw("K")
                    .Raw(test::TupleBytes({"1", "2"})));
  ExpectRefused(Bytes().Raw("D").Int(kOutbox).Raw("N").Raw(test::TupleBytes({"1", "2"})));
  ExpectRefused(Bytes().Raw("I").Int(kOutbox).Raw("N").Int(std::int16_t{2}).Raw("nz"));
}

TEST_F(DecoderTest, SaysWhereAMessageBroke) {
  const auto status = decoder_.Decode(test::BeginMessage(1).substr(0, 10)).status();
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("Begin"));
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("byte 9"));
}

TEST_F(DecoderTest, FindsTheRightRelationWhenTablesAlternate) {
  Must(test::RelationMessage(6, "public", "audit", {{"a"}}));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(std::get<Insert>(Must(test::InsertMessage(6, {"x"}))).relation->name, "audit");
    EXPECT_EQ(std::get<Insert>(Must(test::InsertMessage(kOutbox, {"1", "2"}))).relation->name,
              "outbox");
  }
}

}  // namespace
}  // namespace walpost::pgoutput
