#include "config/secret_mask.h"

#include <absl/strings/ascii.h>
#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "base/strings.h"

namespace walpost::config {
namespace {

bool IsSpace(char c) { return absl::ascii_isspace(static_cast<unsigned char>(c)); }

// password, sslpassword, oauth_client_secret, scram_client_key and what may follow them.
bool IsSecretKeyword(std::string_view keyword) {
  std::string name = absl::AsciiStrToLower(ToAbsl(keyword));
  return absl::StrContains(name, "password") || absl::StrContains(name, "secret") ||
         absl::StrContains(name, "scram_");
}

// Where the value that begins at `i` ends; nothing when its quote is not closed.
std::optional<std::size_t> ValueEnd(std::string_view text, std::size_t i) {
  bool quoted = i < text.size() && text[i] == '\'';
  if (quoted) ++i;
  for (; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (quoted && text[i] == '\'') {
      return i + 1;
    } else if (!quoted && IsSpace(text[i])) {
      return i;
    }
  }
  if (quoted) return std::nullopt;
  return text.size();
}

// Mirrors conninfo_parse() of libpq: `keyword = value`, spaces around both allowed.
std::optional<std::string> MaskKeywords(std::string_view text) {
  std::string out;
  std::size_t i = 0;
  auto skip_spaces = [&] {
    while (i < text.size() && IsSpace(text[i])) ++i;
  };
  for (skip_spaces(); i < text.size(); skip_spaces()) {
    std::size_t keyword_begin = i;
    while (i < text.size() && text[i] != '=' && !IsSpace(text[i])) ++i;
    std::string_view keyword = text.substr(keyword_begin, i - keyword_begin);
    skip_spaces();
    if (keyword.empty() || i == text.size() || text[i] != '=') return std::nullopt;
    ++i;
    skip_spaces();
    std::optional<std::size_t> end = ValueEnd(text, i);
    if (!end.has_value()) return std::nullopt;
    std::string_view value = text.substr(i, *end - i);
    i = *end;
    // libpq expands a dbname that is itself a conninfo or a URI.
    bool nested = keyword == "dbname" && value.find_first_of("=/@") != std::string_view::npos;
    bool secret = IsSecretKeyword(keyword) || nested;
    absl::StrAppend(&out, out.empty() ? "" : " ", ToAbsl(keyword), "=",
                    ToAbsl(secret ? kMasked : value));
  }
  return out;
}

// `text` begins at the question mark.
std::string MaskQuery(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('&', 1), text.size());
    std::string_view pair = text.substr(0, end);
    text.remove_prefix(end);
    std::string_view name = pair.substr(0, pair.find('='));
    // libpq decodes names too, so one with a percent sign could be any; and an at sign may be the
    // end of a password that holds a question mark.
    bool doubtful = pair.find('=') == std::string_view::npos ||
                    pair.find('@') != std::string_view::npos ||
                    name.find('%') != std::string_view::npos;
    if (doubtful) {
      absl::StrAppend(&out, ToAbsl(pair.substr(0, 1)), ToAbsl(kMasked));
    } else if (IsSecretKeyword(name)) {
      absl::StrAppend(&out, ToAbsl(name), "=", ToAbsl(kMasked));
    } else {
      absl::StrAppend(&out, ToAbsl(pair));
    }
  }
  return out;
}

std::string MaskUri(std::string_view text) {
  std::size_t rest = text.find("://") + 3;
  std::size_t colon = text.find(':', rest);
  // The last one, since a password may hold an at sign that should have been encoded.
  std::size_t at = text.rfind('@');
  std::string out(text.substr(0, rest));
  if (at != std::string_view::npos && colon < at && colon < text.find('?')) {
    absl::StrAppend(&out, ToAbsl(text.substr(rest, colon + 1 - rest)), ToAbsl(kMasked));
    rest = at;
  }
  std::size_t question = std::min(text.find('?', rest), text.size());
  absl::StrAppend(&out, ToAbsl(text.substr(rest, question - rest)));
  return out + MaskQuery(text.substr(question));
}

}  // namespace

std::string MaskConninfo(std::string_view conninfo) {
  if (conninfo.starts_with("postgresql://") || conninfo.starts_with("postgres://")) {
    return MaskUri(conninfo);
  }
  return MaskKeywords(conninfo).value_or(std::string(kMasked));
}

bool IsSecretProperty(std::string_view name) {
  constexpr std::array<std::string_view, 6> kSecret = {"password",    "secret",      "sasl.jaas",
                                                       "ssl.key.pem", "oauthbearer", "passphrase"};
  std::string lower = absl::AsciiStrToLower(ToAbsl(name));
  return std::any_of(kSecret.begin(), kSecret.end(),
                     [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

}  // namespace walpost::config
