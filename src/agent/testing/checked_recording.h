// A recorder and `reveal downsample` at work in one folder, checked at each step: which frames go,
// in which order, and whether they had to. What is checked is what lies in the folder, not what the
// program counts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "agent/size_shares.h"
#include "agent/testing/noisy_host.h"
#include "agent/testing/recorded_files.h"
#include "base/rng.h"
#include "retention/downsampling.h"
#include "store/segment_writer.h"

namespace reveal::agent {

// How a host is recorded, so that each share fills up.
struct Course {
  const char* name;
  std::int64_t interval_ns;
  std::size_t block_ticks;
  // Of max_size, what is there at rest once all has filled up.
  std::uint64_t eighths;
  // How often at least a rollup makes room in all steps: frames a second become one a minute before
  // their age, or the oldest frames a minute go.
  int rollups_shortened;
};

class CheckedRecording {
 public:
  // Calls `look_at_all` with what was done, whenever something was written.
  CheckedRecording(std::filesystem::path dir, const Course& course, std::uint64_t max_size,
                   std::uint64_t seed, std::function<void(const char*)> look_at_all)
      : dir_(std::move(dir)),
        course_(course),
        max_size_(max_size),
        look_at_all_(std::move(look_at_all)),
        rng_(seed),
        host_(seed, course.interval_ns) {}

  // Begins a recorder, which goes on with what is there.
  void begin() {
    store::WriterOptions options;
    options.min_free_bytes = 0;
    options.segment_ns = 100 * course_.interval_ns;
    options.block_ticks = course_.block_ticks;
    options.retention.max_bytes = shares_of(max_size_).frames;
    auto writer = store::SegmentWriter::resume(dir_, options);
    ASSERT_TRUE(writer) << writer.error().message();
    writer_.emplace(std::move(*writer));
    ASSERT_TRUE(writer_->begin(host_.facts));
    removals_ = 0;
    files_ = RecordedFiles(dir_);
  }

  // Records so many frames of any size.
  void frames(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto& frame = host_.tick(rng_.below(NoisyHost::kChannels + 1));
      now_ns_ = frame.wall_ns;
      last_ = frame.sequence;
      ASSERT_TRUE(writer_->write(host_.channels, frame));
      if (writer_->removed().segments() != removals_) look_what_went();
      if (i % 128 == 0) look_at_files();
    }
    look_at_files();
  }

  // A recorder that ends in order, or is killed, and the next one.
  void restart() {
    if (rng_.below(2) == 0) {
      ASSERT_TRUE(writer_->finish());
      look_at_all_("a recorder that ended");
    }
    writer_.reset();
    begin();
    look_at_all_("another recorder");
    check_frames();
  }

  // All frames are there but the first ones.
  void check_frames() const {
    const auto there = files_.sequences();
    ASSERT_FALSE(there.empty());
    EXPECT_EQ(there.back(), last_) << "the newest stay";
    EXPECT_EQ(there.size(), last_ - there.front() + 1);
  }

  // Downsamples what is older than about three quarters of the recording, or than all of it.
  void downsample() {
    const std::filesystem::path dirs[] = {dir_, dir_ / "1s", dir_ / "1min"};
    std::vector<RecordedFiles> before(std::begin(dirs), std::end(dirs));
    const auto ends_ns = before[0].ends_ns();
    const auto second_ends_ns = before[1].ends_ns();
    const auto full_ns =
        static_cast<std::int64_t>(before[0].segments().size() * (75 + rng_.below(30))) *
        course_.interval_ns;
    // A rollup that is no coarser than the recording is left out.
    const bool has_seconds = course_.interval_ns < kSecond_ns;
    const auto newest_mono_ns = static_cast<std::int64_t>(last_ + 1) * course_.interval_ns;
    const auto done = retention::downsample(
        {dir_,
         {full_ns, has_seconds ? kNever_ns : full_ns, kNever_ns, shares_of(max_size_).rollups},
         now_ns_,
         {},
         newest_mono_ns});
    ASSERT_TRUE(done) << done.error().message();
    const std::vector<RecordedFiles> after(std::begin(dirs), std::end(dirs));
    EXPECT_LE(after[1].bytes() + after[2].bytes(), rollups_bytes());
    check_moved(before[0].gone(after[0]), ends_ns, after[has_seconds ? 1 : 2]);
    const auto seconds = before[1].gone(after[1]);
    check_moved(seconds, second_ends_ns, after[2]);
    if (!seconds.empty()) ++rollups_shortened_;
    if (before[1].segments().size() > seconds.size() + 1) {
      EXPECT_TRUE(before[2].gone(after[2]).empty()) << "while a second is kept";
    }
    check_minutes(before[2], after[2]);
    files_ = after[0];
    look_at_all_("downsample");
  }

