#include "store/closed_segments.h"

#include <cerrno>
#include <system_error>

#include <unistd.h>

#include "store/recording_dir.h"
#include "store/segment_span.h"

namespace reveal::store {

using base::Result;

void ClosedSegments::add(ClosedSegment segment) {
  bytes_ += segment.bytes;
  bytes_ever_ += segment.bytes;
  segments_.push_back(segment);
}

// A segment without a frame is as old as the one before it.
Result<void> ClosedSegments::add_from_disk(const std::vector<std::uint32_t>& numbers, bool spans) {
  for (const std::uint32_t number : numbers) {
    const std::filesystem::path path = dir_ / segment_name(number);
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(path, error);
    if (error == std::errc::no_such_file_or_directory) continue;
    if (error) return base::fail_errno(error.value(), "cannot read", path.string());
    const std::int64_t before_ns = segments_.empty() ? 0 : segments_.back().end_ns;
    ClosedSegment segment{number, bytes, before_ns, before_ns};
    if (spans) {
      const auto span = segment_span(path);
      if (!span) return base::pass(span);
      if (*span) segment = {number, bytes, (*span)->begin_mono_ns, (*span)->end_mono_ns};
    }
    add(segment);
  }
  return {};
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

Result<bool> ClosedSegments::free_up(std::uint64_t bytes, std::uint32_t needed) {
  std::uint64_t freed = 0;
  while (freed < bytes && segments_.size() > 1 && segments_.front().number < needed) {
    freed += segments_.front().bytes;
    ++removed_.for_space;
    if (const auto gone = remove_oldest(); !gone) return base::pass(gone);
  }
  return freed >= bytes;
}

// One that cannot be removed is not tried again: that would cost every tick from then on.
Result<void> ClosedSegments::remove_oldest() {
  const ClosedSegment oldest = segments_.front();
  segments_.pop_front();
  bytes_ -= oldest.bytes;
  if (removed_.segments() == 1) first_removed_ns_ = oldest.begin_ns;
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
