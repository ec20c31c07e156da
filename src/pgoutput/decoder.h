#ifndef WALPOST_PGOUTPUT_DECODER_H_
#define WALPOST_PGOUTPUT_DECODER_H_

#include <absl/status/statusor.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "pgoutput/message.h"
#include "pgoutput/relation_cache.h"

namespace walpost::pgoutput {

// Turns the bytes of one pgoutput message (protocol version 1, text or binary columns) into a
// value, and remembers the relations, without which a row cannot be read.
//
// Whatever is unknown, too short, too long or out of place is kDataLoss with the offset: an event
// that we cannot read must not be passed over. No allocation for a row once the scratch space has
// grown to the widest table.
//
// One decoder for one stream: the server describes its relations anew in each. Not thread-safe.
class Decoder {
 public:
  // The message is valid until the next call.
  absl::StatusOr<Message> Decode(std::string_view bytes);

  // Forgets every relation; for a new stream.
  void Reset();

 private:
  absl::StatusOr<Message> DecodeRelation(ByteReader& reader);
  absl::StatusOr<Message> DecodeInsert(ByteReader& reader);
  absl::StatusOr<Message> DecodeUpdate(ByteReader& reader);
  absl::StatusOr<Message> DecodeDelete(ByteReader& reader);
  absl::StatusOr<Message> DecodeTruncate(ByteReader& reader);
  absl::StatusOr<const Relation*> FindRelation(ByteReader& reader);
  absl::Status DecodeTuple(ByteReader& reader, const Relation& relation,
                           std::vector<ColumnValue>& out);

  RelationCache relations_;
  std::vector<ColumnValue> row_;
  std::vector<ColumnValue> old_row_;
  std::vector<std::uint32_t> relation_ids_;
};

}  // namespace walpost::pgoutput

#endif  // WALPOST_PGOUTPUT_DECODER_H_
