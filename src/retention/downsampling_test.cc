#include "retention/downsampling.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "retention/testing/downsampled.h"
#include "store/recording_dir.h"
#include "store/segment_reader.h"
#include "store/segment_writer.h"

namespace reveal::retention {
namespace {

namespace fs = std::filesystem;
using base::TempDir;
using model::Frame;
using testing::HasSubstr;

constexpr auto kSecond = Recorder::kSecond;
constexpr auto kTick = Recorder::kTick;
constexpr auto kStart = Recorder::kStart;
constexpr std::int64_t kNever = 1'000'000 * kSecond;

void expect_same(const Frame& got, const Frame& want) {
  EXPECT_EQ(got.sequence, want.sequence);
  EXPECT_EQ(got.wall_ns, want.wall_ns);
  EXPECT_EQ(got.mono_ns, want.mono_ns);
  EXPECT_EQ(got.gap, want.gap);
  EXPECT_EQ(got.bits, want.bits);
  EXPECT_EQ(got.validity, want.validity);
  EXPECT_EQ(got.read_ns, want.read_ns);
  EXPECT_EQ(got.notes, want.notes);
}

void expect_same(const fs::path& got, const fs::path& want) {
  const auto a = read(got);
  const auto b = read(want);
  ASSERT_EQ(a.size(), b.size()) << got;
  for (std::size_t i = 0; i < a.size(); ++i) expect_same(a[i], b[i]);
}

TEST(Downsampling, WhatIsOldGoesToARollupAndNothingElse) {
  const TempDir dir;
  Recorder recorder(dir.path());
  recorder.ticks(1000).finish();
  const auto all = read(dir.path());
  const auto result = downsample_at(dir.path(), recorder.now(), {40 * kSecond, kNever, 2 * kNever});
  // Segments are of 7 s and of whole blocks; those all of which is older than 40 s are gone.
  const auto rest = sequences(dir.path());
  ASSERT_FALSE(rest.empty());
  EXPECT_LE(rest.front(), 600u);
  EXPECT_GT(rest.front(), 600u - 2 * 70u);
  EXPECT_EQ(rest, from_to(rest.front(), 1000));
  const auto seconds = read(dir.path() / "1s");
  EXPECT_EQ(sequences(dir.path() / "1s"), from_to(0, (rest.front() + 9) / 10));
  for (const Frame& second : seconds) {
    const Frame& last = all[second.sequence * 10 + 9];
    EXPECT_EQ(second.bits[0], last.bits[0]);
    EXPECT_EQ(second.wall_ns, last.wall_ns);
  }
  ASSERT_EQ(result.steps.size(), 1u);
  EXPECT_EQ(result.steps[0].frames_added, seconds.size());
  EXPECT_GE(result.steps[0].segments, 5u);
  auto reader = store::SegmentReader::open(dir.path() / "1s");
  EXPECT_EQ(reader->facts().interval_ns, kSecond);
  EXPECT_EQ(reader->facts().start_wall_ns, kStart);
  EXPECT_EQ(reader->facts().host, "h");
  // Again there is nothing to do.
  EXPECT_TRUE(
      downsample_at(dir.path(), recorder.now(), {40 * kSecond, kNever, 2 * kNever}).steps.empty());
}

TEST(Downsampling, InManyRunsItIsTheSameAsInOne) {
  const TempDir at_once;
  const TempDir often;
  const RetentionAges ages{20 * kSecond, 100 * kSecond, 2 * kNever};
  const auto disturb = [](Recorder& recorder, int round) {
    recorder.note("mtu", std::to_string(round / 3));
  };
  Recorder one(at_once.path());
  Recorder two(often.path());
  for (int round = 0; round < 60; ++round) {
    for (Recorder* recorder : {&one, &two}) {
      disturb(*recorder, round);
      recorder->ticks(53);
    }
    downsample_at(often.path(), two.now(), ages);
  }
  one.finish();
  two.finish();
  const std::int64_t later = two.now() + 30 * kSecond;
  for (const auto* dir : {&at_once, &often}) downsample_at(dir->path(), later, ages);
  EXPECT_EQ(sequences(often.path()), from_to(0, 0));
  // How much is in the seconds still follows from the segments that went there at a time; together
  // the rollups have everything.
  const auto minutes = read(often.path() / "1min");
  const auto minutes_at_once = read(at_once.path() / "1min");
  ASSERT_GT(minutes.size(), 2u);
  ASSERT_GE(minutes.size(), minutes_at_once.size());
  for (std::size_t i = 0; i < minutes_at_once.size(); ++i) {
    expect_same(minutes[i], minutes_at_once[i]);
  }
  // From now on both are over.
  for (const auto* dir : {&at_once, &often}) {
    downsample_at(dir->path(), later + 200 * kSecond, ages);
    EXPECT_TRUE(read(dir->path() / "1s").empty());
  }
  expect_same(often.path() / "1min", at_once.path() / "1min");
  EXPECT_EQ(read(often.path() / "1min").size(), 6u);  // 318 s, which begin 20 s into a minute
}

TEST(Downsampling, SecondsAreTheSameInManyRunsAsInOne) {
  const TempDir at_once;
  const TempDir often;
  const RetentionAges ages{20 * kSecond, kNever, 2 * kNever};
  Recorder one(at_once.path());
  Recorder two(often.path());
  for (int round = 0; round < 40; ++round) {
    for (Recorder* recorder : {&one, &two})
      recorder->note("mtu", std::to_string(round / 3)).ticks(31);
    downsample_at(often.path(), two.now(), ages);
  }
  one.finish();
  two.finish();
  const std::int64_t later = two.now() + 30 * kSecond;
  for (const auto* dir : {&at_once, &often}) downsample_at(dir->path(), later, ages);
  EXPECT_EQ(sequences(often.path() / "1s"), from_to(0, 124));
  expect_same(often.path() / "1s", at_once.path() / "1s");
}

// With ages shorter than a segment everything is always old: only what is still needed stays.
TEST(Downsampling, WhatMayGrowKeepsItsEnd) {
  const TempDir at_once;
  const TempDir always;
  const RetentionAges to_seconds{kSecond, kNever, 2 * kNever};
  Recorder one(at_once.path());
  Recorder two(always.path());
  for (int tick = 0; tick < 900; ++tick) {
    one.ticks(1);
    two.ticks(1);
    downsample_at(always.path(), two.now() + 100 * kSecond, to_seconds);
    ASSERT_FALSE(store::list_segments(always.path())->empty());
  }
  EXPECT_GT(store::list_segments(always.path() / "1s")->size(), 3u);
  // Now the seconds are old as well, and the minutes. The first minute ends after 40 s.
  const RetentionAges to_nothing{kSecond, 2 * kSecond, 3 * kSecond};
  downsample_at(always.path(), two.now() + 100 * kSecond, to_nothing);
  const auto minutes = sequences(always.path() / "1min");
  EXPECT_EQ(minutes, from_to(0, 1));
  EXPECT_LE(sequences(always.path() / "1s").front(), 40u);
  EXPECT_GT(sequences(always.path() / "1s").front(), 20u);
  one.finish();
  two.finish();
  downsample_at(always.path(), two.now() + 100 * kSecond, to_seconds);
  downsample_at(at_once.path(), two.now() + 100 * kSecond, to_seconds);
  const auto rest = read(always.path() / "1s");
  const auto all = read(at_once.path() / "1s");
  ASSERT_EQ(all.size(), 90u);
  ASSERT_LT(rest.size(), all.size());
  ASSERT_GT(rest.size(), 1u);
  for (std::size_t i = 1; i <= rest.size(); ++i) {
    EXPECT_EQ(rest[rest.size() - i].sequence, all[all.size() - i].sequence);
    EXPECT_EQ(rest[rest.size() - i].bits, all[all.size() - i].bits);
  }
  // At the end nothing is needed any more.
  downsample_at(always.path(), two.now() + 100 * kSecond, to_nothing);
  for (const auto* name : {"", "1s", "1min"}) EXPECT_TRUE(read(always.path() / name).empty());
}

TEST(Downsampling, WhatIsOlderThanTheMinutesGoesForGood) {
  const TempDir dir;
  Recorder recorder(dir.path());
  recorder.ticks(3000);
  const RetentionAges ages{10 * kSecond, 60 * kSecond, 150 * kSecond};
  for (std::int64_t now = kStart; now < recorder.now(); now += 5 * kSecond) {
    downsample_at(dir.path(), now, ages);
  }
  const auto minutes = sequences(dir.path() / "1min");
  const auto seconds = sequences(dir.path() / "1s");
  const auto full = sequences(dir.path());
  ASSERT_FALSE(minutes.empty());
  EXPECT_GT(minutes.front(), 0u);
  // Each begins where the next finer one does, and nothing is missing or there twice.
  EXPECT_EQ(minutes, from_to(minutes.front(), minutes.back() + 1));
  EXPECT_EQ(seconds, from_to(seconds.front(), seconds.back() + 1));
  EXPECT_LE(seconds.front(), (minutes.back() + 1) * 60);
  EXPECT_LE(full.front(), (seconds.back() + 1) * 10);
  recorder.finish();
  downsample_at(dir.path(), recorder.now() + 300 * kSecond, ages);
  for (const auto* name : {"", "1s", "1min"}) EXPECT_TRUE(read(dir.path() / name).empty()) << name;
}

TEST(Downsampling, ARecorderThatWasKilledLeavesItsJournalToDownsample) {
  const TempDir dir;
  std::int64_t now = 0;
  {
    Recorder recorder(dir.path());
    recorder.ticks(333);
    now = recorder.now();
  }
  const RetentionAges ages{5 * kSecond, kNever, 2 * kNever};
  downsample_at(dir.path(), now, ages);
  EXPECT_EQ(sequences(dir.path()).back(), 332u);
  downsample_at(dir.path(), now + 6 * kSecond, ages);
  EXPECT_TRUE(store::list_segments(dir.path())->empty());
  EXPECT_TRUE(store::list_journals(dir.path())->empty());
  EXPECT_EQ(sequences(dir.path() / "1s"), from_to(0, 34));
}

TEST(Downsampling, ASlowRecordingHasNoRollupThatIsFiner) {
  const TempDir dir;
  Recorder recorder(dir.path(), 2 * kSecond);
  recorder.ticks(300).finish();
  const RetentionAges ages{kSecond, 100 * kSecond, kNever};
  downsample_at(dir.path(), recorder.now(), ages);
  EXPECT_FALSE(fs::exists(dir.path() / "1s"));
  EXPECT_FALSE(read(dir.path() / "1min").empty());
  EXPECT_LE(read(dir.path()).front().wall_ns, recorder.now() - 100 * kSecond);
}

TEST(Downsampling, FramesAroundFindingsStayAsTheyWere) {
  const TempDir dir;
  Recorder recorder(dir.path());
  recorder.note("mtu", "1500").ticks(900).note("mtu", "9000").ticks(2100);
  recorder.finish();
  const auto all = read(dir.path());
  auto report = around({{60, 62}, {200, 210}});
  const RetentionAges ages{kSecond, kNever, 2 * kNever};
  // In parts: the first finding's frames are in several of them.
  std::uint64_t kept = 0;
  for (std::int64_t now = kStart; now < recorder.now() + 10 * kSecond; now += 9 * kSecond) {
    kept += downsample_at(dir.path(), now, ages, report).evidence_frames;
  }
  EXPECT_TRUE(read(dir.path()).empty());
  const auto evidence = read(dir.path() / "evidence");
  auto want = from_to(300, 921);  // 30 s before and after, both ends
  const auto more = from_to(1700, 2401);
  want.insert(want.end(), more.begin(), more.end());
  EXPECT_EQ(sequences(dir.path() / "evidence"), want);
  EXPECT_EQ(kept, want.size());
  for (const Frame& frame : evidence) {
    EXPECT_EQ(frame.bits, all[frame.sequence].bits);
    EXPECT_EQ(frame.mono_ns, all[frame.sequence].mono_ns);
  }
  // What held before is said where the evidence begins.
  ASSERT_EQ(evidence[0].notes.size(), 1u);
  EXPECT_EQ(evidence[0].notes[0].text, "1500");
  EXPECT_EQ(evidence[600].notes.size(), 1u);
  auto reader = store::SegmentReader::open(dir.path() / "evidence");
  EXPECT_EQ(reader->facts().interval_ns, kTick);
}

TEST(Downsampling, EvidenceLivesAsLongAsItsReport) {
  const TempDir dir;
  Recorder recorder(dir.path());
  recorder.ticks(3000).finish();
  auto report = around({{60, 62}, {200, 210}});
  const RetentionAges ages{kSecond, kNever, 2 * kNever};
  const auto evidence = dir.path() / "evidence";
  const std::int64_t now = recorder.now() + 60 * kSecond;
  downsample_at(dir.path(), now, ages, report);
  ASSERT_EQ(read(evidence).size(), 621u + 701u);
  downsample_at(dir.path(), now, ages, report);
  EXPECT_EQ(read(evidence).size(), 621u + 701u);

  // Another report keeps what the first one no longer names.
  const auto both = around({{200, 200}, {61, 62}});
  downsample_at(dir.path(), now, ages, both);
  auto want = from_to(310, 921);
  const auto more = from_to(1700, 2301);
  want.insert(want.end(), more.begin(), more.end());
  EXPECT_EQ(sequences(evidence), want);

  downsample_at(dir.path(), now, ages);
  EXPECT_FALSE(fs::exists(evidence));
}

TEST(Downsampling, AnInterruptedExchangeOfEvidenceIsFinished) {
  const TempDir dir;
  Recorder recorder(dir.path());
  recorder.ticks(1500).finish();
  auto report = around({{60, 62}});
  const RetentionAges ages{kSecond, kNever, 2 * kNever};
  const std::int64_t now = recorder.now() + 60 * kSecond;
  downsample_at(dir.path(), now, ages, report);
  const auto evidence = dir.path() / "evidence";
  const auto want = read(evidence).size();
  ASSERT_GT(want, 100u);
  // Killed after the old one was moved away.
  fs::copy(evidence, dir.path() / "evidence.new");
  fs::rename(evidence, dir.path() / "evidence.old");
  downsample_at(dir.path(), now, ages, report);
  EXPECT_EQ(read(evidence).size(), want);
  // Killed before.
  fs::copy(evidence, dir.path() / "evidence.new");
  fs::remove(dir.path() / "evidence.new" / "000001.rvs");
  downsample_at(dir.path(), now, ages, report);
  EXPECT_EQ(read(evidence).size(), want);
  for (const auto* name : {"evidence.new", "evidence.old"}) {
    EXPECT_FALSE(fs::exists(dir.path() / name)) << name;
  }
}

// What a kill between two steps leaves: the rollup has what the source still has.
TEST(Downsampling, WhatIsInTheRollupAlreadyIsNotMadeAgain) {
  const TempDir dir;
  const TempDir copy;
  Recorder recorder(dir.path());
  recorder.ticks(1000).finish();
  auto report = around({{60, 62}});
  fs::copy(dir.path(), copy.path(), fs::copy_options::recursive);
  const RetentionAges ages{kSecond, kNever, 2 * kNever};
  const std::int64_t now = recorder.now() + 60 * kSecond;
  downsample_at(dir.path(), now, ages, report);
  const auto seconds = read(dir.path() / "1s");
  const auto evidence = read(dir.path() / "evidence");
  const auto segments = store::list_segments(copy.path()).value();
  ASSERT_GT(segments.size(), 8u);
  for (const std::size_t left : {segments.size(), std::size_t{5}, std::size_t{1}}) {
    for (std::size_t i = segments.size() - left; i < segments.size(); ++i) {
      const auto name = store::segment_name(segments[i]);
      fs::copy(copy.path() / name, dir.path() / name);
    }
    downsample_at(dir.path(), now, ages, report);
    EXPECT_TRUE(read(dir.path()).empty());
    const auto again = read(dir.path() / "1s");
    ASSERT_EQ(again.size(), seconds.size());
    for (std::size_t i = 0; i < again.size(); ++i) expect_same(again[i], seconds[i]);
    EXPECT_EQ(read(dir.path() / "evidence").size(), evidence.size());
  }
}

// Killed before the source went, and then there is another report.
TEST(Downsampling, EvidenceIsInOrderWhateverTheReportSaidBefore) {
  const TempDir dir;
  const TempDir copy;
  Recorder recorder(dir.path());
  recorder.ticks(1000).finish();
  fs::copy(dir.path(), copy.path(), fs::copy_options::recursive);
  auto report = around({{60, 62}});
  const RetentionAges ages{kSecond, kNever, 2 * kNever};
  const std::int64_t now = recorder.now() + 60 * kSecond;
  downsample_at(dir.path(), now, ages, report);
  EXPECT_EQ(sequences(dir.path() / "evidence"), from_to(300, 921));
  const auto segments = store::list_segments(copy.path()).value();
  for (const std::uint32_t number : segments) {
    fs::copy(copy.path() / store::segment_name(number), dir.path() / store::segment_name(number));
  }
  report = around({{1, 2}, {60, 62}});
  downsample_at(dir.path(), now, ages, report);
  // The two spans, of which the first ends at 32 s, touch.
  EXPECT_EQ(sequences(dir.path() / "evidence"), from_to(0, 921));
}

TEST(Downsampling, SaysWhyItCannot) {
  const TempDir dir;
  const auto error = [&](const fs::path& path) {
    const auto result = downsample({path, {1, 2, 3}, kStart, {}});
    return result ? "" : result.error().message();
  };
  EXPECT_THAT(error(dir.path() / "absent"), HasSubstr("no such directory"));
  EXPECT_THAT(error(dir.path()), HasSubstr("not a Reveal recording"));
  Recorder(dir.path() / "r").ticks(100).finish();
  fs::create_directory(dir.path() / "r" / "1s");
  Recorder(dir.path() / "r" / "1s").ticks(10).finish();  // at the wrong interval
  const auto result = downsample({dir.path() / "r", {1, kNever, 2 * kNever}, kStart + kNever, {}});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("rollup of another recording"));
  EXPECT_EQ(read(dir.path() / "r").size(), 100u);
}

}  // namespace
}  // namespace reveal::retention
