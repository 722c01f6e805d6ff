#include "record/continuation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "store/segment_reader.h"
#include "store/segment_writer.h"

namespace reveal::record {
namespace {

using model::ChannelId;
using model::ChannelTable;
using model::Frame;
using model::Kind;
using model::Note;
using model::Validity;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t kInterval = 100'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kStart = 1'700'000'000 * kSecond;

model::MetricDescriptor metric(std::string_view name, Kind kind, double scale = 1) {
  model::MetricDescriptor out;
  out.name = name;
  out.unit = "sectors";
  out.kind = kind;
  out.scale = scale;
  return out;
}

model::RunFacts facts(std::string boot = "boot1") {
  model::RunFacts out;
  out.host = "h1";
  out.kernel = "6.1.0";
  out.boot_id = std::move(boot);
  out.reveal_version = "0.1.0";
  out.interval_ns = kInterval;
  out.start_wall_ns = kStart;
  return out;
}

// A recording of two disks whose last frame was 60 s after its start.
store::RecordingTail tail() {
  store::RecordingTail out;
  out.facts = facts();
  out.channels.begin_collector("diskstats");
  const auto reads = out.channels.add_metric(metric("storage_reads_total", Kind::kCounter));
  const auto depth = out.channels.add_metric(metric("storage_depth", Kind::kGauge));
  for (const char* disk : {"dev=sda", "dev=sdb"}) {
    out.channels.add_channel(reads, disk);
    out.channels.add_channel(depth, disk);
  }
  out.last = {600, kStart + 60 * kSecond, 5000 * kSecond};
  return out;
}

// Returns the frame of tick `tick` of a run that began at that wall time, `up_ns` after its boot.
Frame frame_at(std::uint64_t tick, std::int64_t wall_ns, std::int64_t up_ns, std::size_t channels) {
  Frame out;
  out.sequence = tick;
  out.wall_ns = wall_ns + static_cast<std::int64_t>(tick) * kInterval;
  out.mono_ns = up_ns + static_cast<std::int64_t>(tick) * kInterval;
  out.resize(channels);
  for (std::size_t i = 0; i < channels; ++i) out.set_u64(ChannelId(i), 10 * tick + i);
  return out;
}

Continuation continuation(const store::RecordingTail& tail, const model::RunFacts& now = facts()) {
  auto out = Continuation::of(tail, now, "r");
  EXPECT_TRUE(out);
  return std::move(*out);
}

std::vector<std::string> names(const ChannelTable& table) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < table.channel_count(); ++i) out.push_back(table.name(ChannelId(i)));
  return out;
}

// The disks of a later run: sda is gone, sdc is new, and the metrics come in another order.
ChannelTable later_disks() {
  ChannelTable out;
  out.begin_collector("diskstats");
  for (const char* disk : {"dev=sdc", "dev=sdb"}) {
    out.add_channel(out.add_metric(metric("storage_depth", Kind::kGauge)), disk);
    out.add_channel(out.add_metric(metric("storage_reads_total", Kind::kCounter)), disk);
  }
  return out;
}

TEST(Continuation, KeepsTheIdentityAndTellsWhatHoldsNow) {
  auto now = facts("boot2");
  now.kernel = "6.2.0";
  now.command = {"train"};
  now.reveal_version = "0.2.0";
  now.start_wall_ns = kStart + 3600 * kSecond;
  const auto out = continuation(tail(), now);
  EXPECT_EQ(out.facts().start_wall_ns, kStart);
  EXPECT_EQ(out.facts().boot_id, "boot1");
  EXPECT_EQ(out.facts().kernel, "6.2.0");
  EXPECT_EQ(out.facts().reveal_version, "0.2.0");
  EXPECT_THAT(out.facts().command, ElementsAre("train"));
}

TEST(Continuation, ChannelsKeepTheirNumbers) {
  auto out = continuation(tail());
  const auto disks = later_disks();
  const Frame& frame = out.apply(disks, frame_at(1, kStart + 70 * kSecond, 9 * kSecond, 4));
  EXPECT_THAT(names(out.channels()),
              ElementsAre("storage_reads_total{dev=sda}", "storage_depth{dev=sda}",
                          "storage_reads_total{dev=sdb}", "storage_depth{dev=sdb}",
                          "storage_depth{dev=sdc}", "storage_reads_total{dev=sdc}"));
  EXPECT_THAT(frame.validity, ElementsAre(Validity::kMissing, Validity::kMissing, Validity::kReset,
                                          Validity::kFresh, Validity::kFresh, Validity::kFresh));
  EXPECT_THAT(frame.bits, ElementsAre(0, 0, 13, 12, 10, 11));
}

