#ifndef WALPOST_TESTS_SUPPORT_TOPIC_READER_H_
#define WALPOST_TESTS_SUPPORT_TOPIC_READER_H_

#include <absl/time/time.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/rdkafka_ptr.h"

namespace walpost::support {

// One message as it lies in a topic.
struct Record {
  std::string topic;
  int partition = 0;
  std::int64_t offset = 0;
  std::int64_t timestamp_ms = 0;
  std::optional<std::string> key;
  std::optional<std::string> value;
  std::vector<std::pair<std::string, std::optional<std::string>>> headers;

  // Value of the first header of that name; "" without one.
  std::string Header(const std::string& name) const;
  // The header that every preset sends.
  std::string Id() const { return Header("id"); }
};

// Reads topics from their beginning. Keeps all it has read, per partition in order. Not
// thread-safe.
class TopicReader {
 public:
  // The topics must exist.
  TopicReader(const std::string& bootstrap, std::vector<std::string> topics);
  ~TopicReader();

  // Reads until `count` different ids were seen; false at `limit`.
  bool ReadUntilDistinct(std::size_t count, absl::Duration limit);
  // Reads until `count` records were seen; false at `limit`.
  bool ReadUntilCount(std::size_t count, absl::Duration limit);
  // Reads what the topics hold now, as the broker tells; false at `limit`.
  bool ReadToEnd(absl::Duration limit = absl::Seconds(30));

  const std::vector<Record>& records() const { return records_; }
  std::size_t distinct() const { return times_seen_.size(); }
  // Records whose id had been seen before.
  std::size_t duplicates() const { return records_.size() - times_seen_.size(); }
  bool Has(const std::string& id) const { return times_seen_.contains(id); }
  // Nothing when the id was not seen.
  const Record* Find(const std::string& id) const;
  // Ids in the order in which they first appeared; of one partition this is the order of the topic.
  std::vector<std::string> FirstSeen() const;

 private:
  void Assign();
  // Takes one message, if one comes within `limit`.
  void Poll(absl::Duration limit);
  bool AtEnd();

  std::vector<std::string> topics_;
  ClientPtr client_;
  std::vector<Record> records_;
  std::unordered_map<std::string, std::size_t> times_seen_;
  // Offset after the last record read.
  std::map<std::pair<std::string, int>, std::int64_t> next_offset_;
};

}  // namespace walpost::support

#endif  // WALPOST_TESTS_SUPPORT_TOPIC_READER_H_
