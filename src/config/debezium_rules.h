#ifndef WALPOST_CONFIG_DEBEZIUM_RULES_H_
#define WALPOST_CONFIG_DEBEZIUM_RULES_H_

#include <span>
#include <string_view>

namespace walpost::config {

// What it means that a property has no counterpart.
enum class RuleEffect {
  kNothing,  // walpost does the same, or has no need of it
  kDropped,  // cannot be honoured; consumers see no difference
  kEvents,   // cannot be honoured, and consumers may see it
  kSchemas,  // the same, but only where values or keys carry a JSON schema
};

// What is to be said of a property that becomes no option by itself.
struct PropertyRule {
  // Its name; with a `*` at the end, how it begins.
  std::string_view name;
  RuleEffect effect = RuleEffect::kNothing;
  std::string_view why;
  // Values with which walpost does the same, with commas between, in lower case.
  std::string_view same = "";
  std::string_view same_why = "as walpost does it";
};

// All of them, in the order of Debezium's documentation. A name that is in it twice, whole and as a
// beginning, is meant as a whole.
std::span<const PropertyRule> PropertyRules();

// Null when there is none.
const PropertyRule* FindPropertyRule(std::string_view name);

// Whether `value`, or each of its parts between commas, is one of `rule.same`; or empty, where that
// is the default.
bool IsSame(const PropertyRule& rule, std::string_view value);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_DEBEZIUM_RULES_H_
