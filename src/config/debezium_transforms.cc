#include "config/debezium_transforms.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/strings.h"

namespace walpost::config {
namespace {

constexpr std::string_view kRouterClass = "io.debezium.transforms.outbox.EventRouter";

struct TransformHint {
  std::string_view class_name;
  std::string_view hint;
};

constexpr TransformHint kHints[] = {
    {"io.debezium.connector.postgresql.transforms.DecodeLogicalDecodingMessageContent",
     "for an outbox without a table see the preset message"},
    {"org.apache.kafka.connect.transforms.RegexRouter",
     "it may go into topic, topic_regex and topic_replacement"},
    {"org.apache.kafka.connect.transforms.InsertHeader",
     "a constant can be a header: headers = { NAME = \"'value'\" }"},
    {"org.apache.kafka.connect.transforms.HeaderFrom",
     "a column can be a header: headers = { NAME = \"column\" }"},
    {"org.apache.kafka.connect.transforms.Filter", "each row of the table is an event"},
};

std::string ReasonAgainst(std::string_view class_name) {
  std::string why =
      absl::StrCat("the transform ", Quoted(class_name), " is Java code, and may change events");
  for (const TransformHint& hint : kHints) {
    if (!NamesClass(class_name, hint.class_name, "")) continue;
    absl::StrAppend(&why, "; hint: ", ToAbsl(hint.hint));
  }
  return why;
}

void ReportOthers(ConnectorReader& reader, std::string_view beginning, std::string_view why) {
  reader.ForEachOpen([&](const std::string& name, const std::string&) {
    if (name.starts_with(beginning)) reader.Dropped(name, why);
  });
}

}  // namespace

bool NamesClass(std::string_view name, std::string_view class_name, std::string_view suffix) {
  const std::string_view simple = class_name.substr(class_name.find_last_of(".$") + 1);
  if (name == class_name || name == simple) return true;
  return !suffix.empty() && simple.ends_with(suffix) &&
         name == simple.substr(0, simple.size() - suffix.size());
}

absl::StatusOr<std::string> FindRouter(const ConnectorReader& reader) {
  for (const std::string& alias : CommaList(reader.TextOr("transforms", ""))) {
    const std::string prefix = absl::StrCat("transforms.", alias, ".");
    const std::string type = Trimmed(reader.TextOr(prefix + "type", ""));
    if (NamesClass(type, kRouterClass, "")) return prefix;
  }
  bool is_of_a_server = false;
  reader.ForEachOpen([&](const std::string& name, const std::string&) {
    is_of_a_server = is_of_a_server || name.starts_with("debezium.source.");
  });
  if (is_of_a_server) {
    return PropertyError("debezium.source.*",
                         "is how Debezium Server names a connector's properties; hint: give them "
                         "as a connector has them, without debezium.source. and debezium.");
  }
  return PropertyError("transforms",
                       "names no transform of the type io.debezium.transforms.outbox.EventRouter; "
                       "hint: only the connector of an outbox can be imported");
}

void ReportOtherTransforms(ConnectorReader& reader, std::string_view router) {
  for (const std::string& alias : CommaList(reader.TextOr("transforms", ""))) {
    const std::string prefix = absl::StrCat("transforms.", alias, ".");
    if (prefix == router) continue;
    const std::string type = prefix + "type";
    reader.ChangesEvents(type, ReasonAgainst(Trimmed(reader.TextOr(type, ""))));
    ReportOthers(reader, prefix, ToStd(absl::StrCat("goes with ", type)));
  }
  reader.NothingToDo("transforms", "the [[outbox]] blocks stand for the router");
  // What is left over of the router's is no option that it has.
  reader.ForEachOpen([&](const std::string& name, const std::string&) {
    if (name.starts_with(router)) {
      reader.ChangesEvents(name, "no option of the router that walpost knows");
    } else if (name.starts_with("transforms.")) {
      reader.ChangesEvents(name, "belongs to no transform that transforms names");
    }
  });
  const std::string_view why = "walpost has no predicates; see the transforms that use them";
  if (reader.Find("predicates") != nullptr) reader.Dropped("predicates", why);
  ReportOthers(reader, "predicates.", why);
}

}  // namespace walpost::config
