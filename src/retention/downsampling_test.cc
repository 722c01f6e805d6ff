#include "retention/downsampling.h"

#include <bit>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "base/temp_dir.h"
#include "store/recording_dir.h"
#include "store/segment_reader.h"
#include "store/segment_writer.h"

namespace reveal::retention {
namespace {

namespace fs = std::filesystem;
using model::ChannelId;
using model::Frame;
using testing::HasSubstr;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kTick = kSecond / 10;
constexpr std::int64_t kStart = 1'700'000'000 * kSecond;
constexpr std::int64_t kNever = 1'000'000 * kSecond;

using base::TempDir;

// Records a host with a counter, a gauge and a fact, from tick 0 on: 7 s a segment.
class Recorder {
 public:
  explicit Recorder(const fs::path& dir, std::int64_t interval_ns = kTick)
      : writer_(store::SegmentWriter::create(dir, options()).value()), interval_ns_(interval_ns) {
    model::RunFacts facts;
    facts.host = "h";
    facts.boot_id = "b";
    facts.interval_ns = interval_ns;
    facts.start_wall_ns = kStart;
    EXPECT_TRUE(writer_->begin(facts));
    sectors_ = add("storage_x_sectors_total", model::Kind::kCounter);
    bytes_ = add("memory_x_bytes", model::Kind::kGauge);
    cores_ = add("cpu_x_cores", model::Kind::kStatic);
  }

  // From here on the channels have other numbers.
  Recorder& number_anew() {
    EXPECT_TRUE(writer_->number_anew());
    table_ = model::ChannelTable();
    frame_ = Frame();
    cores_ = add("cpu_x_cores", model::Kind::kStatic);
    bytes_ = add("memory_x_bytes", model::Kind::kGauge);
    sectors_ = add("storage_x_sectors_total", model::Kind::kCounter);
    return *this;
  }

  Recorder& ticks(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) tick();
    return *this;
  }
  Recorder& note(std::string subject, std::string text) {
    frame_.notes.push_back({model::Note::Kind::kFact, "s", std::move(subject), std::move(text)});
    return *this;
  }
  // Closes the recording and gives its lock back.
  void finish() {
    EXPECT_TRUE(writer_->finish());
    writer_.reset();
  }
  std::int64_t now() const { return kStart + static_cast<std::int64_t>(next_) * interval_ns_; }

 private:
  static store::WriterOptions options() {
    store::WriterOptions out;
    out.segment_ns = 7 * kSecond;
    out.block_ticks = 35;
    out.min_free_bytes = 0;
    return out;
  }

  ChannelId add(std::string_view name, model::Kind kind) {
    model::MetricDescriptor metric;
    metric.name = name;
    metric.unit = "u";
    metric.kind = kind;
    metric.collector = "x";
    const auto id = table_.add_channel(table_.add_metric(metric));
    frame_.resize(table_.channel_count());
    return id;
  }

  void tick() {
    frame_.sequence = next_++;
    frame_.wall_ns = kStart + static_cast<std::int64_t>(frame_.sequence) * interval_ns_;
    frame_.mono_ns = frame_.wall_ns - kStart + 40 * kSecond;
    frame_.set_u64(sectors_, read_ += rng_.below(1000));
    frame_.set_u64(bytes_, rng_.below(1000));
    frame_.set_u64(cores_, 4);
    EXPECT_TRUE(writer_->write(table_, frame_));
    frame_.notes.clear();
  }

  std::optional<store::SegmentWriter> writer_;
  std::int64_t interval_ns_;
  base::Rng rng_{3};
  model::ChannelTable table_;
  ChannelId sectors_;
  ChannelId bytes_;
  ChannelId cores_;
  std::uint64_t read_ = 0;  // sectors so far
  Frame frame_;
  std::uint64_t next_ = 0;
};

std::vector<Frame> read(const fs::path& dir) {
  std::vector<Frame> out;
  auto reader = store::SegmentReader::open(dir);
  if (!reader) return out;
  for (auto next = reader->next(); next && *next != nullptr; next = reader->next()) {
    out.push_back(**next);
  }
  EXPECT_TRUE(reader->damage().empty()) << dir << ": " << reader->damage()[0].what;
  return out;
}

// Returns, for each frame, what the channels have that are there, by name.
std::vector<std::map<std::string, std::pair<std::uint64_t, model::Validity>>> values_by_name(
    const fs::path& dir) {
  std::vector<std::map<std::string, std::pair<std::uint64_t, model::Validity>>> out;
  auto reader = store::SegmentReader::open(dir);
  if (!reader) return out;
  for (auto next = reader->next(); next && *next != nullptr; next = reader->next()) {
    auto& values = out.emplace_back();
    for (std::size_t i = 0; i < (*next)->bits.size(); ++i) {
      if ((*next)->validity[i] == model::Validity::kMissing) continue;
      values[reader->channels().name(ChannelId(i))] = {(*next)->bits[i], (*next)->validity[i]};
    }
  }
  EXPECT_TRUE(reader->damage().empty()) << dir << ": " << reader->damage()[0].what;
  return out;
}

std::vector<std::uint64_t> sequences(const fs::path& dir) {
  std::vector<std::uint64_t> out;
  for (const Frame& frame : read(dir)) out.push_back(frame.sequence);
  return out;
}

std::vector<std::uint64_t> from_to(std::uint64_t from, std::uint64_t to) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = from; i < to; ++i) out.push_back(i);
  return out;
}

DownsampleResult downsample_at(const fs::path& dir, std::int64_t now_ns, RetentionAges ages,
                               std::vector<WallSpan> evidence = {}) {
  auto result = downsample({dir, ages, now_ns, std::move(evidence)});
  EXPECT_TRUE(result) << result.error().message();
  return result ? *result : DownsampleResult();
}

// Returns the spans around findings of these seconds since the start, as reports have them.
std::vector<WallSpan> around(const std::vector<std::pair<int, int>>& findings) {
  constexpr std::int64_t kMargin = 30 * kSecond;
  std::vector<WallSpan> out;
  for (const auto& [begin, end] : findings) {
    out.push_back({kStart + begin * kSecond - kMargin, kStart + end * kSecond + kMargin});
  }
  return out;
}

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

// Numbers of channels change within the old time, and between two runs; names are what counts.
TEST(Downsampling, ChannelsThatWereNumberedAnewAreTheSameInRollupsAndEvidence) {
  const TempDir plain;
  const TempDir anew;
  const RetentionAges ages{70 * kSecond, kNever, kNever};
  const auto evidence = around({{60, 61}, {200, 201}});
  Recorder as_ever(plain.path());
  Recorder numbers(anew.path());
  for (int i = 0; i < 3; ++i) {
    as_ever.ticks(550).ticks(550);
    numbers.ticks(550).number_anew().ticks(550);
    downsample_at(plain.path(), as_ever.now(), ages, evidence);
    downsample_at(anew.path(), numbers.now(), ages, evidence);
  }
  as_ever.finish();
  numbers.finish();
  for (const char* part : {"", "1s", "evidence"}) {
    EXPECT_GT(values_by_name(anew.path() / part).size(), 50u) << part;
  }
  auto got = values_by_name(anew.path() / "1s");
  auto want = values_by_name(plain.path() / "1s");
  const auto both = std::min(got.size(), want.size());  // their segments end at other ticks
  got.resize(both);
  want.resize(both);
  EXPECT_GT(both, 200u);
  EXPECT_EQ(got, want);
  const auto evidence_got = values_by_name(anew.path() / "evidence");
  const auto evidence_want = values_by_name(plain.path() / "evidence");
  EXPECT_EQ(evidence_got, evidence_want);
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