  // As somebody does who needs room.
  void remove_oldest() {
    if (files_.segments().size() <= 8) return;
    std::filesystem::remove(dir_ / store::segment_name(files_.segments().begin()->first));
    files_ = RecordedFiles(dir_);
  }

  void step_clock(std::int64_t by_ns) { host_.step_clock(by_ns); }
  std::int64_t now_ns() const { return now_ns_; }  // wall time of the newest frame
  // Returns whether the recorder has removed frames since the last call.
  bool take_removed() { return std::exchange(has_removed_, false); }
  // Returns how often a rollup made room before its age.
  int rollups_shortened() const { return rollups_shortened_; }

 private:
  // What docs/how_to/agent.md says that each may take.
  std::uint64_t frames_bytes() const { return max_size_ / 8 * 5; }
  std::uint64_t rollups_bytes() const { return max_size_ / 8; }

  static constexpr std::int64_t kSecond_ns = 1'000'000'000;
  static constexpr std::int64_t kNever_ns = 1'000'000'000 * kSecond_ns;

  // Of frames the oldest go, and as few as are needed.
  void look_what_went() {
    removals_ = writer_->removed().segments();
    const RecordedFiles now(dir_);
    const auto went = files_.gone(now);
    if (!went.empty()) {
      EXPECT_GT(now.bytes() + files_.segments().at(went.back()), frames_bytes()) << "without need";
      has_removed_ = true;
    }
    files_ = now;
  }

  void look_at_files() {
    const RecordedFiles now(dir_);
    EXPECT_TRUE(files_.gone(now).empty()) << "nobody has said so";
    EXPECT_LE(now.bytes(), frames_bytes());
    files_ = now;
    look_at_all_("a frame");
  }

  // What a recording has given up, the next coarser one has.
  void check_moved(const std::vector<std::uint32_t>& went,
                   const std::map<std::uint32_t, std::int64_t>& ends_ns,
                   const RecordedFiles& coarser) const {
    if (went.empty()) return;
    const auto has_ns = coarser.ends_ns();
    ASSERT_FALSE(has_ns.empty());
    // A recorder that was ended at once has left a segment without a frame.
    const auto end_ns = ends_ns.find(went.back());
    if (end_ns == ends_ns.end()) return;
    EXPECT_GE(has_ns.rbegin()->second, end_ns->second);
  }

  // Of frames a minute the oldest go, and at most half of the share is freed for what is next.
  void check_minutes(const RecordedFiles& before, const RecordedFiles& now) {
    const auto went = before.gone(now);
    if (went.empty()) return;
    ++rollups_shortened_;
    if (course_.interval_ns < kSecond_ns) return;
    EXPECT_GT(now.bytes() + before.segments().at(went.back()), rollups_bytes() / 2)
        << "without need";
  }

  std::filesystem::path dir_;
  Course course_;
  std::uint64_t max_size_;
  std::function<void(const char*)> look_at_all_;
  base::Rng rng_;
  NoisyHost host_;
  std::optional<store::SegmentWriter> writer_;
  RecordedFiles files_{dir_};
  std::uint64_t removals_ = 0;  // that the recorder has told
  std::uint64_t last_ = 0;      // frame
  std::int64_t now_ns_ = 0;
  bool has_removed_ = false;
  int rollups_shortened_ = 0;
};

}  // namespace reveal::agent
