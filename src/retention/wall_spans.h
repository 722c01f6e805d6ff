// Spans of time whose frames are kept as they were recorded: the evidence of a recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace reveal::retention {

// Kept before a finding and after it: what led to it, and whether it was over.
inline constexpr std::int64_t kEvidenceMargin_ns = 30'000'000'000;

// Wall time, ns since the epoch; both ends belong to it.
struct WallSpan {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  friend bool operator==(const WallSpan&, const WallSpan&) = default;
};

// Orders spans and makes those that touch one.
std::vector<WallSpan> joined(std::vector<WallSpan> spans);

// Returns which of the spans, joined as above, a time is in.
std::optional<std::size_t> span_of(const std::vector<WallSpan>& spans, std::int64_t wall_ns);

}  // namespace reveal::retention
