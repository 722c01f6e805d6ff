// The closed segments of a recording that is being written, oldest first: their size on the disk,
// and the removal of the oldest when they expire.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/result.h"

namespace reveal::store {

// How much of a recording its own recorder keeps. The open segment and the journals always stay.
struct Retention {
  std::int64_t keep_ns = 0;     // segments all of whose frames are older go; 0: none for its age
  std::uint64_t max_bytes = 0;  // of segments and journals; above that the oldest go; 0: no limit
};

// What went since the recording began.
struct RetentionTotals {
  std::uint64_t for_age = 0;  // segments
  std::uint64_t for_size = 0;
  std::uint64_t for_space = 0;  // that is to stay free on the disk
  std::int64_t span_ns = 0;     // monotonic time from the first frame removed to the last

  std::uint64_t segments() const { return for_age + for_size + for_space; }
};

struct ClosedSegment {
  std::uint32_t number = 0;
  std::uint64_t bytes = 0;
  std::int64_t begin_ns = 0;  // monotonic time of its first frame, and of its last
  std::int64_t end_ns = 0;
};

class ClosedSegments {
 public:
  explicit ClosedSegments(std::filesystem::path dir) : dir_(std::move(dir)) {}

  void add(ClosedSegment segment);
  // Adds those of an earlier recorder, as they are on the disk. Without `spans` only their bytes
  // count: their times, which take a reading of each, are not needed where nothing is removed.
  base::Result<void> add_from_disk(const std::vector<std::uint32_t>& numbers, bool spans);

  // Removes what `retention` does not keep at monotonic time `now_ns`, while the rest of the
  // recording takes `other_bytes`. A segment that somebody else has removed is not an error.
  base::Result<void> remove(const Retention& retention, std::int64_t now_ns,
                            std::uint64_t other_bytes);

  // Removes the oldest until they had so many bytes together, but neither the newest nor those from
  // number `needed` on. Returns whether there were as many.
  base::Result<bool> free_up(std::uint64_t bytes, std::uint32_t needed);

  // Returns the bytes of those that are there, and of all that ever were.
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t bytes_ever() const { return bytes_ever_; }
  const RetentionTotals& removed() const { return removed_; }
  // Returns the numbers of those that are there.
  std::vector<std::uint32_t> numbers() const;

 private:
  base::Result<void> remove_oldest();

  std::filesystem::path dir_;
  std::deque<ClosedSegment> segments_;
  std::uint64_t bytes_ = 0;
  std::uint64_t bytes_ever_ = 0;
  std::int64_t first_removed_ns_ = 0;
  RetentionTotals removed_;
};

}  // namespace reveal::store
