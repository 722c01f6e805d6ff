// The last numbers of each of some quantities, as codes of two bytes (wire/level_code.h): of more
// than `length`, the oldest go.
//
// Codes keep seven bits of any number; below their floor of 1 there is only 0. They have the order
// of their numbers, so order statistics are found among codes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wire/level_code.h"

namespace reveal::peers {

class CodeRings {
 public:
  explicit CodeRings(std::size_t length) : length_(length) {}

  std::size_t length() const { return length_; }

  static wire::Code code_of(float number) { return wire::code_of(number, kFloor); }
  static float number_of(wire::Code code) { return wire::level_of(code, kFloor); }

  // Makes room for more quantities, after those that are there.
  void grow(std::size_t quantities) {
    codes_.resize(quantities * length_);
    kept_.resize(quantities);
  }

  // Takes over what another one of the same length has of a quantity.
  void copy(const CodeRings& other, std::size_t from, std::size_t to) {
    std::ranges::copy(other.ring(from), ring(to).begin());
    kept_[to] = other.kept_[from];
  }

  // Has one number so many times, in place of all that is there.
  void set(std::size_t quantity, float number, std::size_t times) {
    std::ranges::fill(ring(quantity).first(times), code_of(number));
    kept_[quantity] = static_cast<std::uint32_t>(times);
  }

  // Keeps a number. Returns false if the same numbers were there after the call before.
  bool keep(std::size_t quantity, float number) {
    const auto at = kept_[quantity]++;
    auto& slot = ring(quantity)[at % length_];
    const auto code = code_of(number);
    // What set() had there was not kept by a call before.
    const bool changes = at <= length_ || slot != code;
    slot = code;
    return changes;
  }

  // Returns how many were ever kept.
  std::size_t kept(std::size_t quantity) const { return kept_[quantity]; }
  // Returns those that are there, in no order.
  std::span<const wire::Code> of(std::size_t quantity) const {
    return ring(quantity).first(std::min<std::size_t>(length_, kept_[quantity]));
  }

 private:
  static constexpr std::uint16_t kFloor = 1;

  std::span<wire::Code> ring(std::size_t quantity) {
    return std::span(codes_).subspan(quantity * length_, length_);
  }
  std::span<const wire::Code> ring(std::size_t quantity) const {
    return std::span(codes_).subspan(quantity * length_, length_);
  }

  std::size_t length_;
  std::vector<wire::Code> codes_;    // by quantity
  std::vector<std::uint32_t> kept_;  // by quantity
};

}  // namespace reveal::peers
