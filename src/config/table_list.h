#ifndef WALPOST_CONFIG_TABLE_LIST_H_
#define WALPOST_CONFIG_TABLE_LIST_H_

#include <string>
#include <string_view>
#include <vector>

#include "core/qualified_name.h"

namespace walpost::config {

// What `table.include.list` names.
struct TableList {
  std::vector<QualifiedName> tables;     // each once, in its order
  std::vector<std::string> expressions;  // those that are more than a name
};

// Reads regular expressions on `schema.table`, with commas between. One in which nothing but dots
// and backslashes could mean more than itself is a name: `public.outbox`, `public\.outbox`.
// Source: io.debezium.util.Strings.setOfRegex
TableList ReadTableList(std::string_view text);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_TABLE_LIST_H_
