#include "cli/json_text.h"

namespace walpost::cli {

void JsonText::Key(std::string_view name) {
  writer_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
}

void JsonText::Text(std::string_view text) {
  writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

}  // namespace walpost::cli
