// An adaptive binary range coder: docs/storage_format.md, "Range coding". Every decision is coded
// at the cost of its probability, and the probability is learned from the decisions before it, by
// encoder and decoder alike. Its parts are small and inline, because each sample passes here.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "store/bytes.h"

namespace reveal::store {

// The probability that one kind of decision is yes, in steps of 1/65536. It learns fast at first,
// since a column has only some hundred samples to learn from, and then forgets what is long ago.
class BitProbability {
 public:
  std::uint32_t yes() const { return yes_; }

  void learn(bool bit) {
    const std::uint32_t rate = kRate[seen_];
    const std::uint32_t up = ((kMax - yes_) * rate) >> 16;
    const std::uint32_t down = ((yes_ - kMin) * rate) >> 16;
    yes_ = static_cast<std::uint16_t>(bit ? yes_ + up : yes_ - down);
    seen_ = static_cast<std::uint16_t>(seen_ + (seen_ < kMemory ? 1 : 0));
  }

 private:
  static constexpr std::uint32_t kMin = 32;
  static constexpr std::uint32_t kMax = 65536 - kMin;
  static constexpr std::uint32_t kMemory = 80;
  // 1 / (seen + 1.6), of 65536.
  static constexpr std::array<std::uint32_t, kMemory + 1> kRate = [] {
    std::array<std::uint32_t, kMemory + 1> rates{};
    for (std::uint32_t seen = 0; seen <= kMemory; ++seen) {
      rates[seen] = 655'360 / (10 * seen + 16);
    }
    return rates;
  }();

  std::uint16_t yes_ = 32768;
  std::uint16_t seen_ = 0;
};

// A call for each decision costs a third of the speed; compilers differ in what they inline here.
#define REVEAL_INLINE [[gnu::always_inline]] inline

// Below this the range is widened by four bytes. It is never widened bit by bit: whether to do so
// would be a branch that no processor can predict.
inline constexpr std::uint64_t kRangeFloor = std::uint64_t{1} << 32;
inline constexpr int kMaxRawBits = 16;  // coded at once

class RangeEncoder {
 public:
  // Appends to `out`, which must outlive this object.
  explicit RangeEncoder(Bytes& out) : out_(&out), begin_(out.size()) {}

  // Codes one decision and returns it.
  REVEAL_INLINE bool bit(BitProbability& probability, bool value) {
    const std::uint64_t part = (range_ >> 16) * probability.yes();
    add(value ? 0 : part);
    range_ = value ? part : range_ - part;
    probability.learn(value);
    if (range_ < kRangeFloor) shift();
    return value;
  }

  // Codes the lowest `count` bits of `value`, all equally likely, and returns `value`.
  REVEAL_INLINE std::uint64_t raw(std::uint64_t value, int count) {
    for (int left = count; left > 0;) {
      const int now = left < kMaxRawBits ? left : kMaxRawBits;
      left -= now;
      range_ >>= now;
      add(range_ * ((value >> left) & ((1U << now) - 1)));
      if (range_ < kRangeFloor) shift();
    }
    return value;
  }

  // Ends the code in as few bytes as tell it from others; zeros at the end go unwritten.
  void finish() {
    for (int zeros = 63; zeros > 0; --zeros) {
      const std::uint64_t mask = (std::uint64_t{1} << zeros) - 1;
      const std::uint64_t up = (~low_ + 1) & mask;  // to the next number with so many zeros
      if (up >= range_) continue;
      add(up);
      break;
    }
    shift();
    shift();
    while (out_->size() > begin_ && out_->back() == 0) out_->pop_back();
  }

 private:
  REVEAL_INLINE void add(std::uint64_t part) {
    low_ += part;
    if (low_ < part) [[unlikely]] {
      carry();
    }
  }

  // The code is less than one, so a carry always ends within what was written.
  void carry() {
    std::size_t at = out_->size();
    while (++(*out_)[--at] == 0) {
    }
  }

  REVEAL_INLINE void shift() {
    for (int from = 56; from >= 32; from -= 8) {
      out_->push_back(static_cast<std::uint8_t>(low_ >> from));
    }
    low_ <<= 32;
    range_ <<= 32;
  }

  Bytes* out_;
  std::size_t begin_;
  std::uint64_t low_ = 0;
  std::uint64_t range_ = ~std::uint64_t{0};
};

// Reads what RangeEncoder wrote. Any bytes decode to something; beyond their end there are zeros.
class RangeDecoder {
 public:
  explicit RangeDecoder(ByteView bytes)
      : next_(bytes.data() + std::min(bytes.size(), kFirstBytes)),
        end_(bytes.data() + bytes.size()),
        code_(first_of(bytes)) {}

  // The arguments that are not named only make encoder and decoder look alike.
  REVEAL_INLINE bool bit(BitProbability& probability, bool = false) {
    const std::uint64_t part = (range_ >> 16) * probability.yes();
    const bool value = code_ < part;
    range_ = value ? part : range_ - part;
    code_ -= value ? 0 : part;
    probability.learn(value);
    if (range_ < kRangeFloor) refill();
    return value;
  }

  REVEAL_INLINE std::uint64_t raw(std::uint64_t, int count) {
    std::uint64_t value = 0;
    for (int left = count; left > 0;) {
      const int now = left < kMaxRawBits ? left : kMaxRawBits;
      left -= now;
      range_ >>= now;
      std::uint64_t part = code_ / range_;
      const std::uint64_t most = (1U << now) - 1;
      if (part > most) part = most;  // only in damaged bytes
      code_ -= part * range_;
      value = (value << now) | part;
      if (range_ < kRangeFloor) refill();
    }
    return value;
  }

 private:
  static constexpr std::size_t kFirstBytes = 8;

  static std::uint64_t first_of(ByteView bytes) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < kFirstBytes; ++i) {
      out = (out << 8) | (i < bytes.size() ? bytes[i] : std::uint8_t{0});
    }
    return out;
  }
  REVEAL_INLINE std::uint32_t four_bytes() {
    std::uint32_t four = 0;
    for (int i = 0; i < 4; ++i) four = (four << 8) | (next_ < end_ ? *next_++ : std::uint8_t{0});
    return four;
  }
  REVEAL_INLINE void refill() {
    range_ <<= 32;
    code_ = (code_ << 32) | four_bytes();
  }

  const std::uint8_t* next_;
  const std::uint8_t* end_;
  std::uint64_t range_ = ~std::uint64_t{0};
  std::uint64_t code_;
};

}  // namespace reveal::store
