// What a recorder keeps of its own recording, and how a recording is gone on with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/recording_dir.h"
#include "store/segment_span.h"
#include "store/testing/test_run.h"

namespace reveal::store {
namespace {

using model::Frame;
using testing_run::expect_same;
using testing_run::read_all;
using testing_run::TempDir;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::size_t kChannels = 6;

// Without jumps, so that a frame's age is its place.
std::vector<Frame> steady_frames(std::size_t count) {
  auto out = testing_run::frames(3, count, kChannels);
  for (std::size_t i = 0; i < count; ++i) {
    out[i].sequence = i;
    out[i].gap = model::kNoGap;
  }
  return out;
}

WriterOptions keeping(Retention retention) {
  WriterOptions options = testing_run::without_reserve();
  options.retention = retention;
  return options;
}

// Calls `after_each` with the writer when a frame was written.
template <typename Check>
RetentionTotals record_checking(const std::filesystem::path& dir, const std::vector<Frame>& frames,
                                WriterOptions options, Check after_each) {
  auto writer = SegmentWriter::create(dir, options);
  EXPECT_TRUE(writer && writer->begin(testing_run::facts()));
  model::ChannelTable table;
  for (const Frame& frame : frames) {
    testing_run::grow(table, frame.bits.size());
    EXPECT_TRUE(writer->write(table, frame));
    after_each(*writer, frame);
  }
  EXPECT_TRUE(writer->finish());
  EXPECT_FALSE(writer->status().first_failure);
  return writer->removed();
}

TEST(Retention, KeepsWhatIsYoungEnoughAndLittleMore) {
  const TempDir dir;
  const auto all = steady_frames(2000);  // 200 s
  const std::int64_t keep_ns = 40 * kSecond;
  const auto removed = record_checking(dir.path(), all, keeping({keep_ns, 0}), [](auto&, auto&) {});
  const auto read = read_all(dir.path());
  EXPECT_TRUE(read.clean);
  EXPECT_TRUE(read.damage.empty());
  EXPECT_EQ(read.channels, kChannels);
  ASSERT_FALSE(read.frames.empty());
  // All younger ones are there, and of older ones at most a segment and what it takes to close it.
  const std::int64_t kept_ns = all.back().mono_ns - read.frames.front().mono_ns;
  EXPECT_GE(kept_ns, keep_ns);
  EXPECT_LE(kept_ns, keep_ns + keep_ns / 4 + 8 * kSecond);
  const std::size_t gone = all.size() - read.frames.size();
  for (std::size_t i = 0; i < read.frames.size(); ++i) expect_same(read.frames[i], all[gone + i]);
  EXPECT_GT(removed.for_age, 2u);
  EXPECT_EQ(removed.for_size, 0u);
  EXPECT_EQ(removed.span_ns, all[gone - 1].mono_ns - all[0].mono_ns);
}

TEST(Retention, TheFactsThatHoldOutlastTheFramesThatSaidThem) {
  const TempDir dir;
  auto all = steady_frames(1000);
  for (Frame& frame : all) frame.notes.clear();
  all[3].notes.push_back({model::Note::Kind::kFact, "net", "mtu of eth0", "9000"});
  record_checking(dir.path(), all, keeping({20 * kSecond, 0}), [](auto&, auto&) {});
  const auto read = read_all(dir.path());
  ASSERT_GT(read.frames.front().sequence, 3u);
  EXPECT_EQ(read.frames.front().notes, all[3].notes);
}

TEST(Retention, TheDiskNeverHoldsMoreThanIsAllowed) {
  const TempDir dir;
  const std::uint64_t most = 64u << 10;
  std::uint64_t largest = 0;
  const auto removed =
      record_checking(dir.path(), steady_frames(6000), keeping({0, most}),
                      [&](const SegmentWriter& writer, const Frame& frame) {
                        largest = std::max(largest, writer.bytes_on_disk());
                        if (frame.sequence % 500 == 0) {
                          EXPECT_EQ(writer.bytes_on_disk(), testing_run::bytes_in(dir.path()));
                        }
                      });
  EXPECT_LE(largest, most);
  EXPECT_GT(largest, most / 2);
  EXPECT_GT(removed.for_size, 2u);
  EXPECT_EQ(removed.for_age, 0u);
  const auto read = read_all(dir.path());
  EXPECT_TRUE(read.damage.empty());
  EXPECT_EQ(read.frames.back().sequence, 5999u);
}

TEST(Retention, ASegmentThatSomebodyElseRemovesIsNoLossOfTheWriters) {
  const TempDir dir;
  WriterOptions options = testing_run::blocks_of(10);
  options.segment_ns = kSecond;
  options.retention.max_bytes = 1u << 20;
  record_checking(dir.path(), steady_frames(100), options, [&](const auto&, const Frame& frame) {
    if (frame.sequence == 80) std::filesystem::remove(dir.path() / segment_name(1));
  });
  EXPECT_TRUE(read_all(dir.path()).clean);
}

TEST(Retention, WithoutItEverythingStays) {
  const TempDir dir;
  const auto removed =
      record_checking(dir.path(), steady_frames(1500), keeping({}), [](auto&, auto&) {});
  EXPECT_EQ(removed.for_age + removed.for_size, 0u);
  EXPECT_EQ(read_all(dir.path()).frames.size(), 1500u);
}

TEST(Retention, AReaderPassesOverASegmentThatGoesWhileItReads) {
  const TempDir dir;
  WriterOptions options = testing_run::blocks_of(10);
  options.segment_ns = kSecond;
  testing_run::record(dir.path(), steady_frames(100), options);
  auto reader = SegmentReader::open(dir.path());
  ASSERT_TRUE(reader);
  std::filesystem::remove(dir.path() / segment_name(2));
  std::size_t frames = 0;
  for (auto next = reader->next(); next && *next != nullptr; next = reader->next()) ++frames;
  EXPECT_GT(frames, 50u);
  EXPECT_LT(frames, 100u);
  ASSERT_EQ(reader->damage().size(), 1u);
  EXPECT_THAT(reader->damage()[0].what, testing::HasSubstr("removed"));
}

// Goes on with the recording in `dir` as its readers leave it.
void extend(const std::filesystem::path& dir, const std::vector<Frame>& frames) {
  auto writer = SegmentWriter::extend(dir, {}, testing_run::blocks_of(10));
  ASSERT_TRUE(writer) << writer.error().message();
  ASSERT_TRUE(writer->begin(testing_run::facts()));
  model::ChannelTable table;
  for (const Frame& frame : frames) {
    testing_run::grow(table, frame.bits.size());
    ASSERT_TRUE(writer->write(table, frame));
  }
  ASSERT_TRUE(writer->finish());
}

TEST(Extend, GoesOnWhereTheRecordingEnded) {
  const TempDir dir;
  const auto all = testing_run::frames(5, 90, kChannels);
  const auto part = [&](int from, int to) {
    return std::vector<Frame>(all.begin() + from, all.begin() + to);
  };
  extend(dir.path() / "r", part(0, 30));  // there is none yet
  extend(dir.path() / "r", part(30, 31));
  extend(dir.path() / "r", part(31, 90));
  const auto read = read_all(dir.path() / "r");
  EXPECT_EQ(read.error, "");
  EXPECT_TRUE(read.damage.empty());
  EXPECT_TRUE(read.clean);
  ASSERT_EQ(read.frames.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) expect_same(read.frames[i], all[i]);
}

TEST(Extend, WhatIsNotFinishedLeavesTheRecordingAsItWas) {
  const TempDir dir;
  const auto all = testing_run::frames(6, 60, kChannels);
  extend(dir.path(), {all.begin(), all.begin() + 30});
  {
    auto writer = SegmentWriter::extend(dir.path(), {}, testing_run::blocks_of(10));
    ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
    model::ChannelTable table;
    testing_run::grow(table, kChannels);
    ASSERT_TRUE(writer->write(table, all[30]));
    EXPECT_EQ(read_all(dir.path()).frames.size(), 30u);
    const auto second = SegmentWriter::extend(dir.path(), {});
    EXPECT_FALSE(second);
  }
  EXPECT_EQ(read_all(dir.path()).frames.size(), 30u);
  EXPECT_TRUE(read_all(dir.path()).clean);
  extend(dir.path(), {all.begin() + 30, all.end()});
  EXPECT_EQ(read_all(dir.path()).frames.size(), 60u);
  EXPECT_EQ(list_segments(dir.path())->size(), 2u);
}

TEST(SegmentSpan, IsFromTheFirstFrameToTheLast) {
  const TempDir dir;
  const auto all = steady_frames(35);
  testing_run::record(dir.path(), all, testing_run::blocks_of(10));
  const auto span = segment_span(dir.path() / segment_name(1));
  ASSERT_TRUE(span && *span);
  EXPECT_EQ((*span)->first_sequence, 0u);
  const auto [first, last] = std::minmax_element(
      all.begin(), all.end(), [](auto& a, auto& b) { return a.wall_ns < b.wall_ns; });
  EXPECT_EQ((*span)->begin_ns, first->wall_ns);
  EXPECT_EQ((*span)->end_ns, last->wall_ns);
  EXPECT_FALSE(segment_span(dir.path() / "absent.rvs"));
}

TEST(ReadOptions, SomeSegmentsOfSeveral) {
  const TempDir dir;
  WriterOptions options = testing_run::blocks_of(10);
  options.segment_ns = kSecond / 2;
  testing_run::record(dir.path(), steady_frames(100), options);
  ASSERT_GT(list_segments(dir.path())->size(), 3u);
  ReadOptions two_to_three;
  two_to_three.from_segment = 2;
  two_to_three.to_segment = 3;
  auto reader = SegmentReader::open(dir.path(), two_to_three);
  ASSERT_TRUE(reader);
  std::vector<std::uint32_t> from;
  for (auto next = reader->next(); next && *next != nullptr; next = reader->next()) {
    ASSERT_TRUE(reader->segment());
    from.push_back(*reader->segment());
  }
  EXPECT_EQ(from.front(), 2u);
  EXPECT_EQ(from.back(), 3u);
  EXPECT_TRUE(reader->damage().empty());
}

}  // namespace
}  // namespace reveal::store
