#ifndef WALPOST_SUPPORT_MESSAGE_BUILDER_H_
#define WALPOST_SUPPORT_MESSAGE_BUILDER_H_

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Builds the bytes of replication frames and pgoutput messages as a server would send them.
namespace walpost::test {

class Bytes {
 public:
  template <std::integral T>
  Bytes& Int(T value) {
    for (int shift = 8 * (static_cast<int>(sizeof(T)) - 1); shift >= 0; shift -= 8) {
      out_.push_back(static_cast<char>((static_cast<std::uint64_t>(value) >> shift) & 0xff));
    }
    return *this;
  }
  Bytes& Raw(std::string_view bytes) {
    out_.append(bytes);
    return *this;
  }
  Bytes& CString(std::string_view text) {
    out_.append(text);
    out_.push_back('\0');
    return *this;
  }
  std::string str() const { return out_; }
  operator std::string() const { return out_; }  // NOLINT(google-explicit-constructor)

 private:
  std::string out_;
};

using Field = std::optional<std::string>;

inline std::string BeginMessage(std::uint64_t final_lsn, std::int64_t time_us = 0,
                                std::uint32_t xid = 7) {
  return Bytes().Raw("B").Int(final_lsn).Int(time_us).Int(xid);
}

inline std::string CommitMessage(std::uint64_t commit_lsn, std::uint64_t end_lsn,
                                 std::int64_t time_us = 0) {
  return Bytes().Raw("C").Int(std::uint8_t{0}).Int(commit_lsn).Int(end_lsn).Int(time_us);
}

struct ColumnSpec {
  std::string name;
  std::uint32_t type_oid = 25;
};

inline std::string RelationMessage(std::uint32_t id, std::string_view schema, std::string_view name,
                                   const std::vector<ColumnSpec>& columns) {
  Bytes out;
  out.Raw("R").Int(id).CString(schema).CString(name).Raw("d").Int(
      static_cast<std::int16_t>(columns.size()));
  for (const ColumnSpec& column : columns) {
    out.Int(std::uint8_t{0}).CString(column.name).Int(column.type_oid).Int(std::int32_t{-1});
  }
  return out;
}

inline std::string TupleBytes(const std::vector<Field>& row) {
  Bytes out;
  out.Int(static_cast<std::int16_t>(row.size()));
  for (const Field& field : row) {
    if (field) {
      out.Raw("t").Int(static_cast<std::int32_t>(field->size())).Raw(*field);
    } else {
      out.Raw("n");
    }
  }
  return out;
}

inline std::string InsertMessage(std::uint32_t relation, const std::vector<Field>& row) {
  return Bytes().Raw("I").Int(relation).Raw("N").Raw(TupleBytes(row));
}

// `old` is 'K', 'O' or 0 for none.
inline std::string UpdateMessage(std::uint32_t relation, const std::vector<Field>& row,
                                 char old = 0) {
  Bytes out;
  out.Raw("U").Int(relation);
  if (old != 0) out.Raw(std::string(1, old)).Raw(TupleBytes(row));
  return out.Raw("N").Raw(TupleBytes(row));
}

inline std::string DeleteMessage(std::uint32_t relation, const std::vector<Field>& row,
                                 char old = 'K') {
  return Bytes().Raw("D").Int(relation).Raw(std::string(1, old)).Raw(TupleBytes(row));
}

inline std::string TruncateMessage(const std::vector<std::uint32_t>& relations,
                                   std::uint8_t options = 0) {
  Bytes out;
  out.Raw("T").Int(static_cast<std::uint32_t>(relations.size())).Int(options);
  for (std::uint32_t id : relations) out.Int(id);
  return out;
}

inline std::string OriginMessage(std::uint64_t lsn, std::string_view name) {
  return Bytes().Raw("O").Int(lsn).CString(name);
}

inline std::string TypeMessage(std::uint32_t oid, std::string_view schema, std::string_view name) {
  return Bytes().Raw("Y").Int(oid).CString(schema).CString(name);
}

inline std::string LogicalMessageBytes(std::uint8_t flags, std::uint64_t lsn,
                                       std::string_view prefix, std::string_view content) {
  return Bytes()
      .Raw("M")
      .Int(flags)
      .Int(lsn)
      .CString(prefix)
      .Int(static_cast<std::uint32_t>(content.size()))
      .Raw(content);
}

inline std::string XLogDataFrame(std::uint64_t start, std::string_view payload) {
  return Bytes().Raw("w").Int(start).Int(start).Int(std::int64_t{0}).Raw(payload);
}

inline std::string KeepaliveFrame(std::uint64_t wal_end, bool reply_requested = false) {
  return Bytes().Raw("k").Int(wal_end).Int(std::int64_t{0}).Int(std::uint8_t{reply_requested});
}

}  // namespace walpost::test

#endif  // WALPOST_SUPPORT_MESSAGE_BUILDER_H_
