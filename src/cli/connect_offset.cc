#include "cli/connect_offset.h"

#include <absl/status/status.h>
#include <absl/strings/ascii.h>
#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "base/strings.h"
#include "cli/java_offset_file.h"
#include "config/value_text.h"

namespace walpost::cli {
namespace {

using absl::InvalidArgumentError;
using absl::StrCat;
using rapidjson::Document;
using rapidjson::Value;

constexpr std::size_t kLargestFile = std::size_t{16} << 20;
// A record in an array in `offsets` is three deep.
constexpr int kDeepest = 8;
// Not by recursion, which brackets without end would carry too far.
constexpr unsigned kParse = rapidjson::kParseIterativeFlag;

absl::Status NotAnOffset(std::string_view why) {
  return InvalidArgumentError(
      StrCat("--connect-offset: ", ToAbsl(why),
             "; hint: give the answer of GET /connectors/NAME/offsets, or a record of the offsets "
             "topic, key and value"));
}

const Value* Find(const Value& object, const char* name) {
  if (!object.IsObject()) return nullptr;
  auto found = object.FindMember(name);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

std::string TextOf(const Value* value) {
  if (value == nullptr || !value->IsString()) return "";
  return std::string(value->GetString(), value->GetStringLength());
}

bool IsSet(const Value* value) {
  if (value == nullptr || value->IsNull() || value->IsFalse()) return false;
  return TextOf(value) != "false";
}

// The source partition that an offset belongs to.
struct Partition {
  std::string connector;
  std::string server;
  auto operator<=>(const Partition&) const = default;

  std::string ToString() const {
    std::string out = server.empty() ? "" : StrCat("server ", config::Quoted(server));
    if (connector.empty()) return out;
    return StrCat(out, out.empty() ? "" : " of ", "connector ", config::Quoted(connector));
  }
};

// `["connector",{"server":"prefix"}]`
bool IsRecordKey(const Value& value) {
  return value.IsArray() && value.Size() == 2 && value[0].IsString() && value[1].IsObject();
}

// Takes the offsets out of documents of any of the shapes.
class OffsetReader {
 public:
  absl::Status ReadText(std::string_view text) {
    rapidjson::MemoryStream stream(text.data(), text.size());
    while (true) {
      while (stream.Peek() != '\0' &&
             absl::ascii_isspace(static_cast<unsigned char>(stream.Peek()))) {
        stream.Take();
      }
      if (stream.Tell() >= text.size()) break;
      Document document;
      document.ParseStream<kParse | rapidjson::kParseStopWhenDoneFlag>(stream);
      if (document.HasParseError()) {
        return NotAnOffset(StrCat("it is not JSON at byte ", document.GetErrorOffset(), ": ",
                                  rapidjson::GetParseError_En(document.GetParseError())));
      }
      WALPOST_RETURN_IF_ERROR(Take(document, 0));
    }
    if (key_.has_value()) return NotAnOffset("a record has a key and no value");
    return absl::OkStatus();
  }

  absl::Status ReadJavaFile(std::string_view bytes) {
    auto entries = ReadJavaOffsetFile(bytes);
    if (!entries.ok()) return NotAnOffset(ToStd(entries.status().message()));
    for (const auto& [key, value] : *entries) {
      WALPOST_RETURN_IF_ERROR(ReadText(StrCat(ToAbsl(key), "\n", ToAbsl(value.value_or("null")))));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<ConnectPosition> Result() const;

 private:
  // What one offset says, without the text that it was read from.
  struct Offset {
    std::optional<Lsn> lsn_commit;
    bool in_snapshot = false;
  };

  // `depth` counts what lies around the value.
  absl::Status Take(const Value& value, int depth);
  absl::Status TakeObject(const Value& object, int depth);
  absl::Status TakeRecord(const Value& key, const Value& value, int depth);
  absl::Status TakeOffset(const Partition& partition, const Value& offset);
  static absl::StatusOr<Offset> ReadOffset(const Value& offset);
  static absl::StatusOr<ConnectPosition> PositionOf(const Partition& partition,
                                                    const Offset& offset);

  // Of a record whose value is the next document.
  std::optional<Partition> key_;
  std::map<Partition, Offset> offsets_;
};

absl::Status OffsetReader::Take(const Value& value, int depth) {
  if (depth > kDeepest) return NotAnOffset("it is nested too deeply");
  if (key_.has_value()) {
    const Partition partition = *std::exchange(key_, std::nullopt);
    return TakeOffset(partition, value);
  }
  if (IsRecordKey(value)) {
    key_ = Partition{TextOf(&value[0]), TextOf(Find(value[1], "server"))};
    return absl::OkStatus();
  }
  if (value.IsObject()) return TakeObject(value, depth);
  if (!value.IsArray() || value.Empty()) return NotAnOffset("it holds no offset of a connector");
  for (const Value& element : value.GetArray()) WALPOST_RETURN_IF_ERROR(Take(element, depth + 1));
  return absl::OkStatus();
}

absl::Status OffsetReader::TakeObject(const Value& object, int depth) {
  if (const Value* list = Find(object, "offsets"); list != nullptr && list->IsArray()) {
    for (const Value& element : list->GetArray()) {
      if (!element.IsObject()) return NotAnOffset("an element of 'offsets' is not an object");
      WALPOST_RETURN_IF_ERROR(Take(element, depth + 1));
    }
    return absl::OkStatus();
  }
  const Value* partition = Find(object, "partition");
  if (const Value* offset = Find(object, "offset"); partition != nullptr && offset != nullptr) {
    // In a console's dump `partition` and `offset` are numbers, those of the record.
    if (partition->IsObject()) return TakeOffset({"", TextOf(Find(*partition, "server"))}, *offset);
  }
  const Value* key = Find(object, "key");
  const Value* payload = Find(object, "payload");
  const Value* value = payload != nullptr ? payload : Find(object, "value");
  if (key != nullptr && value != nullptr) return TakeRecord(*key, *value, depth);
  for (const char* name : {"lsn", "lsn_commit", "lsn_proc"}) {
    if (Find(object, name) != nullptr) return TakeOffset({}, object);
  }
  return NotAnOffset("it holds no offset of a Debezium connector for PostgreSQL");
}

// Either may be JSON within a string.
absl::Status OffsetReader::TakeRecord(const Value& key, const Value& value, int depth) {
  Document inner_key;
  if (key.IsString()) inner_key.Parse<kParse>(key.GetString(), key.GetStringLength());
  const Value& real_key = key.IsString() ? inner_key : key;
  if (inner_key.HasParseError() || !IsRecordKey(real_key)) {
    return NotAnOffset("the key of a record is not that of a connector's offset");
  }
  WALPOST_RETURN_IF_ERROR(Take(real_key, depth + 1));
  Document inner_value;
  if (value.IsString()) inner_value.Parse<kParse>(value.GetString(), value.GetStringLength());
  if (inner_value.HasParseError()) return NotAnOffset("the value of a record is not JSON");
  return Take(value.IsString() ? inner_value : value, depth + 1);
}

absl::Status OffsetReader::TakeOffset(const Partition& partition, const Value& offset) {
  // Connect deletes an offset with a null.
  if (offset.IsNull()) {
    offsets_.erase(partition);
    return absl::OkStatus();
  }
  if (!offset.IsObject()) return NotAnOffset("an offset is not an object");
  WALPOST_ASSIGN_OR_RETURN(offsets_[partition], ReadOffset(offset));
  return absl::OkStatus();
}

absl::StatusOr<OffsetReader::Offset> OffsetReader::ReadOffset(const Value& offset) {
  Offset out;
  const Value* last = Find(offset, "last_snapshot_record");
  out.in_snapshot = IsSet(Find(offset, "snapshot")) || (last != nullptr && !last->IsNull());
  const Value* commit = Find(offset, "lsn_commit");
  if (commit == nullptr || commit->IsNull()) return out;
  std::uint64_t number = 0;
  const bool read =
      commit->IsUint64() || (commit->IsString() && absl::SimpleAtoi(TextOf(commit), &number));
  if (commit->IsUint64()) number = commit->GetUint64();
  if (!read || number == 0) {
    return NotAnOffset("lsn_commit is not an LSN in decimal digits");
  }
  out.lsn_commit = Lsn(number);
  return out;
}

absl::StatusOr<ConnectPosition> OffsetReader::PositionOf(const Partition& partition,
                                                         const Offset& offset) {
  const std::string whose = partition.ToString();
  const std::string object = StrCat("the offset", whose.empty() ? "" : " of ", whose);
  if (offset.in_snapshot) {
    return absl::FailedPreconditionError(
        StrCat(object,
               " is one of a snapshot, which is not at a place in the log; hint: let the connector "
               "finish its snapshot and publish one row more, then stop it and read the offset "
               "again, or leave the slot where it is: rows come twice then, and none is lost"));
  }
  if (!offset.lsn_commit.has_value()) {
    return absl::FailedPreconditionError(
        StrCat(object,
               " has no lsn_commit: the connector has not finished a transaction yet; hint: leave "
               "the slot where it is, walpost run goes on from there"));
  }
  return ConnectPosition{*offset.lsn_commit, whose};
}

absl::StatusOr<ConnectPosition> OffsetReader::Result() const {
  if (offsets_.empty()) return NotAnOffset("it holds no offset of a connector");
  std::vector<ConnectPosition> all;
  for (const auto& [partition, offset] : offsets_) {
    WALPOST_ASSIGN_OR_RETURN(ConnectPosition position, PositionOf(partition, offset));
    all.push_back(std::move(position));
  }
  std::string list;
  bool agree = true;
  for (const ConnectPosition& position : all) {
    agree = agree && position.lsn_commit == all.front().lsn_commit;
    absl::StrAppend(&list, list.empty() ? "" : ", ", position.lsn_commit.ToString(), " is of ",
                    position.owner.empty() ? "an unnamed one" : position.owner);
  }
  if (agree) return all.front();
  return InvalidArgumentError(
      StrCat("--connect-offset: it holds the offsets of several connectors: ", list,
             "; hint: give the one whose slot this is, or its position with --to"));
}

}  // namespace

absl::StatusOr<ConnectPosition> ParseConnectOffset(std::string_view text) {
  OffsetReader reader;
  WALPOST_RETURN_IF_ERROR(IsJavaStream(text) ? reader.ReadJavaFile(text) : reader.ReadText(text));
  return reader.Result();
}

absl::StatusOr<ConnectPosition> ReadConnectOffset(const std::string& file_or_json) {
  const std::string_view text = ToStd(absl::StripLeadingAsciiWhitespace(file_or_json));
  if (text.starts_with("{") || text.starts_with("[")) return ParseConnectOffset(text);
  std::ifstream file(file_or_json, std::ios::binary);
  std::string content(kLargestFile, '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(static_cast<std::size_t>(file.gcount()));
  if (!file.is_open() || file.bad()) {
    return NotAnOffset(StrCat("cannot read ", config::Quoted(file_or_json)));
  }
  if (content.size() == kLargestFile) return NotAnOffset("the file is too large");
  return ParseConnectOffset(content);
}

}  // namespace walpost::cli
