#ifndef WALPOST_OUTBOX_NAME_INDEX_H_
#define WALPOST_OUTBOX_NAME_INDEX_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace walpost::outbox {

// Names by their place in a list. A short list is searched from the front; a long one is hashed, so
// that an object of a hundred thousand members does not cost the square of that.
class NameIndex {
 public:
  // Adds a name that is not in the list, behind the others; what it points at must outlive this.
  void Add(std::string_view name);
  std::optional<std::size_t> Find(std::string_view name) const;
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string_view> names_;
  std::unordered_map<std::string_view, std::size_t> places_;  // once the list is long
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_NAME_INDEX_H_
