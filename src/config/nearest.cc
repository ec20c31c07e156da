#include "config/nearest.h"

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/strings.h"

namespace walpost::config {
namespace {

// Optimal string alignment distance, in three rows of the usual table.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string Lower(std::string_view text) { return absl::AsciiStrToLower(ToAbsl(text)); }

}  // namespace

std::string_view Nearest(std::string_view word, std::span<const std::string_view> candidates) {
  // Nobody misspells a name at such length; the table would only cost time.
  if (word.size() > 100) return {};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (std::string_view candidate : candidates) {
    std::size_t distance = EditDistance(Lower(word), Lower(candidate));
    // Every letter of a short word replaced is another word.
    if (distance < best_distance && distance < std::max(word.size(), candidate.size())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string HintFor(std::string_view word, std::span<const std::string_view> candidates,
                    std::string_view what) {
  std::string_view nearest = Nearest(word, candidates);
  if (!nearest.empty()) {
    return absl::StrCat("; hint: did you mean '", ToAbsl(nearest), "'?");
  }
  std::string list;
  for (std::string_view candidate : candidates) {
    absl::StrAppend(&list, list.empty() ? "" : ", ", ToAbsl(candidate));
  }
  return absl::StrCat("; hint: ", ToAbsl(what), ": ", list);
}

}  // namespace walpost::config
