// What a message of levels says besides the levels: of the second that just ended, and of one that
// is told later from the recording.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "fleet/level_stream.h"
#include "model/metric.h"
#include "wire/levels.h"

namespace reveal::publish {

// What the host's own detectors say of a bucket; nothing where they do not know what is usual.
struct HostVerdict {
  int votes = 0;
  double strength = 0;
  std::array<double, model::kSubsystemCount> shares{};
};

// Returns the run that a stream is of.
std::uint64_t run_of(const fleet::LevelStream& stream);

// Returns the number of a bucket in the run; negative before its begin, if the clock was set back.
std::int64_t number_of(const fleet::LevelStream& stream, std::int64_t begin_ns);

// Returns how far the host's clock may be off, as messages say it.
std::uint32_t clock_error_us(const fleet::LevelBucket& bucket);

// REQUIRES: the bucket is of the stream, and its number is not negative.
wire::LevelsHead levels_head(const fleet::LevelStream& stream, const fleet::LevelBucket& bucket,
                             const std::optional<HostVerdict>& verdict, std::uint32_t dictionary);

}  // namespace reveal::publish
