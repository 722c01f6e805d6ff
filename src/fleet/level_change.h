// What one quantity did from one run to another, of one host or of the same job.
//
// The runs are at different times, so their windows have nothing to do with one another: they are
// pooled. Each run's level is the mean of its buckets, with an error that takes into account that a
// second is like those before it (stats/mean_error.h, batches of a quarter of the run). A change is
// told if its interval does not hold 0 and it is as large as what is worth a word: of a saturation
// signal the least rise that the detector asks (detect/saturation_signals.h), of the rest as
// between hosts (kLimit times resolution.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "fleet/matching.h"
#include "fleet/resolution.h"

namespace reveal::fleet {

// So that of a thousand quantities that did not change about one is told.
inline constexpr double kChangeConfidence = 0.999;
// Blocks of a quarter: what goes up and down in minutes then is in the error.
inline constexpr std::size_t kBatchesInRun = 4;

// A mean, and the interval that holds the true one with kChangeConfidence.
struct Interval {
  double value = 0;
  double low = 0;
  double high = 0;
};

struct LevelChange {
  Quantity quantity;
  // Events that one of the runs has none of, counted over the whole run. Intervals are those of
  // Poisson's distribution; `change` has that of the run that has some.
  bool is_first_seen = false;
  Interval before;
  Interval after;
  Interval change;   // after less before
  double least = 0;  // the smallest change that is told

  // Returns the change in units of the least one; 1 or more.
  double effect() const;
};

struct ChangeResult {
  std::optional<LevelChange> change;  // nothing: none that is told
  bool moved = false;  // whether the quantity was anything but one and the same number
};

// Compares the first host's levels, before, with the second's, after; all buckets last `bucket_ns`.
// REQUIRES: two hosts that have the quantity.
ChangeResult change_of(const ComparedQuantity& compared, std::int64_t bucket_ns,
                       const Surroundings& around);

}  // namespace reveal::fleet
