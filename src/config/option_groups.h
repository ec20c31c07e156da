#ifndef WALPOST_CONFIG_OPTION_GROUPS_H_
#define WALPOST_CONFIG_OPTION_GROUPS_H_

#include <span>

#include "config/option_table.h"

// The parts of the option table, each in the order in which it is shown.
namespace walpost::config {

std::span<const OptionDef> ConnectionOptions();  // [postgres], [kafka]
std::span<const OptionDef> OutboxOptions();      // [[outbox]]: what an event is made of
std::span<const OptionDef> FormatOptions();      // [[outbox]]: how it is written
std::span<const OptionDef> RelayOptionsGroup();  // [relay]
std::span<const OptionDef> OutputOptions();      // [admin], [log]

// Sets of verbs that take the same flags.
inline constexpr VerbMask kAll = kRun | kSetup | kDemo | kShow;
inline constexpr VerbMask kMapping = kRun | kSetup | kShow;
inline constexpr VerbMask kRelaying = kRun | kShow;
inline constexpr VerbMask kPublishing = kRun | kDemo | kShow;

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_OPTION_GROUPS_H_
