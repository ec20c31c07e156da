#ifndef WALPOST_OUTBOX_TOPIC_ROUTER_H_
#define WALPOST_OUTBOX_TOPIC_ROUTER_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;
struct pcre2_real_match_context_8;

namespace walpost::outbox {

// The regular expression and replacement of Kafka Connect's RegexRouter, which Debezium's outbox
// router uses: when the whole value matches, the first match found in it is replaced; when not, the
// value stays as it is. Java's syntax for both: groups by number and name, look-around, possessive
// quantifiers. What PCRE2 reads in another way is refused.
//
// Not thread-safe.
// Source: org.apache.kafka.connect.transforms.RegexRouter, java.util.regex.Matcher
class TopicRouter {
 public:
  // Error: kInvalidArgument, naming the setting, for an expression that does not compile, or that
  // Java would read in another way, and a replacement that names a group which it does not have.
  static absl::StatusOr<std::unique_ptr<TopicRouter>> Compile(const std::string& regex,
                                                              std::string_view replacement);

  // Rewrites `topic`. Error: kInvalidArgument for a value on which the expression takes too long,
  // and for one that is not UTF-8.
  absl::Status Route(std::string& topic);

 private:
  struct Deleter {
    void operator()(pcre2_real_code_8* code) const;
    void operator()(pcre2_real_match_data_8* data) const;
    void operator()(pcre2_real_match_context_8* context) const;
  };
  // Text, or what a group has matched.
  struct Piece {
    std::string text;
    int group = -1;
  };

  TopicRouter() = default;
  absl::Status ParseReplacement(std::string_view text);
  absl::StatusOr<int> GroupNamed(std::string_view name) const;
  absl::StatusOr<int> Match(std::string_view text, unsigned options);

  std::unique_ptr<pcre2_real_code_8, Deleter> code_;
  std::unique_ptr<pcre2_real_match_data_8, Deleter> match_;
  std::unique_ptr<pcre2_real_match_context_8, Deleter> context_;
  int groups_ = 0;
  std::vector<Piece> replacement_;
  std::string routed_;
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_TOPIC_ROUTER_H_
