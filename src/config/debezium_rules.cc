#include "config/debezium_rules.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.h"
#include "config/connector_reader.h"

namespace walpost::config {
namespace {

using enum RuleEffect;

// Sources: https://debezium.io/documentation/reference/stable/connectors/postgresql.html
// https://kafka.apache.org/documentation/#sourceconnectconfigs
constexpr PropertyRule kRules[] = {
    // The connector and its place in Connect.
    {"name", kNothing, "a name within Connect"},
    {"connector.class", kNothing, "what walpost takes the place of"},
    {"connector.plugin.version", kNothing, "chooses a jar"},
    {"tasks.max", kNothing, "there is one task either way"},
    {"tasks.max.enforce", kNothing, "there is one task either way"},
    {"config.action.reload", kNothing, "of Connect"},
    {"topic.prefix", kNothing, "the router names the topics"},
    {"database.server.name", kNothing, "the router names the topics"},

    // The connection.
    {"database.initial.statements", kDropped,
     "SQL is not run at the start of a session; settings can go into conninfo: options='-c "
     "NAME=VALUE'"},
    {"database.sslfactory", kDropped, "a class of the Java driver; sslmode decides"},
    {"database.sslpassword", kDropped,
     "a secret, which is not carried over; a key of its own file needs none"},
    {"database.query.timeout.ms", kNothing, "walpost has limits of its own"},
    {"connection.validation.timeout.ms", kNothing, "walpost has limits of its own"},
    {"database.*", kDropped, "goes to the Java driver; see the keywords of libpq"},
    {"driver.*", kDropped, "goes to the Java driver; see the keywords of libpq"},

    // The slot and the publication.
    {"slot.drop.on.stop", kEvents,
     "stopping this connector drops its slot, and events with it; hint: set it to false and "
     "restart "
     "the connector before it is stopped for good",
     "false"},
    {"slot.failover", kNothing, "an existing slot stays as it is"},
    {"slot.stream.params", kEvents, "walpost gives the output plugin its own parameters", ""},
    {"slot.max.retries", kNothing, "walpost retries for ever"},
    {"slot.retry.delay.ms", kNothing, "walpost retries for ever; see relay.reconnect_max_delay"},
    {"publication.autocreate.mode", kNothing,
     "the publication that is there stays as it is; walpost never alters one"},
    {"publish.via.partition.root", kNothing, "the publication that is there stays as it is"},
    {"replica.identity.autoset.values", kNothing, "an INSERT carries the whole row"},
    {"xmin.fetch.interval.ms", kNothing, "not needed"},
    {"flush.lsn.source", kNothing, "walpost confirms what the brokers have acknowledged"},
    {"lsn.flush.*", kNothing, "walpost confirms what the brokers have acknowledged"},
    {"offset.mismatch.strategy", kNothing, "the slot alone knows the position"},

    // What is captured.
    {"table.exclude.list", kEvents,
     "tables are named, not left out; hint: write one [[outbox]] block for each outbox table", ""},
    {"schema.include.list", kEvents,
     "tables are named; hint: write one [[outbox]] block for each outbox table", ""},
    {"schema.exclude.list", kEvents,
     "tables are named, not left out; hint: write one [[outbox]] block for each outbox table", ""},
    {"table.whitelist", kEvents, "is table.include.list since Debezium 1.3; hint: name it so", ""},
    {"table.blacklist", kEvents, "is table.exclude.list since Debezium 1.3; hint: name it so", ""},
    {"schema.whitelist", kEvents, "is schema.include.list since Debezium 1.3; hint: name it so",
     ""},
    {"schema.blacklist", kEvents, "is schema.exclude.list since Debezium 1.3; hint: name it so",
     ""},
    {"slot.drop_on_stop", kEvents, "is slot.drop.on.stop since Debezium 1.3; hint: name it so",
     "false"},
    {"table.ignore.builtin", kNothing, "tables are named"},
    {"column.include.list", kNothing, "only the columns that are named here are read"},
    {"column.exclude.list", kNothing, "only the columns that are named here are read"},
    {"column.mask.*", kEvents, "columns are published as they are"},
    {"column.truncate.*", kEvents, "columns are published as they are"},
    {"message.key.columns", kNothing, "the router takes its own key"},
    {"skipped.operations", kNothing, "only an INSERT is an event"},
    {"skip.messages.without.change", kNothing, "only an INSERT is an event"},
    {"tombstones.on.delete", kNothing, "the router drops deletes and their tombstones"},
    {"unavailable.value.placeholder", kNothing, "an INSERT carries the whole row"},
    {"message.prefix.include.list", kEvents,
     "logical messages are not sent to PREFIX.message; hint: see the preset message"},
    {"message.prefix.exclude.list", kDropped, "logical messages are not sent to PREFIX.message"},

    // How columns are written.
    {"binary.handling.mode", kEvents, "bytea is written as with 'bytes'", "bytes"},
    {"decimal.handling.mode", kEvents, "numeric is written as with 'precise'", "precise"},
    {"time.precision.mode", kEvents, "dates and times are written as with 'adaptive'", "adaptive"},
    {"interval.handling.mode", kEvents, "interval is written as with 'numeric'", "numeric"},
    {"hstore.handling.mode", kEvents, "hstore is written as with 'json'", "json"},
    {"money.fraction.digits", kEvents, "money is written with 2 digits", "2"},
    {"include.unknown.datatypes", kEvents, "columns of unknown types are written as text", "false"},
    {"field.name.adjustment.mode", kEvents, "columns keep their names", "none"},
    {"schema.name.adjustment.mode", kNothing, "the router does not use them"},
    {"column.propagate.source.type", kSchemas, "schemas have no parameters for the column's type"},
    {"datatype.propagate.source.type", kSchemas,
     "schemas have no parameters for the column's type"},
    {"include.schema.comments", kNothing, "the router does not use them"},
    {"converters", kEvents, "custom converters are Java code"},
    {"post.processors", kEvents, "post processors are Java code"},
    {"sourceinfo.struct.maker", kNothing, "the router does not use the source block"},
    {"source.struct.version", kNothing, "the router does not use the source block"},

    // Snapshots.
    {"snapshot.mode", kEvents,
     "rows that were there before the slot are not published; hint: let the application "
     "insert them again",
     "initial,when_needed,no_data,never,schema_only,schema_only_recovery,recovery,exported,"
     "configuration_based",
     "a snapshot comes once, before the first event; walpost publishes nothing that was there "
     "before "
     "the slot, so at the change nothing comes twice"},
    {"snapshot.*", kNothing, "there is no snapshot"},
    {"internal.snapshot.*", kNothing, "there is no snapshot"},
    {"legacy.snapshot.*", kNothing, "there is no snapshot"},
    {"incremental.snapshot.*", kNothing, "there is no snapshot"},
    {"streaming.delay.ms", kNothing, "there is no snapshot"},
    {"read.only", kNothing, "there is no snapshot"},
    {"signal.enabled.channels", kDropped, "there are no signals", "source"},
    {"signal.*", kDropped, "there are no signals and no incremental snapshots"},
    {"notification.enabled.channels", kEvents, "notifications are not sent", "log,jmx"},
    {"notification.*", kDropped, "notifications are not sent"},

    // Records beside the events.
    {"heartbeat.interval.ms", kDropped,
     "an idle slot moves without them, so the topic gets no more records; watch /readyz and "
     "walpost_lag_seconds in its place",
     "0"},
    {"heartbeat.action.query", kDropped,
     "is not run; an idle slot moves with what the server reports"},
    {"heartbeat.*", kDropped, "heartbeats are not sent"},
    {"topic.heartbeat.prefix", kDropped, "heartbeats are not sent"},
    {"provide.transaction.metadata", kEvents, "the topic PREFIX.transaction is not written",
     "false"},
    {"transaction.metadata.factory", kNothing, "goes with provide.transaction.metadata"},
    {"topic.transaction", kNothing, "goes with provide.transaction.metadata"},
    {"topic.naming.strategy", kNothing, "the router names the topics"},
    {"topic.delimiter", kNothing, "the router names the topics"},
    {"topic.cache.size", kNothing, "the router names the topics"},
    {"topic.creation.enable", kNothing, "of no effect without topic.creation.default"},
    {"topic.creation.*", kDropped,
     "a topic that is missing is made by the broker with its own defaults, or not at all; hint: "
     "create topics before their first event"},
    {"exactly.once.support", kEvents,
     "events are delivered at least once, without transactions; hint: consumers recognise a "
     "repeated "
     "event by its header id",
     "requested"},
    {"exactly.once.source.support", kEvents,
     "events are delivered at least once, without transactions; hint: consumers recognise a "
     "repeated "
     "event by its header id",
     "disabled,preparing"},
    {"transaction.boundary", kNothing, "goes with exactly.once.support"},
    {"transaction.boundary.*", kNothing, "goes with exactly.once.support"},

    // Failures.
    {"errors.retry.*", kNothing, "walpost retries for ever"},
    {"errors.max.retries", kNothing, "walpost retries for ever"},
    {"retriable.restart.connector.wait.ms", kNothing, "see relay.reconnect_max_delay"},
    {"errors.log.*", kNothing, "walpost logs each failure, and no payload"},
    {"errors.deadletterqueue.*", kNothing,
     "of no effect in a source connector; walpost has relay.dead_letter_topic"},
    {"event.processing.failure.handling.mode", kDropped,
     "a row that cannot be an event is up to relay.on_poison", "fail"},
    {"event.converting.failure.handling.mode", kDropped,
     "a row that cannot be an event is up to relay.on_poison", "fail,warn"},
    {"guardrail.*", kNothing, "tables are named"},

    // Working habits.
    {"poll.interval.ms", kNothing, "walpost does not poll"},
    {"max.batch.size", kNothing, "see relay.max_in_flight_events"},
    {"max.queue.size", kNothing, "see relay.max_in_flight_events"},
    {"max.queue.size.in.bytes", kNothing, "see relay.max_in_flight_bytes"},
    {"query.fetch.size", kNothing, "there is no snapshot"},
    {"schema.refresh.mode", kNothing, "the stream describes its tables"},
    {"executor.shutdown.timeout.ms", kNothing, "see relay.drain_timeout"},
    {"custom.metric.tags", kDropped, "metrics have their own labels"},
    {"custom.sanitize.pattern", kNothing, "walpost logs no secrets"},
    {"advanced.metrics.enable", kNothing, "see /metrics"},
    {"statistics.metrics.enabled", kNothing, "see /metrics"},
    {"openlineage.*", kDropped, "there is no OpenLineage"},
    {"memory.management.*", kNothing, "of the Java process"},
    {"internal.*", kDropped, "internal to Debezium"},

    // Converters, beside their classes.
    {"key.converter.*", kDropped, "is no setting that the converter is known to have"},
    {"value.converter.*", kDropped, "is no setting that the converter is known to have"},
    {"header.converter.*", kDropped, "is no setting that the converter is known to have"},

    // Connect's positions.
    {"offsets.storage.topic", kNothing, "the slot alone knows the position"},
    {"offset.*", kNothing, "the slot alone knows the position"},

    // The worker, whose properties may be in the same file.
    {"internal.key.converter*", kNothing, "of the worker"},
    {"internal.value.converter*", kNothing, "of the worker"},
    {"group.id", kNothing, "of the worker"},
    {"group.instance.id", kNothing, "of the worker"},
    {"client.id", kNothing, "of the worker"},
    {"client.dns.lookup", kNothing, "of the worker"},
    {"config.providers", kNothing, "of the worker"},
    {"config.providers.*", kNothing, "of the worker"},
    {"config.storage.*", kNothing, "of the worker"},
    {"status.storage.*", kNothing, "of the worker"},
    {"connect.protocol", kNothing, "of the worker"},
    {"connector.client.config.override.policy", kNothing, "of the worker"},
    {"listeners", kNothing, "of the worker"},
    {"listeners.*", kNothing, "of the worker"},
    {"admin.*", kNothing, "of the worker"},
    {"consumer.*", kNothing, "of the worker"},
    {"rest.*", kNothing, "of the worker"},
    {"access.control.*", kNothing, "of the worker"},
    {"response.http.headers.config", kNothing, "of the worker"},
    {"plugin.path", kNothing, "of the worker"},
    {"plugin.discovery", kNothing, "of the worker"},
    {"inter.worker.*", kNothing, "of the worker"},
    {"worker.*", kNothing, "of the worker"},
    {"rebalance.timeout.ms", kNothing, "of the worker"},
    {"session.timeout.ms", kNothing, "of the worker"},
    {"scheduled.rebalance.max.delay.ms", kNothing, "of the worker"},
    {"task.shutdown.graceful.timeout.ms", kNothing, "of the worker"},
    {"topic.tracking.*", kNothing, "of the worker"},
    {"metric.reporters", kNothing, "of the worker"},
    {"metrics.*", kNothing, "of the worker"},
    {"metadata.*", kNothing, "of the worker"},
    {"request.timeout.ms", kNothing, "of the worker"},
    {"retry.backoff.*", kNothing, "of the worker"},
    {"reconnect.backoff.*", kNothing, "of the worker"},
    {"connections.max.idle.ms", kNothing, "of the worker"},
    {"socket.connection.*", kNothing, "of the worker"},
    {"send.buffer.bytes", kNothing, "of the worker"},
    {"receive.buffer.bytes", kNothing, "of the worker"},
    {"security.*", kNothing, "of the worker; its producer's settings begin with producer."},
    {"ssl.*", kNothing, "of the worker; its producer's settings begin with producer."},
    {"sasl.*", kNothing, "of the worker; its producer's settings begin with producer."},
};

}  // namespace

std::span<const PropertyRule> PropertyRules() { return kRules; }

const PropertyRule* FindPropertyRule(std::string_view name) {
  const PropertyRule* beginning = nullptr;
  for (const PropertyRule& rule : kRules) {
    if (rule.name == name) return &rule;
    if (!rule.name.ends_with('*') || !name.starts_with(rule.name.substr(0, rule.name.size() - 1))) {
      continue;
    }
    // `internal.snapshot.*` is nearer than `internal.*`.
    if (beginning == nullptr || rule.name.size() > beginning->name.size()) beginning = &rule;
  }
  return beginning;
}

bool IsSame(const PropertyRule& rule, std::string_view value) {
  const std::vector<std::string> words = CommaList(absl::AsciiStrToLower(ToAbsl(value)));
  if (words.empty()) return rule.effect != RuleEffect::kNothing && !rule.name.ends_with('*');
  const std::vector<std::string> same = CommaList(rule.same);
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(same.begin(), same.end(), word) != same.end();
  });
}

}  // namespace walpost::config
