#include "config/option_apply.h"
#include "config/option_groups.h"
#include "config/option_store.h"

namespace walpost::config {
namespace {

constexpr OptionDef kFormatOptions[] = {
    {.section = "outbox",
     .key = "value",
     .flag = "--value",
     .placeholder = "FORMAT",
     .kind = OptionKind::kEnum,
     .allowed = kValueFormats,
     .default_note = kFromPreset,
     .summary = "format of the record value",
     .doc = "text: the bytes of the payload column, verbatim. bytes: those of a bytea, "
            "for Avro or Protobuf made by the application. json: the payload as JSON, see "
            "json_style. json-escaped: as one JSON string. json-schema: the same with its "
            "schema, as {\"schema\", \"payload\"}. envelope: json-escaped as member payload "
            "of an object, see the option envelope. struct: what Debezium's expanded "
            "payload is in a StringConverter. cloudevents: see the option cloudevents.",
     .example = "\"text\"",
     .verbs = kMapping,
     .apply = WALPOST_ONE_OF(kValueFormats, outbox.value)},
    {.section = "outbox",
     .key = "empty_payload",
     .flag = "--empty-payload",
     .placeholder = "ACTION",
     .kind = OptionKind::kEnum,
     .allowed = kEmptyPayloads,
     .default_text = "publish",
     .summary = "what a NULL, empty or blank payload becomes",
     .doc = "publish: what the format makes of it; text and bytes have a record without a "
            "value for NULL, which is a tombstone, and the JSON formats null. tombstone: "
            "a record without a value.",
     .example = "\"publish\"",
     .verbs = kMapping,
     .apply = WALPOST_ONE_OF(kEmptyPayloads, outbox.empty_payload)},
    {.section = "outbox",
     .key = "json_style",
     .flag = "--json-style",
     .placeholder = "STYLE",
     .kind = OptionKind::kEnum,
     .allowed = kJsonStyles,
     .default_text = "lossless",
     .summary = "how a payload becomes JSON in a value",
     .doc = "lossless: without its white space, each member, number and string as it is; "
            "what is no JSON is poison. debezium: as with table.expand.json.payload: null "
            "members and empty arrays are dropped (json_nulls, json_empty_arrays), "
            "fractions are written as Java's double, arrays of objects get the members of "
            "all; scalars, mixed arrays and what is no JSON stay one string.",
     .example = "\"lossless\"",
     .verbs = kMapping,
     .apply = WALPOST_ONE_OF(kJsonStyles, outbox.json_style)},
    {.section = "outbox",
     .key = "json_nulls",
     .flag = "--json-nulls",
     .placeholder = "ACTION",
     .kind = OptionKind::kEnum,
     .allowed = kDropOrKeep,
     .default_text = "drop",
     .summary = "null members under json_style = debezium",
     .doc = "keep is Debezium's table.json.payload.null.behavior = optional_bytes.",
     .example = "\"drop\"",
     .verbs = kMapping,
     .apply = WALPOST_ONE_OF(kDropOrKeep, outbox.json_nulls)},
    {.section = "outbox",
     .key = "json_empty_arrays",
     .flag = "--json-empty-arrays",
     .placeholder = "ACTION",
     .kind = OptionKind::kEnum,
     .allowed = kDropOrKeep,
     .default_text = "drop",
     .summary = "empty arrays under json_style = debezium",
     .doc = "keep is Debezium's table.json.payload.empty.array.behavior = "
            "optional_string.",
     .example = "\"drop\"",
     .verbs = kMapping,
     .apply = WALPOST_ONE_OF(kDropOrKeep, outbox.json_empty_arrays)},
    {.section = "outbox",
     .key = "envelope",
     .flag = "--envelope",
     .placeholder = "NAME=COLUMN",
     .kind = OptionKind::kMap,
     .default_note = "none",
     .summary = "members of the value beside payload, each from a column",
     .doc = "With value = envelope, json or json-schema: the value is {\"payload\": ..., "
            "NAME: ...}, in the order in which they are written; numbers and booleans are "
            "JSON's own. The flag may be repeated.",
     .example = "{ eventType = \"type\", version = \"ver\" }",
     .verbs = kMapping,
     .apply = WALPOST_MAP(outbox.envelope)},
    {.section = "outbox",
     .key = "key_format",
     .flag = "--key-format",
     .placeholder = "FORMAT",
     .kind = OptionKind::kEnum,
     .allowed = kKeyFormats,
     .default_text = "text",
     .summary = "format of the record key",
     .doc = "text: the column's text. json: as JSON, so text gets quotes and NULL is "
            "null. json-schema: the same with its schema. bytes: those of a bytea. The "
            "bytes of the key choose the partition.",
     .example = "\"text\"",
     .verbs = kMapping,
     .apply = WALPOST_ONE_OF(kKeyFormats, outbox.key_format)},
    {.section = "outbox",
     .key = "header_format",
     .flag = "--header-format",
     .placeholder = "FORMAT",
     .kind = OptionKind::kEnum,
     .allowed = kHeaderFormats,
     .default_text = "text",
     .summary = "format of the header values",
     .doc = "json: as a JsonConverter for headers writes them: text in quotes, NULL as "
            "null.",
     .example = "\"text\"",
     .verbs = kMapping,
     .apply = WALPOST_ONE_OF(kHeaderFormats, outbox.header_format)},
    {.section = "outbox",
     .key = "column_text",
     .flag = "--column-text",
     .placeholder = "STYLE",
     .kind = OptionKind::kEnum,
     .allowed = kColumnTexts,
     .default_text = "postgres",
     .summary = "how columns that are not text are written",
     .doc = "postgres: as the server writes them. debezium: as its connector does: true "
            "and false, timestamps as numbers since 1970 in milliseconds or, with more "
            "than three digits, microseconds, timestamptz as ISO 8601 in UTC, dates as "
            "days, fractions as Java's double, bytea in base64.",
     .example = "\"postgres\"",
     .verbs = kMapping,
     .apply = WALPOST_ONE_OF(kColumnTexts, outbox.column_text)},
    {.section = "outbox",
     .key = "cloudevents",
     .flag = "--cloudevent",
     .placeholder = "NAME=SOURCE",
     .kind = OptionKind::kMap,
     .default_note = "none",
     .summary = "attributes of a CloudEvent, each from a column, COLUMN:/json/pointer or "
                "'constant'",
     .doc = "With value = cloudevents. source and type are needed; id is the column id, "
            "time the commit time, datacontenttype application/json for json and jsonb, "
            "unless they are set here. Other names are extension attributes (a to z and 0 "
            "to 9). NULL leaves an attribute out.",
     .example = "{ source = \"'/shop/orders'\", type = \"type\", subject = \"aggregateid\" }",
     .verbs = kMapping,
     .apply = WALPOST_MAP(outbox.cloudevents)},
    {.section = "outbox",
     .key = "cloudevents_mode",
     .flag = "--cloudevents-mode",
     .placeholder = "MODE",
     .kind = OptionKind::kEnum,
     .allowed = kCloudEventsModes,
     .default_text = "binary",
     .summary = "how a CloudEvent is written",
     .doc = "binary: attributes as headers ce_NAME, the payload as value. structured: all "
            "of it as one JSON object. As the Kafka protocol binding of CloudEvents 1.0 "
            "has it.",
     .example = "\"binary\"",
     .verbs = kMapping,
     .apply = WALPOST_ONE_OF(kCloudEventsModes, outbox.cloudevents_mode)},
};

}  // namespace

std::span<const OptionDef> FormatOptions() { return kFormatOptions; }

}  // namespace walpost::config
