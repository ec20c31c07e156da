#include "config/option_store.h"

#include <absl/strings/str_cat.h>

#include <algorithm>

#include "base/status_macros.h"
#include "base/strings.h"
#include "config/nearest.h"

namespace walpost::config {

absl::Status StoreText(const OptionValue& value, std::string& out) {
  out = value.text;
  return absl::OkStatus();
}

absl::Status StoreText(const OptionValue& value, std::optional<std::string>& out) {
  out = value.text;
  return absl::OkStatus();
}

absl::Status StoreMap(const OptionValue& value, NamedTexts& out) {
  out = value.map;
  return absl::OkStatus();
}

absl::Status StoreMap(const OptionValue& value, std::optional<NamedTexts>& out) {
  out = value.map;
  return absl::OkStatus();
}

absl::Status StoreSize(const OptionValue& value, std::size_t& out) {
  WALPOST_ASSIGN_OR_RETURN(out, ParseSize(value.text));
  return absl::OkStatus();
}

absl::Status StoreCount(const OptionValue& value, std::size_t& out) {
  WALPOST_ASSIGN_OR_RETURN(out, ParseCount(value.text));
  return absl::OkStatus();
}

absl::Status StoreDuration(const OptionValue& value, absl::Duration& out) {
  WALPOST_ASSIGN_OR_RETURN(out, ParseDuration(value.text));
  return absl::OkStatus();
}

absl::StatusOr<std::size_t> IndexIn(std::span<const std::string_view> allowed,
                                    std::string_view text) {
  auto found = std::find(allowed.begin(), allowed.end(), text);
  if (found != allowed.end()) return static_cast<std::size_t>(found - allowed.begin());
  std::string list;
  for (std::string_view one : allowed) {
    absl::StrAppend(&list, list.empty() ? "" : ", ", ToAbsl(one));
  }
  std::string_view nearest = Nearest(text, allowed);
  std::string hint =
      nearest.empty() ? "" : absl::StrCat("; hint: did you mean '", ToAbsl(nearest), "'?");
  return absl::InvalidArgumentError(absl::StrCat(Quoted(text), " is not one of: ", list, hint));
}

absl::Status StoreOneOf(std::span<const std::string_view> allowed, const OptionValue& value,
                        std::string& out) {
  WALPOST_RETURN_IF_ERROR(IndexIn(allowed, value.text).status());
  out = value.text;
  return absl::OkStatus();
}

absl::Status StoreOneOf(std::span<const std::string_view> allowed, const OptionValue& value,
                        std::optional<std::string>& out) {
  WALPOST_RETURN_IF_ERROR(IndexIn(allowed, value.text).status());
  out = value.text;
  return absl::OkStatus();
}

}  // namespace walpost::config
