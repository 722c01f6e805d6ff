// The value encoding of Gorilla (Pelkonen et al., VLDB 2015, section 4.1.2), to compare with: the
// first value whole, then the XOR with the value before: one bit 0 if there is no difference; else
// 10 and the meaningful bits where those of the XOR before lie around them, or 11, 5 bits of
// leading zeros, 6 bits of length and the meaningful bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace reveal::bench {

class BitWriter {
 public:
  void put(std::uint64_t value, int count) {
    for (int bit = count - 1; bit >= 0; --bit) {
      if (used_ % 8 == 0) bytes_.push_back(0);
      const auto set = static_cast<std::uint8_t>((value >> bit) & 1U);
      bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | (set << (7 - used_ % 8)));
      ++used_;
    }
  }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t used_ = 0;
};

inline std::vector<std::uint8_t> gorilla(std::span<const std::uint64_t> values) {
  BitWriter out;
  out.put(values[0], 64);
  int leading = 65;
  int trailing = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const std::uint64_t difference = values[i] ^ values[i - 1];
    if (difference == 0) {
      out.put(0, 1);
      continue;
    }
    const int zeros = std::min(31, std::countl_zero(difference));
    const int zeros_after = std::countr_zero(difference);
    if (leading <= zeros && trailing <= zeros_after) {
      out.put(0b10, 2);
      out.put(difference >> trailing, 64 - leading - trailing);
      continue;
    }
    leading = zeros;
    trailing = zeros_after;
    const int length = 64 - leading - trailing;
    out.put(0b11, 2);
    out.put(static_cast<std::uint64_t>(leading), 5);
    out.put(static_cast<std::uint64_t>(length) & 63U, 6);
    out.put(difference >> trailing, length);
  }
  return out.take();
}

}  // namespace reveal::bench
