#include "pgoutput/decoder.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>

#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"

namespace walpost::pgoutput {
namespace {

absl::Status Malformed(std::string_view message, std::string_view what, std::size_t offset) {
  return absl::DataLossError(absl::StrCat("cannot decode pgoutput message ", ToAbsl(message), ": ",
                                          ToAbsl(what), " at byte ", offset));
}

// The layout must fill the message exactly: bytes that are left over mean that we read something
// else than was sent.
absl::StatusOr<Message> Whole(const ByteReader& reader, std::string_view name, Message message) {
  if (!reader.ok()) return Malformed(name, "truncated", reader.offset());
  if (!reader.AtEnd()) return Malformed(name, "bytes left over", reader.offset());
  return message;
}

absl::StatusOr<Message> DecodeBegin(ByteReader& reader) {
  Begin begin;
  begin.final_lsn = Lsn(reader.Read<std::uint64_t>());
  begin.commit_time_us = reader.Read<std::int64_t>();
  begin.xid = reader.Read<std::uint32_t>();
  return Whole(reader, "Begin", begin);
}

absl::StatusOr<Message> DecodeCommit(ByteReader& reader) {
  Commit commit;
  const auto flags = reader.Read<std::uint8_t>();
  if (reader.ok() && flags != 0) return Malformed("Commit", "unknown flags", reader.offset() - 1);
  commit.commit_lsn = Lsn(reader.Read<std::uint64_t>());
  commit.end_lsn = Lsn(reader.Read<std::uint64_t>());
  commit.commit_time_us = reader.Read<std::int64_t>();
  return Whole(reader, "Commit", commit);
}

absl::StatusOr<Message> DecodeOrigin(ByteReader& reader) {
  Origin origin;
  origin.commit_lsn = Lsn(reader.Read<std::uint64_t>());
  origin.name = reader.ReadCString();
  return Whole(reader, "Origin", origin);
}

absl::StatusOr<Message> DecodeType(ByteReader& reader) {
  Type type;
  type.oid = reader.Read<std::uint32_t>();
  type.schema = reader.ReadCString();
  type.name = reader.ReadCString();
  return Whole(reader, "Type", type);
}

absl::StatusOr<Message> DecodeLogicalMessage(ByteReader& reader) {
  LogicalMessage message;
  const auto flags = reader.Read<std::uint8_t>();
  if (reader.ok() && flags > 1) return Malformed("Message", "unknown flags", reader.offset() - 1);
  message.transactional = flags == 1;
  message.lsn = Lsn(reader.Read<std::uint64_t>());
  message.prefix = reader.ReadCString();
  message.content = reader.ReadBytes(reader.Read<std::uint32_t>());
  return Whole(reader, "Message", message);
}

RelationColumn DecodeColumn(ByteReader& reader) {
  RelationColumn column;
  column.is_key = (reader.Read<std::uint8_t>() & 1) != 0;
  column.name = std::string(reader.ReadCString());
  column.type_oid = reader.Read<std::uint32_t>();
  column.type_modifier = reader.Read<std::int32_t>();
  return column;
}

// Expects one byte; false after the reader failed or when it is another.
bool Expect(ByteReader& reader, char wanted) {
  return reader.Read<char>() == wanted && reader.ok();
}

}  // namespace

absl::StatusOr<Message> Decoder::Decode(std::string_view bytes) {
  ByteReader reader(bytes);
  const char type = reader.Read<char>();
  if (!reader.ok()) return Malformed("", "no bytes", 0);
  switch (type) {
    case 'I':
      return DecodeInsert(reader);
    case 'B':
      return DecodeBegin(reader);
    case 'C':
      return DecodeCommit(reader);
    case 'R':
      return DecodeRelation(reader);
    case 'Y':
      return DecodeType(reader);
    case 'U':
      return DecodeUpdate(reader);
    case 'D':
      return DecodeDelete(reader);
    case 'T':
      return DecodeTruncate(reader);
    case 'O':
      return DecodeOrigin(reader);
    case 'M':
      return DecodeLogicalMessage(reader);
    default:
      return Malformed(absl::StrCat("of type ", static_cast<int>(static_cast<unsigned char>(type))),
                       "unknown type", 0);
  }
}

void Decoder::Reset() { relations_.Clear(); }

absl::StatusOr<Message> Decoder::DecodeRelation(ByteReader& reader) {
  Relation relation;
  relation.id = reader.Read<std::uint32_t>();
  relation.schema = std::string(reader.ReadCString());
  // The server leaves its own schema out.
  if (relation.schema.empty()) relation.schema = "pg_catalog";
  relation.name = std::string(reader.ReadCString());
  relation.replica_identity = reader.Read<char>();
  const auto count = reader.Read<std::int16_t>();
  if (count < 0) return Malformed("Relation", "negative column count", reader.offset());
  for (std::int16_t i = 0; i < count && reader.ok(); ++i)
    relation.columns.push_back(DecodeColumn(reader));
  WALPOST_RETURN_IF_ERROR(
      Whole(reader, "Relation", static_cast<const Relation*>(nullptr)).status());
  return Message(relations_.Put(std::move(relation)));
}

absl::StatusOr<const Relation*> Decoder::FindRelation(ByteReader& reader) {
  const auto id = reader.Read<std::uint32_t>();
  if (!reader.ok()) return Malformed("for a row", "truncated", reader.offset());
  const Relation* relation = relations_.Find(id);
  if (relation == nullptr) {
    return absl::DataLossError(
        absl::StrCat("row of relation ", id, ", which the stream has not described"));
  }
  return relation;
}

absl::StatusOr<Message> Decoder::DecodeInsert(ByteReader& reader) {
  WALPOST_ASSIGN_OR_RETURN(const Relation* relation, FindRelation(reader));
  if (!Expect(reader, 'N')) return Malformed("Insert", "no new tuple", reader.offset());
  WALPOST_RETURN_IF_ERROR(DecodeTuple(reader, *relation, row_));
  return Whole(reader, "Insert", Insert{relation, row_});
}

absl::StatusOr<Message> Decoder::DecodeUpdate(ByteReader& reader) {
  WALPOST_ASSIGN_OR_RETURN(const Relation* relation, FindRelation(reader));
  char part = reader.Read<char>();
  if (part == 'K' || part == 'O') {
    WALPOST_RETURN_IF_ERROR(DecodeTuple(reader, *relation, old_row_));
    part = reader.Read<char>();
  }
  if (!reader.ok() || part != 'N') return Malformed("Update", "no new tuple", reader.offset());
  WALPOST_RETURN_IF_ERROR(DecodeTuple(reader, *relation, row_));
  return Whole(reader, "Update", Update{relation, row_});
}

absl::StatusOr<Message> Decoder::DecodeDelete(ByteReader& reader) {
  WALPOST_ASSIGN_OR_RETURN(const Relation* relation, FindRelation(reader));
  const char part = reader.Read<char>();
  if (part != 'K' && part != 'O') return Malformed("Delete", "no old tuple", reader.offset());
  WALPOST_RETURN_IF_ERROR(DecodeTuple(reader, *relation, old_row_));
  return Whole(reader, "Delete", Delete{relation});
}

absl::StatusOr<Message> Decoder::DecodeTruncate(ByteReader& reader) {
  const auto count = reader.Read<std::uint32_t>();
  const auto options = reader.Read<std::uint8_t>();
  relation_ids_.clear();
  // A count that lies ends with the bytes, not with the memory.
  for (std::uint32_t i = 0; i < count && reader.ok(); ++i)
    relation_ids_.push_back(reader.Read<std::uint32_t>());
  return Whole(reader, "Truncate", Truncate{(options & 1) != 0, (options & 2) != 0, relation_ids_});
}

absl::Status Decoder::DecodeTuple(ByteReader& reader, const Relation& relation,
                                  std::vector<ColumnValue>& out) {
  const auto count = reader.Read<std::int16_t>();
  if (!reader.ok()) return Malformed("tuple", "truncated", reader.offset());
  // Columns are found by their place in the relation; a tuple of another width belongs to another
  // layout.
  if (count < 0 || static_cast<std::size_t>(count) != relation.columns.size()) {
    return Malformed("tuple",
                     absl::StrCat(count, " columns for a relation of ", relation.columns.size()),
                     reader.offset() - 2);
  }
  out.resize(relation.columns.size());
  for (ColumnValue& value : out) {
    const char kind = reader.Read<char>();
    if (kind == 't' || kind == 'b') {
      value.kind = kind == 't' ? ValueKind::kText : ValueKind::kBinary;
      value.bytes = reader.ReadBytes(reader.Read<std::uint32_t>());
    } else if (kind == 'n' || kind == 'u') {
      value = {kind == 'n' ? ValueKind::kNull : ValueKind::kUnchanged, {}};
    } else {
      return Malformed("tuple", reader.ok() ? "unknown kind of column" : "truncated",
                       reader.offset());
    }
    if (!reader.ok()) return Malformed("tuple", "truncated", reader.offset());
  }
  return absl::OkStatus();
}

}  // namespace walpost::pgoutput
