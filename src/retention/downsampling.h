// Retention in rollups: what is old in a recording becomes a recording of fewer frames beside it,
// what is old in that one becomes a still coarser one, and what is old there goes.
//
//   DIR             full rate, as recorded
//   DIR/1s          a frame a second, of what is older
//   DIR/1min        a frame a minute, of what is older than that
//   DIR/evidence    full rate, around the findings of reports, of what is older than DIR
//
// Whole segments move, and only closed ones, so a recorder may go on in DIR meanwhile. What
// replaces a segment is on the disk before the segment goes; what is there already is not made
// again. So it may be killed at any moment, and costs nothing but doing the rest later.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.h"
#include "retention/wall_spans.h"

namespace reveal::retention {

struct RetentionAges {
  std::int64_t full_ns = 0;    // older frames go to a frame a second,
  std::int64_t second_ns = 0;  // from there to a frame a minute,
  std::int64_t minute_ns = 0;  // and from there away
};

struct DownsampleOptions {
  std::filesystem::path directory;
  RetentionAges ages;
  std::int64_t now_ns = 0;         // wall time from which ages count
  std::vector<WallSpan> evidence;  // spans of time in which frames stay as they are
  // Monotonic time of the recording's newest frame: a segment is old only if it is by this, too.
  // The wall clock may have been set while the recording ran. Nothing: the wall time alone counts.
  std::optional<std::int64_t> newest_mono_ns = std::nullopt;
};

// What became of one recording's oldest segments.
struct DownsampleStep {
  std::filesystem::path from;
  std::filesystem::path to;  // empty: removed
  std::uint64_t segments = 0;
  std::uint64_t frames_added = 0;  // to `to`
  std::uint64_t damaged_places = 0;
};

struct DownsampleResult {
  std::vector<DownsampleStep> steps;  // those that did anything
  std::uint64_t evidence_frames = 0;  // added
};

// Fails if there is no recording, or another downsampling is at work, or
// anything cannot be read or written; what was done until then is done.
base::Result<DownsampleResult> downsample(const DownsampleOptions& options);

}  // namespace reveal::retention
