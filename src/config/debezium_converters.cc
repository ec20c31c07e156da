#include "config/debezium_converters.h"

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include "base/status_macros.h"
#include "base/strings.h"
#include "config/debezium_transforms.h"

namespace walpost::config {
namespace {

struct KnownConverter {
  std::string_view class_name;
  ConverterKind kind;
  std::string_view why = "";  // with kOther: why not
};

using enum ConverterKind;

constexpr std::string_view kRegistry = "its format needs a schema registry";

constexpr KnownConverter kConverters[] = {
    {"org.apache.kafka.connect.storage.StringConverter", kText},
    {"org.apache.kafka.connect.storage.SimpleHeaderConverter", kText},
    {"org.apache.kafka.connect.json.JsonConverter", kJsonSchema},
    {"org.apache.kafka.connect.converters.ByteArrayConverter", kBytes},
    {"io.debezium.converters.BinaryDataConverter", kBytes},
    {"io.debezium.converters.ByteBufferConverter", kBytes},
    {"io.debezium.converters.ByteArrayConverter", kBytes},
    {"io.debezium.converters.CloudEventsConverter", kOther,
     "its events have another form; hint: see value = \"cloudevents\""},
    {"io.confluent.connect.avro.AvroConverter", kOther, kRegistry},
    {"io.confluent.connect.protobuf.ProtobufConverter", kOther, kRegistry},
    {"io.confluent.connect.json.JsonSchemaConverter", kOther, kRegistry},
    {"io.apicurio.registry.utils.converter.AvroConverter", kOther, kRegistry},
    {"io.apicurio.registry.utils.converter.ExtJsonConverter", kOther, kRegistry},
    {"com.amazonaws.services.schemaregistry.kafkaconnect.AWSKafkaAvroConverter", kOther, kRegistry},
};

const KnownConverter* FindConverter(std::string_view class_name) {
  for (const KnownConverter& known : kConverters) {
    if (NamesClass(class_name, known.class_name, "Converter")) return &known;
  }
  return nullptr;
}

// A setting of one converter. Prefix and name make the property.
std::string Setting(std::string_view converter, std::string_view name) {
  return absl::StrCat(ToAbsl(converter), ".", ToAbsl(name));
}

void ReportAll(ConnectorReader& reader, std::string_view beginning, std::string_view why) {
  reader.ForEachOpen([&](const std::string& property, const std::string&) {
    if (property.starts_with(beginning)) reader.Dropped(property, why);
  });
}

absl::Status ReportJsonSettings(ConnectorReader& reader, std::string_view name) {
  reader.NothingToDo(Setting(name, "schemas.cache.size"), "walpost has no such cache");
  const std::string decimals = Setting(name, "decimal.format");
  WALPOST_ASSIGN_OR_RETURN(const std::string format,
                           reader.WordOr(decimals, "base64", {"base64", "numeric"}));
  if (format == "numeric") {
    reader.ChangesEvents(decimals, "numeric columns are written in base64 all the same");
  } else {
    reader.NothingToDo(decimals, "as walpost does it");
  }
  const std::string nulls = Setting(name, "replace.null.with.default");
  WALPOST_ASSIGN_OR_RETURN(const bool replace, reader.FlagOr(nulls, true));
  if (!replace) {
    reader.NothingToDo(nulls, "as walpost does it: NULL stays NULL");
  } else if (reader.Find(nulls) != nullptr) {
    reader.Dropped(nulls, "NULL stays NULL, in a column that has a DEFAULT too");
  }
  if (reader.Find(Setting(name, "schema.content")) != nullptr) {
    reader.ChangesEvents(Setting(name, "schema.content"), "each schema is that of its column");
  }
  return absl::OkStatus();
}

void ReportTextSettings(ConnectorReader& reader, std::string_view name) {
  for (std::string_view setting : {"encoding", "converter.encoding"}) {
    const std::string property = Setting(name, setting);
    const std::string* encoding = reader.Find(property);
    if (encoding == nullptr) continue;
    const std::string lower = absl::AsciiStrToLower(Trimmed(*encoding));
    if (lower == "utf-8" || lower == "utf8") {
      reader.NothingToDo(property, "as walpost does it");
    } else {
      reader.ChangesEvents(property, "text is written in UTF-8");
    }
  }
  reader.NothingToDo(Setting(name, "schemas.enable"), "of no effect with this converter");
}

void ReportBytesSettings(ConnectorReader& reader, std::string_view name,
                         std::string_view class_name) {
  reader.NothingToDo(Setting(name, "schemas.enable"), "of no effect with this converter");
  const std::string delegate = Setting(name, "delegate.converter.type");
  reader.ForEachOpen([&](const std::string& property, const std::string&) {
    if (!property.starts_with(delegate)) return;
    reader.NothingToDo(property, "for records that are no bytes, which walpost does not send");
  });
  if (class_name == "io.debezium.converters.ByteArrayConverter") {
    reader.Dropped(name, "fails in Debezium on a bytea of PostgreSQL; walpost sends its bytes");
  }
}

}  // namespace

absl::StatusOr<ConverterKind> ReadConverter(ConnectorReader& reader, std::string_view name) {
  reader.NothingToDo(Setting(name, "plugin.version"), "chooses a jar");
  const std::string* set = reader.Find(name);
  const std::string schemas = Setting(name, "schemas.enable");
  if (set == nullptr) {
    reader.NothingToDo(schemas, ToStd(absl::StrCat("of no effect without ", ToAbsl(name))));
    return kNotSet;
  }
  const std::string class_name = Trimmed(*set);
  const KnownConverter* known = FindConverter(class_name);
  if (known == nullptr || known->kind == kOther) {
    const std::string_view why = known == nullptr ? "its format is not known" : known->why;
    reader.ChangesEvents(
        name, ToStd(absl::StrCat(Quoted(class_name), " cannot be replaced: ", ToAbsl(why))));
    ReportAll(reader, Setting(name, ""), ToStd(absl::StrCat("goes with ", ToAbsl(name))));
    return kOther;
  }
  if (known->kind == kText) ReportTextSettings(reader, name);
  if (known->kind == kBytes) ReportBytesSettings(reader, name, class_name);
  if (known->kind != kJsonSchema) return known->kind;
  WALPOST_RETURN_IF_ERROR(ReportJsonSettings(reader, name));
  WALPOST_ASSIGN_OR_RETURN(const bool with_schemas, reader.FlagOr(schemas, true));
  return with_schemas ? kJsonSchema : kJson;
}

}  // namespace walpost::config