TEST(Continuation, ACounterIsResetWhereItIsReadAgainAndOnlyThere) {
  auto out = continuation(tail());
  auto disks = later_disks();
  Frame now = frame_at(0, kStart + 70 * kSecond, 9 * kSecond, 4);
  now.validity[3] = Validity::kMissing;
  EXPECT_EQ(out.apply(disks, now).validity[2], Validity::kMissing);
  now = frame_at(1, kStart + 70 * kSecond, 9 * kSecond, 4);
  now.validity[3] = Validity::kStale;
  EXPECT_EQ(out.apply(disks, now).validity[2], Validity::kStale);
  now.validity[3] = Validity::kFresh;
  EXPECT_EQ(out.apply(disks, now).validity[2], Validity::kReset);
  EXPECT_EQ(out.apply(disks, now).validity[2], Validity::kFresh);

  // A disk that was there before comes back later.
  disks.add_channel(*disks.find_metric("storage_reads_total"), "dev=sda");
  EXPECT_EQ(out.apply(disks, frame_at(2, kStart, 0, 5)).validity[0], Validity::kReset);
  EXPECT_EQ(out.apply(disks, frame_at(3, kStart, 0, 5)).validity[0], Validity::kFresh);
}

struct Times {
  std::uint64_t sequence;
  std::int64_t mono_ns;
  int gap;
  friend bool operator==(const Times&, const Times&) = default;
};

// Returns the times of tick `tick` if the first one is `away_ns` after the last of old.
Times times_after(std::int64_t away_ns, std::int64_t up_ns, std::uint64_t tick) {
  auto out = continuation(tail());
  const auto disks = later_disks();
  const std::int64_t wall_ns = kStart + 60 * kSecond + away_ns;
  Frame frame = out.apply(disks, frame_at(0, wall_ns, up_ns, 4));
  if (tick > 0) frame = out.apply(disks, frame_at(tick, wall_ns, up_ns, 4));
  return {frame.sequence, frame.mono_ns - 5000 * kSecond, frame.gap};
}

TEST(Continuation, NumberedAnewItHasTheChannelsOfNowUnderTheirNamesOfOld) {
  auto with_scale = tail();
  auto went_on = continuation(with_scale);
  ChannelTable first;  // none of the recording's channels is read at first
  first.add_channel(first.add_metric(metric("storage_reads_total", Kind::kCounter, 512)),
                    "dev=sdc");
  went_on.apply(first, frame_at(0, kStart, kSecond, 1));
  went_on.number_anew();
  ChannelTable now;
  now.add_channel(now.add_metric(metric("storage_depth", Kind::kGauge)), "dev=sda");
  now.add_channel(now.add_metric(metric("storage_reads_total", Kind::kCounter, 512)), "dev=sda");
  const Frame& out = went_on.apply(now, frame_at(1, kStart, kSecond, 2));
  EXPECT_THAT(names(went_on.channels()),
              ElementsAre("storage_depth{dev=sda}", "storage_reads_total_v2{dev=sda}"));
  EXPECT_THAT(out.validity, ElementsAre(Validity::kFresh, Validity::kFresh));
}

TEST(Continuation, ACounterThatIsReadAgainAfterItWasNumberedAnewIsReset) {
  auto went_on = continuation(tail());
  went_on.apply(ChannelTable(), frame_at(0, kStart, kSecond, 0));
  went_on.number_anew();
  ChannelTable now;
  now.add_channel(now.add_metric(metric("storage_reads_total", Kind::kCounter)), "dev=sdb");
  now.add_channel(now.add_metric(metric("storage_reads_total", Kind::kCounter)), "dev=sdc");
  EXPECT_THAT(went_on.apply(now, frame_at(1, kStart, kSecond, 2)).validity,
              ElementsAre(Validity::kReset, Validity::kFresh));
  EXPECT_THAT(went_on.apply(now, frame_at(2, kStart, kSecond, 2)).validity,
              ElementsAre(Validity::kFresh, Validity::kFresh));
}

