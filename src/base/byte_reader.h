#ifndef WALPOST_BASE_BYTE_READER_H_
#define WALPOST_BASE_BYTE_READER_H_

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace walpost {

// Reads big-endian integers and strings out of bytes that came from outside. Every read checks the
// bound. The first that does not fit makes the reader fail for good: it and all later ones give
// zero or an empty view, so that a decoder may read a whole layout and ask ok() once.
//
// Holds a view: the bytes must outlive the reader and whatever views it gave. Not thread-safe.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  // Whether every read so far was within the bytes.
  bool ok() const { return ok_; }
  // Where the next read begins, in bytes from the start; after a failure, where the failed read
  // began.
  std::size_t offset() const { return offset_; }
  std::size_t remaining() const { return bytes_.size() - offset_; }
  bool AtEnd() const { return ok_ && remaining() == 0; }

  template <std::integral T>
  T Read() {
    std::string_view raw = ReadBytes(sizeof(T));
    if (raw.empty()) return 0;
    std::make_unsigned_t<T> value = 0;
    std::memcpy(&value, raw.data(), sizeof(T));
    if constexpr (std::endian::native == std::endian::little) value = Swap(value);
    return static_cast<T>(value);
  }

  std::string_view ReadBytes(std::size_t n) {
    if (!ok_ || n > remaining()) {
      ok_ = false;
      return {};
    }
    std::string_view out = bytes_.substr(offset_, n);
    offset_ += n;
    return out;
  }

  // Up to the next NUL, which is consumed and not part of the result. Fails when there is none.
  std::string_view ReadCString() {
    if (!ok_) return {};
    std::size_t end = bytes_.find('\0', offset_);
    if (end == std::string_view::npos) {
      ok_ = false;
      return {};
    }
    std::string_view out = bytes_.substr(offset_, end - offset_);
    offset_ = end + 1;
    return out;
  }

 private:
  template <typename U>
  static U Swap(U v) {
    if constexpr (sizeof(U) == 1) return v;
    if constexpr (sizeof(U) == 2) return __builtin_bswap16(v);
    if constexpr (sizeof(U) == 4) return __builtin_bswap32(v);
    if constexpr (sizeof(U) == 8) return __builtin_bswap64(v);
  }

  std::string_view bytes_;
  std::size_t offset_ = 0;
  bool ok_ = true;
};

}  // namespace walpost

#endif  // WALPOST_BASE_BYTE_READER_H_
