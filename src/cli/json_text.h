#ifndef WALPOST_CLI_JSON_TEXT_H_
#define WALPOST_CLI_JSON_TEXT_H_

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <string>
#include <string_view>

namespace walpost::cli {

// Writes one JSON document, for --json. Members come in the order of the calls.
class JsonText {
 public:
  void BeginObject() { writer_.StartObject(); }
  void EndObject() { writer_.EndObject(); }
  void BeginArray() { writer_.StartArray(); }
  void EndArray() { writer_.EndArray(); }
  void Key(std::string_view name);
  void Text(std::string_view text);
  void Number(std::size_t number) { writer_.Uint64(number); }
  void Flag(bool value) { writer_.Bool(value); }

  void Member(std::string_view name, std::string_view text) {
    Key(name);
    Text(text);
  }

  // The document, and a newline.
  std::string Finish() const { return std::string(buffer_.GetString(), buffer_.GetSize()) + "\n"; }

 private:
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_{buffer_};
};

}  // namespace walpost::cli

#endif  // WALPOST_CLI_JSON_TEXT_H_