TEST(Continuation, TimeGoesOnAsTheWallClockDid) {
  const std::int64_t up_ns = 6000 * kSecond;  // of the same boot, or longer up than the last frame
  EXPECT_EQ(times_after(10 * kSecond, up_ns, 0), (Times{700, 10 * kSecond, model::kGapLate}));
  EXPECT_EQ(times_after(10 * kSecond, up_ns, 5), (Times{705, 10 * kSecond + 5 * kInterval, 0}));
  // After a reboot.
  EXPECT_EQ(times_after(90 * kSecond, 20 * kSecond, 0),
            (Times{1500, 90 * kSecond, model::kGapLate}));
  // To the nearest tick.
  EXPECT_EQ(times_after(1'049'000'000, up_ns, 0), (Times{610, 1'049'000'000, model::kGapLate}));
  EXPECT_EQ(times_after(1'051'000'000, up_ns, 0), (Times{611, 1'051'000'000, model::kGapLate}));
}

TEST(Continuation, TimeGoesOnByOneIntervalAtLeast) {
  EXPECT_EQ(times_after(1'000'000, 6000 * kSecond, 0), (Times{601, kInterval, 0}));
  EXPECT_EQ(times_after(-3600 * kSecond, 20 * kSecond, 0), (Times{601, kInterval, 0}));
  EXPECT_EQ(times_after(-3600 * kSecond, 20 * kSecond, 3), (Times{604, 4 * kInterval, 0}));
}

TEST(Continuation, OfARecordingWithoutFramesTicksAreCountedFromItsStart) {
  auto empty = tail();
  empty.last.reset();
  auto out = continuation(empty);
  const Frame& frame = out.apply(later_disks(), frame_at(0, kStart + 3 * kSecond, kSecond, 4));
  EXPECT_EQ(frame.sequence, 30u);
  EXPECT_EQ(frame.mono_ns, kSecond);
  EXPECT_EQ(frame.gap, model::kGapLate);
  EXPECT_TRUE(frame.notes.empty());
}

TEST(Continuation, AMetricInOtherTermsIsAnotherMetric) {
  auto old = tail();
  ChannelTable now;
  now.begin_collector("diskstats");
  now.add_channel(now.add_metric(metric("storage_reads_total", Kind::kCounter, 512)), "dev=sda");
  const Frame frame = frame_at(0, kStart + 70 * kSecond, 9 * kSecond, 1);
  {
    auto out = continuation(old);
    const Frame& got = out.apply(now, frame);
    EXPECT_EQ(names(out.channels()).back(), "storage_reads_total_v2{dev=sda}");
    EXPECT_EQ(got.validity[0], Validity::kMissing);
    EXPECT_EQ(got.validity[4], Validity::kFresh);
    EXPECT_EQ(out.channels().metric(ChannelId(4)).scale, 512);
    old.channels = out.channels().clone();
  }
  auto out = continuation(old);  // the next start knows it
  EXPECT_EQ(out.apply(now, frame).validity[4], Validity::kReset);
  EXPECT_EQ(out.channels().channel_count(), 5u);
}

TEST(Continuation, ReadingTimesAreOfTheCollectorThatReadsNow) {
  auto old = tail();
  old.channels.begin_collector("gone");
  old.channels.add_channel(old.channels.add_metric(metric("cpu_gone", Kind::kGauge)));
  ChannelTable now;
  now.begin_collector("stat");
  now.add_channel(now.add_metric(metric("cpu_new", Kind::kGauge)));
  now.begin_collector("disks");  // by another name than of old
  now.add_channel(now.add_metric(metric("storage_depth", Kind::kGauge)), "dev=sda");
  auto out = continuation(old);
  Frame frame = frame_at(0, kStart + 70 * kSecond, 9 * kSecond, 2);
  frame.read_ns = {frame.mono_ns + 10'000, frame.mono_ns + 20'000};
  const Frame& got = out.apply(now, frame);
  const std::int64_t mono_ns = 5010 * kSecond;
  EXPECT_EQ(got.mono_ns, mono_ns);
  EXPECT_THAT(got.read_ns, ElementsAre(mono_ns + 20'000, mono_ns, mono_ns + 10'000));
}

