// The files of a recording and of its rollups, for tests of what is removed of them: as they lie in
// the folder, by nobody's count.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

#include "store/recording_dir.h"
#include "store/segment_reader.h"
#include "store/segment_span.h"

namespace reveal::agent {

class RecordedFiles {
 public:
  explicit RecordedFiles(std::filesystem::path dir) : dir_(std::move(dir)) {
    std::error_code failed;
    for (std::filesystem::directory_iterator it(dir_, failed), end; !failed && it != end;
         it.increment(failed)) {
      std::error_code ignored;
      if (!it->is_regular_file(ignored)) continue;
      bytes_ += it->file_size(ignored);
      const auto number = store::segment_number(it->path().filename().string());
      if (number) segments_[*number] = it->file_size(ignored);
    }
  }

  // Returns what the files take; not what folders in it take.
  std::uint64_t bytes() const { return bytes_; }
  // Returns the size of each segment.
  const std::map<std::uint32_t, std::uint64_t>& segments() const { return segments_; }

  // Returns the segments that were there and are not there `now`. They must be the oldest, and the
  // newest must not be among them.
  std::vector<std::uint32_t> gone(const RecordedFiles& now) const {
    std::vector<std::uint32_t> out;
    for (const auto& [number, bytes] : segments_) {
      if (!now.segments_.contains(number)) out.push_back(number);
    }
    if (out.empty()) return out;
    EXPECT_FALSE(now.segments_.empty()) << dir_ << ": the newest has gone";
    if (!now.segments_.empty()) {
      EXPECT_LT(out.back(), now.segments_.begin()->first) << dir_ << ": not the oldest has gone";
    }
    return out;
  }

  // Returns the monotonic time of the last frame of each segment, as far as they have one.
  std::map<std::uint32_t, std::int64_t> ends_ns() const {
    std::map<std::uint32_t, std::int64_t> out;
    for (const auto& [number, bytes] : segments_) {
      const auto span = store::segment_span(dir_ / store::segment_name(number));
      if (span && *span) out[number] = (*span)->end_mono_ns;
    }
    return out;
  }

  // Returns the sequences of all frames, in their order. Nothing may be damaged.
  std::vector<std::uint64_t> sequences() const {
    std::vector<std::uint64_t> out;
    auto reader = store::SegmentReader::open(dir_);
    EXPECT_TRUE(reader) << reader.error().message();
    if (!reader) return out;
    for (;;) {
      const auto frame = reader->next();
      EXPECT_TRUE(frame) << frame.error().message();
      if (!frame || *frame == nullptr) break;
      out.push_back((*frame)->sequence);
    }
    EXPECT_TRUE(reader->damage().empty());
    return out;
  }

 private:
  std::filesystem::path dir_;
  std::uint64_t bytes_ = 0;
  std::map<std::uint32_t, std::uint64_t> segments_;
};

}  // namespace reveal::agent
