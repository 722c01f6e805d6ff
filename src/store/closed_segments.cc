#include "store/closed_segments.h"

#include <cerrno>

#include <unistd.h>

#include "store/recording_dir.h"

namespace reveal::store {

using base::Result;

void ClosedSegments::add(ClosedSegment segment) {
  bytes_ += segment.bytes;
  bytes_ever_ += segment.bytes;
  segments_.push_back(segment);
}

Result<void> ClosedSegments::remove(const Retention& retention, std::int64_t now_ns,
                                    std::uint64_t other_bytes) {
  while (!segments_.empty()) {
    const bool old = retention.keep_ns > 0 && now_ns - segments_.front().end_ns > retention.keep_ns;
    const bool large = retention.max_bytes > 0 && bytes_ + other_bytes > retention.max_bytes;
    if (!old && !large) break;
    ++(old ? removed_.for_age : removed_.for_size);
    if (const auto gone = remove_oldest(); !gone) return gone;
  }
  return {};
}

// One that cannot be removed is not tried again: that would cost every tick from then on.
Result<void> ClosedSegments::remove_oldest() {
  const ClosedSegment oldest = segments_.front();
  segments_.pop_front();
  bytes_ -= oldest.bytes;
  if (removed_.for_age + removed_.for_size == 1) first_removed_ns_ = oldest.begin_ns;
  removed_.span_ns = oldest.end_ns - first_removed_ns_;
  const std::filesystem::path path = dir_ / segment_name(oldest.number);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    return base::fail_errno(errno, "cannot remove an expired segment", path.string());
  }
  return {};
}

std::vector<std::uint32_t> ClosedSegments::numbers() const {
  std::vector<std::uint32_t> out;
  for (const ClosedSegment& segment : segments_) out.push_back(segment.number);
  return out;
}

}  // namespace reveal::store
