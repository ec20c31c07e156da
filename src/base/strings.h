#ifndef WALPOST_BASE_STRINGS_H_
#define WALPOST_BASE_STRINGS_H_

#include <absl/strings/string_view.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace walpost {

// Debian builds absl with its own string_view, which does not convert to or from the standard one.
// Ours are standard; this is the one place where they meet.
inline absl::string_view ToAbsl(std::string_view s) { return {s.data(), s.size()}; }
inline std::string_view ToStd(absl::string_view s) { return {s.data(), s.size()}; }

// Lets a std::unordered_map<std::string, ...> be searched with a std::string_view: no allocation
// for a look-up.
struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
};

}  // namespace walpost

#endif  // WALPOST_BASE_STRINGS_H_
