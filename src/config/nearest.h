#ifndef WALPOST_CONFIG_NEAREST_H_
#define WALPOST_CONFIG_NEAREST_H_

#include <span>
#include <string>
#include <string_view>

namespace walpost::config {

// The candidate that `word` was most likely meant to be: the one with the fewest edits (insert,
// delete, replace, swap of neighbours; case does not count), the first of several. Empty when even
// that one is too far away to be a slip of the hand.
std::string_view Nearest(std::string_view word, std::span<const std::string_view> candidates);

// The end of an error message for an unknown `word`: `; hint: did you mean 'slot'?`, or, when
// nothing is near, `; hint: WHAT: a, b, c`.
std::string HintFor(std::string_view word, std::span<const std::string_view> candidates,
                    std::string_view what);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_NEAREST_H_
