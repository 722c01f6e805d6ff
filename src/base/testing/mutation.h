// Damaged copies of a text: bytes changed, cut, taken out, put in, repeated. They come from our own
// generator, so that a failure repeats on every machine. Only tests include this.
#pragma once

#include <cstddef>
#include <string>

#include "base/rng.h"

namespace reveal::base {

inline char random_byte(Rng& rng) {
  return static_cast<char>(rng.below(256));
}

inline void edit(std::string& input, Rng& rng) {
  if (input.empty()) {
    input.push_back(random_byte(rng));
    return;
  }
  const std::size_t at = rng.below(input.size());
  switch (rng.below(6)) {
    case 0:
      input[at] = random_byte(rng);
      break;
    case 1:
      input[at] = static_cast<char>(input[at] ^ (1 << rng.below(8)));
      break;
    case 2:
      input.resize(at);
      break;
    case 3:
      input.erase(at, 1 + rng.below(16));
      break;
    case 4:
      input.insert(at, 1, random_byte(rng));
      break;
    default:
      input.insert(at, input.substr(rng.below(input.size()), rng.below(64)));
      break;
  }
}

// Returns the text with one to eight edits.
inline std::string mutated(std::string input, Rng& rng) {
  constexpr std::size_t kMaxEdits = 8;
  const std::size_t edits = 1 + rng.below(kMaxEdits);
  for (std::size_t i = 0; i < edits; ++i) edit(input, rng);
  return input;
}

}  // namespace reveal::base
