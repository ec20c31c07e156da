#ifndef WALPOST_OUTBOX_HEADER_LIST_H_
#define WALPOST_OUTBOX_HEADER_LIST_H_

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "walpost/outbox_event.h"

namespace walpost::outbox {

// The headers of one event and the texts that were made for them. Its memory is used again from
// event to event.
class HeaderList {
 public:
  void Clear() {
    headers_.clear();
    texts_used_ = 0;
  }

  // Both must live as long as the event: in the rule, in the row, or in a NewText().
  void Add(std::string_view name, std::optional<std::string_view> value) {
    headers_.push_back({name, value});
  }

  // An empty text that keeps its place until Clear().
  std::string& NewText() {
    if (texts_used_ == texts_.size()) texts_.emplace_back();
    std::string& text = texts_[texts_used_++];
    text.clear();
    return text;
  }
  std::string_view Keep(std::string_view text) { return NewText().assign(text); }

  std::span<const EventHeader> all() const { return headers_; }

 private:
  std::vector<EventHeader> headers_;
  std::deque<std::string> texts_;
  std::size_t texts_used_ = 0;
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_HEADER_LIST_H_
