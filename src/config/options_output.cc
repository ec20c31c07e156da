#include "config/option_apply.h"
#include "config/option_groups.h"
#include "config/option_store.h"

namespace walpost::config {
namespace {

constexpr OptionDef kOutputOptions[] = {
    {.section = "admin",
     .key = "listen",
     .flag = "--admin-listen",
     .placeholder = "HOST:PORT",
     .default_note = "empty: no server",
     .summary = "address for /metrics, /healthz and /readyz",
     .doc = "It has neither encryption nor passwords: keep it on a private address.",
     .example = "\"127.0.0.1:9464\"",
     .verbs = kRelaying,
     .listed = kRun,
     .apply = ApplyListen},
    {.section = "log",
     .key = "level",
     .flag = "--log-level",
     .placeholder = "LEVEL",
     .kind = OptionKind::kEnum,
     .allowed = kLogLevels,
     .default_text = "info",
     .summary = "least serious level that is logged",
     .doc = "error: an operator must act. Payloads and secrets are not logged at any level.",
     .example = "\"info\"",
     .verbs = kAll,
     .listed = kRun,
     .apply = ApplyLogLevel},
    {.section = "log",
     .key = "format",
     .flag = "--log-format",
     .placeholder = "FORMAT",
     .kind = OptionKind::kEnum,
     .allowed = kLogFormats,
     .default_text = "logfmt",
     .summary = "how a log line is written",
     .doc = "logfmt for people and grep, json for machines; one line for each entry in both.",
     .example = "\"logfmt\"",
     .verbs = kAll,
     .listed = kRun,
     .apply = ApplyLogFormat},
};

}  // namespace

std::span<const OptionDef> OutputOptions() { return kOutputOptions; }

}  // namespace walpost::config