TEST(Continuation, SaysThatItWentOn) {
  const auto said = [](std::int64_t away_ns, const char* boot) {
    auto out = continuation(tail(), facts(boot));
    const std::int64_t wall_ns = kStart + 60 * kSecond + away_ns;
    const Frame& frame = out.apply(later_disks(), frame_at(0, wall_ns, 0, 4));
    EXPECT_EQ(frame.notes.size(), 1u);
    EXPECT_EQ(frame.notes[0].source, "recorder");
    EXPECT_EQ(frame.notes[0].kind, Note::Kind::kEvent);
    return frame.notes[0].text;
  };
  EXPECT_EQ(said(10 * kSecond, "boot1"), "went on after 10.0 s without frames");
  EXPECT_EQ(said(10 * kSecond, "boot2"),
            "went on after 10.0 s without frames; the boot is boot2 now");
  EXPECT_THAT(said(-10 * kSecond, "boot1"), HasSubstr("unknown time"));
}

TEST(Continuation, FactsThatAreNotStatedAgainEnd) {
  auto old = tail();
  for (const char* subject : {"mtu of eth0", "mtu of eth1", "mtu of eth2"}) {
    old.stated.apply({Note::Kind::kFact, "net", subject, "1500"});
  }
  auto out = continuation(old);
  Frame frame = frame_at(0, kStart + 70 * kSecond, 0, 4);
  frame.notes = {{Note::Kind::kFact, "net", "mtu of eth0", "1500"},
                 {Note::Kind::kFact, "net", "mtu of eth1", "9000"}};
  model::FactTable holds = old.stated;
  for (const Note& note : out.apply(later_disks(), frame).notes) holds.apply(note);
  EXPECT_EQ(holds.notes(), frame.notes);
  frame.notes.clear();
  EXPECT_TRUE(out.apply(later_disks(), frame).notes.empty());
}

std::string refusal(const model::RunFacts& old, const model::RunFacts& now) {
  auto recorded = tail();
  recorded.facts = old;
  const auto out = Continuation::of(recorded, now, "dir");
  return out ? "" : out.error().message();
}

TEST(Continuation, RefusesARunOfAnotherKind) {
  auto other = facts();
  EXPECT_EQ(refusal(facts(), other), "");
  other.interval_ns = kSecond;
  EXPECT_EQ(
      refusal(facts(), other),
      "dir: has a frame every 100 ms, not every 1.0 s (give the interval that it has, or choose "
      "another directory)");
  other = facts();
  other.host = "h2";
  EXPECT_THAT(refusal(facts(), other), HasSubstr("is a recording of h1, and this host is h2"));
  auto imported = facts();
  imported.kernel.clear();
  EXPECT_THAT(refusal(imported, facts()), HasSubstr("imported"));
}

// What the runs say, in the terms of the recording, is what is read.
TEST(Continuation, TheRecordingIsTheRunsOneAfterTheOther) {
  const base::TempDir dir;
  std::vector<Frame> want;
  const auto first = later_disks();
  const auto second = tail().channels.clone();
  for (int run = 0; run < 4; ++run) {
    store::WriterOptions options;
    options.min_free_bytes = 0;
    options.block_ticks = 7;
    auto writer = store::SegmentWriter::resume(dir.path(), options);
    ASSERT_TRUE(writer) << writer.error().message();
    const ChannelTable& now = run % 2 == 0 ? first : second;
    std::optional<Continuation> out;
    if (const auto* before = writer->resumed()) out.emplace(continuation(*before));
    ASSERT_TRUE(writer->begin(out ? out->facts() : facts()));
    for (std::uint64_t tick = 0; tick < 30; ++tick) {
      const Frame frame = frame_at(tick, kStart + run * 10 * kSecond, kSecond, 4);
      want.push_back(out ? out->apply(now, frame) : frame);
      ASSERT_TRUE(writer->write(out ? out->channels() : now, want.back()));
    }
    if (run != 1) continue;  // the others are killed
    ASSERT_TRUE(writer->finish());
  }
  auto reader = store::SegmentReader::open(dir.path());
  ASSERT_TRUE(reader);
  for (const Frame& frame : want) {
    const auto got = reader->next();
    ASSERT_TRUE(got && *got != nullptr);
    EXPECT_EQ((*got)->sequence, frame.sequence);
    EXPECT_EQ((*got)->mono_ns, frame.mono_ns);
    EXPECT_EQ((*got)->gap, frame.gap);
    EXPECT_EQ((*got)->bits, frame.bits);
    EXPECT_EQ((*got)->validity, frame.validity);
    EXPECT_EQ((*got)->notes, frame.notes);
  }
  EXPECT_EQ(*reader->next(), nullptr);
  EXPECT_TRUE(reader->damage().empty());
  EXPECT_EQ(want.back().sequence, 329u);
}

}  // namespace
}  // namespace reveal::record
