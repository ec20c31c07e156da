#include "config/option_apply.h"
#include "config/option_groups.h"
#include "config/option_store.h"

namespace walpost::config {
namespace {

constexpr OptionDef kConnectionOptions[] = {
    {.section = "postgres",
     .key = "conninfo",
     .flag = "--conninfo",
     .placeholder = "CONNINFO",
     .default_note = "empty: PGHOST, PGUSER and the others, as libpq reads them",
     .summary = "PostgreSQL, as libpq keywords or a URI",
     .doc = "Several hosts are allowed; add target_session_attrs=read-write so that the primary is "
            "found after a failover. The role needs REPLICATION. A password in it is never shown "
            "or logged; password_file and PGPASSFILE keep it out of here.",
     .example = "\"host=db dbname=shop user=walpost sslmode=verify-full\"",
     .verbs = kAll,
     .listed = kRun | kSetup | kDemo,
     .apply = WALPOST_TEXT(settings.postgres.conninfo)},
    {.section = "postgres",
     .key = "password_file",
     .flag = "--password-file",
     .placeholder = "FILE",
     .default_note = "none: the conninfo, PGPASSWORD or PGPASSFILE",
     .summary = "file that holds the role's password",
     .doc = "Read at each connection, so that a rotated secret is picked up without a restart.",
     .example = "\"/run/secrets/pg\"",
     .verbs = kAll,
     .apply = WALPOST_TEXT(settings.postgres.password_file)},
    {.section = "postgres",
     .key = "slot",
     .flag = "--slot",
     .placeholder = "NAME",
     .default_text = "walpost",
     .summary = "replication slot to read from",
     .doc = "Made by `walpost setup`. One instance streams from a slot at a time; another with the "
            "same name waits as a standby and takes over. a to z, 0 to 9 and _, at most 63 "
            "characters.",
     .example = "\"walpost\"",
     .verbs = kMapping,
     .listed = kRun | kSetup,
     .apply = ApplySlot},
    {.section = "postgres",
     .key = "publication",
     .flag = "--publication",
     .placeholder = "NAME",
     .default_text = "walpost",
     .summary = "publication that holds the outbox tables",
     .doc = "Made by `walpost setup`. Written without quotes, in its exact case.",
     .example = "\"walpost\"",
     .verbs = kMapping,
     .listed = kRun | kSetup,
     .apply = ApplyPublication},
    {.section = "postgres",
     .key = "connect_timeout",
     .flag = "--connect-timeout",
     .placeholder = "DURATION",
     .kind = OptionKind::kDuration,
     .default_text = "10s",
     .summary = "how long one host may take to answer a connection",
     .doc = "For each host of the conninfo. Less moves on to the next host sooner; too little "
            "gives up on a server that is only slow.",
     .example = "\"10s\"",
     .verbs = kMapping,
     .apply = WALPOST_STORE(StoreDuration, settings.postgres.connect_timeout)},
    {.section = "kafka",
     .key = "brokers",
     .flag = "--brokers",
     .placeholder = "HOST:PORT,...",
     .default_note = "none: `run` needs them",
     .summary = "Kafka brokers to begin with, comma-separated",
     .doc = "The others are learned from these; name two or three so that one may be down.",
     .example = "\"kafka-1:9092,kafka-2:9092\"",
     .verbs = kPublishing,
     .listed = kRun | kDemo,
     .apply = WALPOST_TEXT(settings.kafka.brokers)},
    {.section = "kafka",
     .key = "properties",
     .flag = "--kafka-property",
     .placeholder = "NAME=VALUE",
     .kind = OptionKind::kMap,
     .default_note = "none",
     .summary = "property of librdkafka, by its own name",
     .doc = "Any of https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md; what "
            "would break delivery or order is refused at start. NAME_file reads the value from a "
            "file, without the newline at its end, as \"sasl.password_file\". File, environment "
            "and flags add up, name by name; the flag may be repeated. The environment separates "
            "with commas: a=1,b=2 "
            "(\\, is a comma inside a value).",
     .example = "{ \"security.protocol\" = \"SASL_SSL\", \"sasl.password_file\" = "
                "\"/run/secrets/kafka\" }",
     .verbs = kPublishing,
     .apply = ApplyProperties},
};

}  // namespace

std::span<const OptionDef> ConnectionOptions() { return kConnectionOptions; }

}  // namespace walpost::config
