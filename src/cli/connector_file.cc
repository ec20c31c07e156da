#include "cli/connector_file.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "base/java_properties.h"
#include "base/status_macros.h"
#include "base/strings.h"

namespace walpost::cli {
namespace {

using config::NamedTexts;

// `FILE:LINE:COLUMN`, both from 1, the column in bytes.
std::string PlaceOf(std::string_view text, std::size_t offset, std::string_view file) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t begin = before.rfind('\n');
  const std::size_t column =
      begin == std::string_view::npos ? before.size() + 1 : before.size() - begin;
  return absl::StrCat(ToAbsl(file), ":", line, ":", column);
}

absl::Status Wrong(std::string_view file, std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(ToAbsl(file), ": ", ToAbsl(what)));
}

std::string_view TextOf(const rapidjson::Value& value) {
  return {value.GetString(), value.GetStringLength()};
}

absl::StatusOr<NamedTexts> PropertiesOf(const rapidjson::Value& object, std::string_view file) {
  NamedTexts properties;
  for (const auto& member : object.GetObject()) {
    const std::string name(TextOf(member.name));
    if (member.value.IsNull()) continue;
    if (member.value.IsString()) {
      properties.emplace_back(name, TextOf(member.value));
    } else if (member.value.IsBool()) {
      properties.emplace_back(name, member.value.IsTrue() ? "true" : "false");
    } else {
      return Wrong(file, ToStd(absl::StrCat(config::Quoted(name),
                                            " is no property: its value is not a text; hint: give "
                                            "the answer of GET /connectors/NAME/config")));
    }
  }
  return properties;
}

constexpr char kGetConnector[] = "(kubectl get kafkaconnector NAME -o json)";

// A KafkaConnector of Strimzi, whose class stands beside its configuration.
// Source: https://strimzi.io/docs/operators/latest/configuring.html#type-KafkaConnector-reference
absl::StatusOr<NamedTexts> PropertiesOfResource(const rapidjson::Value& resource,
                                                std::string_view file) {
  const auto spec = resource.FindMember("spec");
  const bool has_spec = spec != resource.MemberEnd() && spec->value.IsObject();
  if (!has_spec || !spec->value.HasMember("config") || !spec->value["config"].IsObject()) {
    return Wrong(file,
                 ToStd(absl::StrCat("a Kubernetes resource without spec.config; hint: give one "
                                    "KafkaConnector by its name ",
                                    kGetConnector)));
  }
  WALPOST_ASSIGN_OR_RETURN(NamedTexts properties, PropertiesOf(spec->value["config"], file));
  if (spec->value.HasMember("class") && spec->value["class"].IsString()) {
    properties.emplace_back("connector.class", TextOf(spec->value["class"]));
  }
  return properties;
}

absl::StatusOr<NamedTexts> ParseJson(std::string_view text, std::string_view file) {
  // Iterative, so that nesting costs no stack.
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag |
                              rapidjson::kParseValidateEncodingFlag |
                              rapidjson::kParseNumbersAsStringsFlag;
  rapidjson::Document document;
  document.Parse<kFlags>(text.data(), text.size());
  if (document.HasParseError()) {
    const std::size_t offset = std::min(document.GetErrorOffset(), text.size());
    return Wrong(
        PlaceOf(text, offset, file),
        ToStd(absl::StrCat("not JSON: ", rapidjson::GetParseError_En(document.GetParseError()))));
  }
  if (document.HasMember("apiVersion")) return PropertiesOfResource(document, file);
  if (!document.HasMember("config")) return PropertiesOf(document, file);
  const rapidjson::Value& config = document["config"];
  if (!config.IsObject()) return Wrong(file, "'config' is not an object of properties");
  WALPOST_ASSIGN_OR_RETURN(NamedTexts properties, PropertiesOf(config, file));
  // Connect adds the name, which the request has beside the configuration.
  const bool named = std::any_of(properties.begin(), properties.end(),
                                 [](const auto& one) { return one.first == "name"; });
  if (!named && document.HasMember("name") && document["name"].IsString()) {
    properties.emplace(properties.begin(), "name", TextOf(document["name"]));
  }
  return properties;
}

// The offset of the first byte that is no UTF-8; the size of the text when all is.
std::size_t EndOfUtf8(std::string_view text) {
  struct Nowhere {
    void Put(char) {}
  } nowhere;
  rapidjson::MemoryStream stream(text.data(), text.size());
  while (stream.Tell() < text.size()) {
    const std::size_t at = stream.Tell();
    if (!rapidjson::UTF8<>::Validate(stream, nowhere)) return at;
  }
  return text.size();
}

}  // namespace

absl::StatusOr<NamedTexts> ParseConnectorFile(std::string_view text, std::string_view file) {
  const std::size_t valid = EndOfUtf8(text);
  if (valid < text.size()) return Wrong(PlaceOf(text, valid, file), "not UTF-8");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') return ParseJson(text, file);
  absl::StatusOr<NamedTexts> properties = ParseJavaProperties(text);
  if (!properties.ok()) return Wrong(file, ToStd(properties.status().message()));
  if (properties->empty()) return Wrong(file, "holds no property");
  const auto begins_a_resource = [](const auto& one) {
    return one.first == "apiVersion" || one.first == "kind";
  };
  if (std::any_of(properties->begin(), properties->end(), begins_a_resource)) {
    return Wrong(file, ToStd(absl::StrCat("a Kubernetes resource in YAML; hint: give it in JSON ",
                                          kGetConnector)));
  }
  return properties;
}

}  // namespace walpost::cli
