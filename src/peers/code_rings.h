// Rings of numbers, as codes of two bytes (wire/level_code.h): of more than `length`, the oldest
// go.
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
  static constexpr std::size_t kMostLength = 254;

  // REQUIRES: the length is at most kMostLength.
  explicit CodeRings(std::size_t length) : length_(length) {}

  std::size_t length() const { return length_; }
  std::size_t rings() const { return states_.size(); }

  static wire::Code code_of(float number) { return wire::code_of(number, kFloor); }
  static float number_of(wire::Code code) { return wire::level_of(code, kFloor); }

  // Gets memory for so many rings, in one piece.
  void reserve(std::size_t rings) {
    codes_.reserve(rings * length_);
    states_.reserve(rings);
  }
  // Makes room for more rings, after those that are there.
  void grow(std::size_t rings) {
    codes_.resize(rings * length_);
    states_.resize(rings);
  }

  // Takes over what a ring of another one of the same length has.
  void copy(const CodeRings& other, std::size_t from, std::size_t to) {
    std::ranges::copy(other.ring(from), ring(to).begin());
    states_[to] = other.states_[from];
  }

  // Has one number so many times, in place of all that is there. REQUIRES: at most length() times.
  void set(std::size_t which, float number, std::size_t times) {
    std::ranges::fill(ring(which).first(times), code_of(number));
    states_[which] = {.next = static_cast<std::uint8_t>(times % length_),
                      .kept = static_cast<std::uint8_t>(times)};
  }

  // Keeps a number. Returns false if the same numbers were there after the call before.
  bool keep(std::size_t which, float number) {
    auto& state = states_[which];
    auto& slot = ring(which)[state.next];
    const auto code = code_of(number);
    // What set() had there was not kept by a call before.
    const bool changes = state.kept <= length_ || slot != code;
    slot = code;
    state.next = static_cast<std::uint8_t>((state.next + 1U) % length_);
    if (state.kept <= length_) ++state.kept;
    return changes;
  }

  // Returns how many are there.
  std::size_t kept(std::size_t which) const {
    return std::min<std::size_t>(length_, states_[which].kept);
  }
  // Returns them, in no order.
  std::span<const wire::Code> of(std::size_t which) const { return ring(which).first(kept(which)); }

 private:
  static constexpr std::uint16_t kFloor = 1;

  struct State {
    std::uint8_t next = 0;  // where the next number goes
    std::uint8_t kept = 0;  // how many ever were; more than the length are one more than that
  };

  std::span<wire::Code> ring(std::size_t which) {
    return std::span(codes_).subspan(which * length_, length_);
  }
  std::span<const wire::Code> ring(std::size_t which) const {
    return std::span(codes_).subspan(which * length_, length_);
  }

  std::size_t length_;
  std::vector<wire::Code> codes_;  // by ring
  std::vector<State> states_;      // by ring
};

}  // namespace reveal::peers
