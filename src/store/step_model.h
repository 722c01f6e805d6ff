// How the steps of a column are coded: docs/storage_format.md, "Coded steps". One template serves
// encoder and decoder, so that they cannot differ. A step is what a value adds to the one before.
// Most steps are zero, and which are not is best told by another column that moved at the same
// tick, its reference: a page that is freed leaves one counter and enters the next.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "store/range_coder.h"

namespace reveal::store {

// Returns how many bits a number has up to its highest that is set; of 0, none.
inline int bit_length(std::uint64_t number) {
  return static_cast<int>(std::bit_width(number));
}

// Sums and differences modulo 2^64, read as signed; and how far a number is from zero.
inline std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
inline std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
inline std::uint64_t size_of(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return number < 0 ? ~bits + 1 : bits;
}

// Which steps a column has to say: the others are zero. Tick 0 has none.
using TickList = std::vector<std::uint16_t>;

// What a column's steps are coded against.
struct StepContext {
  std::span<const std::int64_t> reference;  // steps of the reference by tick; empty without one
  bool residual = false;                    // code what is not equal as the difference from it
  int shortest = 1;                         // bits of the smallest step that is coded as it is
};

// Codes whole numbers other than zero: the sign, how long they are, what follows the highest bit,
// the rest.
class NumberModel {
 public:
  // No number has fewer than `shortest` bits, of 1 to 64.
  explicit NumberModel(int shortest) : shortest_(shortest) {}

  template <typename Coder>
  REVEAL_INLINE std::int64_t code(Coder& coder, std::int64_t number) {
    const bool negative = coder.bit(negative_, number < 0);
    const std::uint64_t size = code_size(coder, size_of(number));
    return static_cast<std::int64_t>(negative ? ~size + 1 : size);
  }

 private:
  // Bits below the highest whose probabilities are learned.
  static constexpr std::size_t kLearned = 3;

  template <typename Coder>
  REVEAL_INLINE std::uint64_t code_size(Coder& coder, std::uint64_t number) {
    const int length = code_length(coder, number == 0 ? 1 : bit_length(number));
    std::uint64_t out = 1;
    int rest = length - 1;
    for (std::size_t i = 0; i < kLearned && rest > 0; ++i) {
      --rest;
      BitProbability& probability = top_[static_cast<std::size_t>(length)][out - 1];
      out = (out << 1) | (coder.bit(probability, ((number >> rest) & 1) != 0) ? 1U : 0U);
    }
    if (rest == 0) return out;
    return (out << rest) | coder.raw(number & ((std::uint64_t{1} << rest) - 1), rest);
  }

  // A length is told by how many of those above the shortest it is not.
  template <typename Coder>
  REVEAL_INLINE int code_length(Coder& coder, int length) {
    int out = shortest_;
    while (out < 64 && coder.bit(longer_[static_cast<std::size_t>(out)], length > out)) ++out;
    return out;
  }

  BitProbability negative_;
  std::array<BitProbability, 64> longer_;
  std::array<std::array<BitProbability, 7>, 65> top_;
  int shortest_;
};

class StepModel {
 public:
  explicit StepModel(const StepContext& context)
      : context_(context),
        alone_(context.shortest),
        beside_(context.residual ? 1 : context.shortest) {}

  // Codes the steps at `ticks`; the encoder reads them, the decoder fills them in.
  template <typename Coder>
  void code(Coder& shared, const TickList& ticks, std::span<std::int64_t> steps) {
    Coder coder = shared;  // lives in registers
    unsigned history = 0;
    bool alike = true;
    for (const std::uint16_t tick : ticks) {
      const std::int64_t other = context_.reference.empty() ? 0 : context_.reference[tick];
      std::int64_t& step = steps[tick];
      const unsigned place = (history & 7U) | (other != 0 ? 8U : 0U);
      const bool moved = coder.bit(moved_[place], step != 0);
      history = (history << 1) | (moved ? 1U : 0U);
      if (!moved) continue;
      if (other == 0) {
        step = alone_.code(coder, step);
        continue;
      }
      alike = coder.bit(alike_[alike ? 1 : 0], step == other);
      if (alike) {
        step = other;
      } else if (context_.residual) {
        step = plus(other, beside_.code(coder, minus(step, other)));
      } else {
        step = beside_.code(coder, step);
      }
    }
    shared = coder;
  }

 private:
  StepContext context_;
  std::array<BitProbability, 16> moved_;
  std::array<BitProbability, 2> alike_;
  NumberModel alone_;
  NumberModel beside_;
};

}  // namespace reveal::store
