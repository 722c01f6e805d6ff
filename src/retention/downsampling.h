// Retention in rollups: old frames of a recording become a recording of fewer frames beside it, old
// frames of that one become a still coarser one, and old frames of the last are removed.
//
//   DIR             full rate, as recorded
//   DIR/1s          a frame a second, of what is older
//   DIR/1min        a frame a minute, of what is older than that
//   DIR/evidence    full rate, around the findings of reports, of what is older than DIR
//
// Only whole, closed segments move, so a recorder may continue in DIR meanwhile. The replacement of
// a segment is on the disk before the segment is removed, and is not made twice. So downsampling
// may be killed at any time; the next run does the rest.
//
// Rollups may be limited in size. If there is no room for what is next, the oldest frames of DIR/1s
// go to DIR/1min before their age, and once there are none, the oldest of DIR/1min go.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "retention/wall_spans.h"

namespace reveal::retention {

struct RetentionAges {
  std::int64_t full_ns = 0;    // older frames go to a frame a second,
  std::int64_t second_ns = 0;  // from there to a frame a minute,
  std::int64_t minute_ns = 0;  // and from there away
  // Both rollups and the evidence take no more, while they are written, too: above that frames go
  // on before their age. 0: any number.
  std::uint64_t rollup_bytes = 0;
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
  std::string too_large;              // why old frames stay as they are, if some do
};

// Fails if there is no recording, if another downsample is running, or on an I/O error. Segments
// already moved stay moved.
base::Result<DownsampleResult> downsample(const DownsampleOptions& options);

}  // namespace reveal::retention
