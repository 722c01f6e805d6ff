// Which quantities of a host its levels tell, in which order, and their codes: the dictionary.
//
// A quantity is told from its first level on. It is no more if it has had none for ten minutes, as
// of a control group that is gone, but only once another one comes: each change costs a dictionary,
// and a key message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/level_stream.h"
#include "wire/dictionary.h"
#include "wire/level_code.h"

namespace reveal::publish {

inline constexpr std::int64_t kDictionaryHolds_ns = 10'000'000'000;  // at least, however much comes
inline constexpr std::int64_t kToldWithoutLevel_ns = 600'000'000'000;

// Returns a quantity as a dictionary has it. `memory_bytes` is that of the host; NaN: unknown.
wire::Quantity wire_quantity(const fleet::Quantity& quantity, double memory_bytes);

class LevelCodes {
 public:
  // Takes a bucket's levels; `stream` is where it is from. Returns whether the dictionary is
  // another one from this bucket on. Fails if it would be larger than a message can be; then it
  // stays as it was.
  base::Result<bool> take(const fleet::LevelStream& stream, const fleet::LevelBucket& bucket);

  // Of the last bucket; empty if no quantity has had a level yet.
  std::span<const wire::Code> codes() const { return codes_; }
  // The plain bytes of the dictionary, and its number.
  const wire::Bytes& plain() const { return plain_; }
  std::uint32_t number() const { return number_; }
  // The keys of its quantities, and their floors, in the order of the codes.
  const std::vector<std::string>& keys() const { return keys_; }
  std::span<const std::uint16_t> floors() const { return floors_; }

 private:
  bool is_due(std::int64_t now_ns) const;
  base::Result<bool> choose(const fleet::LevelStream& stream, std::int64_t now_ns);

  // By place in a bucket's levels.
  std::vector<std::int64_t> had_ns_;  // when the bucket began that had a level; 0: none
  std::vector<bool> is_told_;
  // By place in the dictionary.
  std::vector<std::size_t> places_;
  std::vector<std::string> keys_;
  std::vector<std::uint16_t> floors_;
  std::vector<wire::Code> codes_;
  wire::Bytes plain_;
  std::uint32_t number_ = 0;
  std::int64_t chosen_ns_ = 0;
};

}  // namespace reveal::publish
