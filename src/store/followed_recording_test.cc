#include "store/followed_recording.h"

#include <vector>

#include <gtest/gtest.h>

#include "store/testing/test_run.h"

namespace reveal::store {
namespace {

using base::TempDir;
using model::Frame;
using testing_run::expect_same;

class Kept : public model::FrameSink {
 public:
  base::Result<void> begin(const model::RunFacts& facts) override {
    host = facts.host;
    return {};
  }
  base::Result<void> write(const model::ChannelTable& channels, const Frame& frame) override {
    EXPECT_GE(channels.channel_count(), frame.bits.size());
    frames.push_back(frame);
    return {};
  }
  base::Result<void> finish() override { return {}; }

  std::string host;
  std::vector<Frame> frames;
};

// A recorder of `all`, that goes on as it is told.
class Recorder {
 public:
  Recorder(const testing_run::fs::path& dir, std::vector<Frame> all, WriterOptions options)
      : all_(std::move(all)), writer_(SegmentWriter::create(dir, options)) {
    EXPECT_TRUE(writer_ && writer_->begin(testing_run::facts()));
  }

  void record(std::size_t count) {
    for (std::size_t i = 0; i < count && done_ < all_.size(); ++i, ++done_) {
      testing_run::grow(table_, all_[done_].bits.size());
      EXPECT_TRUE(writer_->write(table_, all_[done_]));
    }
  }
  void finish() { EXPECT_TRUE(writer_->finish()); }

  void expect_known(const Kept& kept) const {
    ASSERT_EQ(kept.frames.size(), done_);
    for (std::size_t i = 0; i < done_; ++i) expect_same(kept.frames[i], all_[i]);
  }
  std::size_t done() const { return done_; }
  std::size_t count() const { return all_.size(); }

 private:
  std::vector<Frame> all_;
  base::Result<SegmentWriter> writer_;
  model::ChannelTable table_;
  std::size_t done_ = 0;
};

TEST(FollowedRecording, EachFrameOnceHoweverOftenItIsRead) {
  for (const std::size_t block : {1u, 3u, 20u, 600u}) {
    for (const std::size_t at_once : {1u, 2u, 7u, 19u, 45u}) {
      const TempDir dir;
      auto options = testing_run::blocks_of(block);
      options.segment_bytes = 4000;  // some blocks of twenty
      Recorder recorder(dir.path(), testing_run::frames(block + at_once, 120, 7), options);
      FollowedRecording followed(dir.path(), std::nullopt);
      Kept kept;
      while (recorder.done() < recorder.count()) {
        recorder.record(at_once);
        ASSERT_TRUE(followed.read_new(kept));
        recorder.expect_known(kept);
        ASSERT_TRUE(followed.read_new(kept));
        EXPECT_EQ(kept.frames.size(), recorder.done());
      }
      EXPECT_TRUE(followed.is_growing());
      recorder.finish();
      ASSERT_TRUE(followed.read_new(kept));
      recorder.expect_known(kept);
      EXPECT_EQ(kept.host, "h1");
    }
  }
}

TEST(FollowedRecording, ChannelsThatAppearAreKnownWithTheFrameThatHasThem) {
  const TempDir dir;
  auto all = testing_run::frames(5, 60, 4);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].resize(4 + i / 13);
    for (std::size_t channel = 4; channel < all[i].bits.size(); ++channel) {
      all[i].bits[channel] = i * channel;
      all[i].validity[channel] = model::Validity::kFresh;
    }
  }
  Recorder recorder(dir.path(), all, testing_run::blocks_of(20));
  FollowedRecording followed(dir.path(), std::nullopt);
  Kept kept;
  while (recorder.done() < recorder.count()) {
    recorder.record(4);
    ASSERT_TRUE(followed.read_new(kept));
    recorder.expect_known(kept);
  }
}

TEST(FollowedRecording, AClockThatIsSetBackHidesNothingForGood) {
  const TempDir dir;
  auto all = testing_run::frames(6, 50, 4);
  for (std::size_t i = 10; i < all.size(); ++i) all[i].wall_ns -= 3'600'000'000'000;
  Recorder recorder(dir.path(), all, testing_run::blocks_of(600));
  FollowedRecording followed(dir.path(), all[5].wall_ns);
  Kept kept;
  while (recorder.done() < recorder.count()) {
    recorder.record(1);
    ASSERT_TRUE(followed.read_new(kept));
  }
  ASSERT_EQ(kept.frames.size(), 45u);
  for (std::size_t i = 0; i < kept.frames.size(); ++i) expect_same(kept.frames[i], all[i + 5]);
}

TEST(FollowedRecording, SaysThatTheRecordingIsGone) {
  TempDir dir;
  Recorder recorder(dir.path() / "run", testing_run::frames(7, 5, 4), testing_run::blocks_of(600));
  recorder.record(5);
  FollowedRecording followed(dir.path() / "run", std::nullopt);
  Kept kept;
  ASSERT_TRUE(followed.read_new(kept));
  testing_run::fs::remove_all(dir.path() / "run");
  const auto gone = followed.read_new(kept);
  ASSERT_FALSE(gone);
  EXPECT_NE(gone.error().message().find("run"), std::string::npos) << gone.error().message();
}

}  // namespace
}  // namespace reveal::store
