#ifndef WALPOST_CONFIG_ROUTER_TOPIC_H_
#define WALPOST_CONFIG_ROUTER_TOPIC_H_

#include <absl/status/statusor.h>

#include <string>
#include <string_view>

namespace walpost::config {

// How walpost's options name the topic that Debezium's router does.
struct TopicRule {
  std::string topic;
  std::string regex;  // empty: `topic` says it all
  std::string replacement;
};

// The rule for `route.by.field`, `route.topic.regex` and `route.topic.replacement`. An expression
// that takes the whole value becomes part of the topic. Error: kInvalidArgument, for a replacement
// that Java refuses; what an expression of another kind lacks is not looked for.
// Source: java.util.regex.Matcher#appendReplacement
absl::StatusOr<TopicRule> TranslateTopic(std::string_view column, std::string_view regex,
                                         std::string_view replacement);

// What in a regular expression means something else to Java than to PCRE2, for people; empty when
// nothing is known to. What PCRE2 refuses is left to it.
// Sources: java.util.regex.Pattern, https://www.pcre.org/current/doc/html/pcre2pattern.html
std::string_view DifferenceToJava(std::string_view regex);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_ROUTER_TOPIC_H_
