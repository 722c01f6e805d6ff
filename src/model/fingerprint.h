// What a run is recognized by, wherever its recording was copied to and whatever part of it is
// read: the lowest of its frames' hashes (a bottom-k sample, Cohen and Kaplan 2007). A hash is of a
// frame's time and of what was read in it, so two runs have one in common only if they have the
// frame in common. It guards against mistakes, not against a forger.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/frame.h"

namespace reveal::model {

class Fingerprint {
 public:
  // All frames of some seven minutes at the usual interval; of longer runs a sample.
  static constexpr std::size_t kMost = 4096;

  Fingerprint() = default;
  // REQUIRES: are_hashes(hashes).
  explicit Fingerprint(std::vector<std::uint64_t> hashes);

  // Returns whether hashes() may have returned these.
  static bool are_hashes(const std::vector<std::uint64_t>& hashes);

  void add(const Frame& frame);

  // Returns at most kMost, ascending, each once.
  std::vector<std::uint64_t> hashes() const;

  // Returns the share of this run's frames that the other has too, 0 to 1. Estimated where one of
  // the runs is longer than kMost frames; a part of less than a thousandth may then go unseen.
  double share_in(const Fingerprint& other) const;

 private:
  std::vector<std::uint64_t> lowest_;  // a heap, the highest first
};

}  // namespace reveal::model
