// Which segments of a recording are old enough to go on to a coarser one, and how they are removed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.h"
#include "retention/downsampler.h"

namespace reveal::retention {

// A recording whose old segments go to the next coarser one.
struct Stage {
  std::filesystem::path dir;
  std::int64_t interval_ns = 0;
  std::int64_t age_ns = 0;
  FineSource kind = FineSource::kRecorded;
};

// The segments of a stage that are old enough.
struct Batch {
  std::vector<std::uint32_t> segments;
  bool whole = false;  // nothing remains after them, and nothing will come
};

// From when ages count.
struct AgesFrom {
  std::int64_t now_ns = 0;                     // wall time
  std::optional<std::int64_t> newest_mono_ns;  // see DownsampleOptions
};

// Returns the numbers of the segments in `dir`, ascending; none if it is absent.
base::Result<std::vector<std::uint32_t>> segments_of(const std::filesystem::path& dir);

// Returns the oldest segments that are old, but not many. `more`: the stage may grow; then its last
// segment stays, for the recorder's is open, and a rollup's says what it has.
base::Result<Batch> next_batch(const Stage& stage, const AgesFrom& from, bool more);

// Removes a segment of the batch; with the last of what a killed recorder left its journals go.
base::Result<void> remove_segment(const std::filesystem::path& dir, std::uint32_t number,
                                  const Batch& batch);

// Returns the bytes of the files in `dir`, also of what is staged there.
std::uint64_t bytes_of_recording(const std::filesystem::path& dir);

// Returns how many of these segments, from the first on, have a rollup that takes at most `most`
// bytes, and half of that unless it is one alone; `bytes` becomes what it takes at most.
std::size_t fitting(const std::filesystem::path& dir, const std::vector<std::uint32_t>& segments,
                    std::uint64_t most, std::uint64_t& bytes);

}  // namespace reveal::retention
