#include "retention/downsampler.h"

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"

namespace reveal::retention {
namespace {

using model::ChannelId;
using model::Frame;
using model::Kind;
using model::Validity;

constexpr std::int64_t kTick = 100'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;

model::RunFacts facts() {
  model::RunFacts out;
  out.host = "h";
  out.interval_ns = kTick;
  out.start_wall_ns = 1'700'000'000 * kSecond;
  return out;
}

// A table with one channel, and its rollup as it grows from frames given by hand.
class OneChannel {
 public:
  explicit OneChannel(Kind kind, model::Repr repr = model::Repr::kU64, double scale = 1.0,
                      unsigned bits = 64)
      : downsampler_(facts(), kSecond, FineSource::kRecorded) {
    model::MetricDescriptor metric;
    metric.name = "cpu_x_bytes";
    metric.label = "X";
    metric.unit = "bytes";
    metric.kind = kind;
    metric.repr = repr;
    metric.scale = scale;
    metric.counter_bits = static_cast<std::uint8_t>(bits);
    metric.collector = "x";
    table_.add_channel(table_.add_metric(metric), "a=1");
  }

  // The tick `sequence` read `bits`.
  OneChannel& at(std::uint64_t sequence, std::uint64_t bits, Validity validity = Validity::kFresh) {
    Frame frame;
    frame.sequence = sequence;
    frame.wall_ns = facts().start_wall_ns + static_cast<std::int64_t>(sequence) * kTick;
    frame.mono_ns = 5 * kSecond + static_cast<std::int64_t>(sequence) * kTick;
    frame.cost_ns = 7;
    frame.bits = {bits};
    frame.validity = {validity};
    frame.read_ns = {frame.mono_ns + 1000};
    keep(downsampler_.step(table_, frame));
    return *this;
  }
  OneChannel& real(std::uint64_t sequence, double value) {
    return at(sequence, std::bit_cast<std::uint64_t>(value));
  }
  OneChannel& end() {
    keep(downsampler_.finish());
    return *this;
  }

  const std::vector<Frame>& frames() const { return frames_; }
  const model::ChannelTable& rollup() const { return downsampler_.channels(); }

  std::uint64_t latest(std::size_t frame) const { return frames_.at(frame).bits.at(0); }
  Validity validity(std::size_t frame, std::string_view name = "cpu_x_bytes") const {
    return frames_.at(frame).validity.at(index(name));
  }
  // NaN if it is not fresh.
  double value(std::size_t frame, std::string_view name) const {
    if (validity(frame, name) != Validity::kFresh) return std::nan("");
    return std::bit_cast<double>(frames_.at(frame).bits.at(index(name)));
  }
  double min(std::size_t frame) const { return value(frame, "cpu_x_bytes_min"); }
  double max(std::size_t frame) const { return value(frame, "cpu_x_bytes_max"); }
  double mean(std::size_t frame) const { return value(frame, "cpu_x_bytes_mean"); }

 private:
  void keep(const Frame* frame) {
    if (frame != nullptr) frames_.push_back(*frame);
  }
  std::size_t index(std::string_view name) const {
    return rollup().find_channel(std::string(name) + "{a=1}").value().index();
  }

  model::ChannelTable table_;
  Downsampler downsampler_;
  std::vector<Frame> frames_;
};

TEST(Downsampler, AGaugeHasItsLeastGreatestMeanAndLatestValue) {
  OneChannel it(Kind::kGauge, model::Repr::kU64, 0.5);
  it.at(0, 40).at(1, 10).at(2, 70).at(9, 20).at(10, 8).end();
  ASSERT_EQ(it.frames().size(), 2u);
  EXPECT_EQ(it.latest(0), 20u);  // raw
  EXPECT_EQ(it.min(0), 5.0);     // scaled
  EXPECT_EQ(it.max(0), 35.0);
  EXPECT_EQ(it.mean(0), 17.5);  // (20 + 5 + 35 + 10) / 4
  EXPECT_EQ(it.latest(1), 8u);
  EXPECT_EQ(it.mean(1), 4.0);
  const Frame& first = it.frames()[0];
  EXPECT_EQ(first.sequence, 0u);
  EXPECT_EQ(first.cost_ns, 4 * 7u);
  EXPECT_EQ(first.mono_ns, 5 * kSecond + 9 * kTick);  // of the last of its ticks
  EXPECT_EQ(first.wall_ns, facts().start_wall_ns + 9 * kTick);
  EXPECT_EQ(first.read_ns, std::vector<std::int64_t>{first.mono_ns + 1000});
  EXPECT_EQ(it.frames()[1].sequence, 1u);
}

TEST(Downsampler, ACounterHasTheRatesFromOneReadingToTheNext) {
  OneChannel it(Kind::kCounter, model::Repr::kU64, 2.0);
  it.at(0, 1000).at(1, 1010).at(2, 1010).at(3, 1040);
  // The first rate of a tick of the rollup is that since the last reading before it.
  it.at(10, 1110).at(11, 1111).end();
  EXPECT_EQ(it.latest(0), 1040u);
  EXPECT_DOUBLE_EQ(it.min(0), 0.0);
  EXPECT_DOUBLE_EQ(it.max(0), 600.0);  // 30 * 2 in 0.1 s
  EXPECT_NEAR(it.mean(0), 800.0 / 3, 800.0 / 3 / 1024);
  EXPECT_DOUBLE_EQ(it.max(1), 200.0);  // 70 * 2 in 0.7 s
  EXPECT_DOUBLE_EQ(it.min(1), 20.0);
  EXPECT_DOUBLE_EQ(it.mean(1), 110.0);
  const auto& metric = it.rollup().metric(*it.rollup().find_metric("cpu_x_bytes_max"));
  EXPECT_EQ(metric.unit, "bytes/s");
  EXPECT_EQ(metric.kind, Kind::kGauge);
  EXPECT_EQ(metric.label, "X, highest");
  EXPECT_EQ(metric.collector, "x");
  EXPECT_EQ(it.rollup().metric(*it.rollup().find_metric("cpu_x_bytes")).scale, 2.0);
}

TEST(Downsampler, OneReadingMakesNoRate) {
  OneChannel it(Kind::kCounter);
  it.at(0, 1000).at(10, 1500).end();
  EXPECT_EQ(it.validity(0), Validity::kFresh);
  EXPECT_EQ(it.validity(0, "cpu_x_bytes_mean"), Validity::kMissing);
  EXPECT_DOUBLE_EQ(it.mean(1), 500.0);
}

TEST(Downsampler, AWrapIsARateAndAResetIsNone) {
  OneChannel wraps(Kind::kCounter, model::Repr::kU64, 1.0, 32);
  wraps.at(0, 0xFFFF'FFF0u).at(1, 0xFFFF'FFF8u).at(2, 0x8u).at(3, 0x10u).end();
  EXPECT_DOUBLE_EQ(wraps.max(0), 160.0);
  EXPECT_DOUBLE_EQ(wraps.min(0), 80.0);
  EXPECT_EQ(wraps.latest(0), 0x10u);
  // Between two ticks of the rollup.
  OneChannel later(Kind::kCounter, model::Repr::kU64, 1.0, 32);
  later.at(0, 0xFFFF'FFF0u).at(9, 0xFFFF'FFF8u).at(10, 0x8u).end();
  EXPECT_DOUBLE_EQ(later.max(1), 160.0);
  EXPECT_DOUBLE_EQ(later.min(1), 160.0);

  OneChannel reset(Kind::kCounter);
  reset.at(0, 1000).at(1, 2000).at(2, 5, Validity::kReset).at(3, 25).at(10, 125).end();
  EXPECT_EQ(reset.validity(0), Validity::kReset);
  EXPECT_EQ(reset.latest(0), 25u);
  EXPECT_DOUBLE_EQ(reset.max(0), 10'000.0);
  EXPECT_DOUBLE_EQ(reset.min(0), 200.0);
  EXPECT_NEAR(reset.mean(0), 5'100.0, 5'100.0 / 1024);
  EXPECT_EQ(reset.validity(1), Validity::kFresh);
  EXPECT_NEAR(reset.mean(1), 100 / 0.7, 100 / 0.7 / 1024);
}

TEST(Downsampler, EventsAreCountedAndTheirPaceIsSummarized) {
  OneChannel it(Kind::kEvent);
  it.at(0, 3).at(1, 3).at(2, 5).end();
  EXPECT_EQ(it.latest(0), 5u);
  EXPECT_DOUBLE_EQ(it.max(0), 20.0);
  EXPECT_DOUBLE_EQ(it.mean(0), 10.0);
  EXPECT_EQ(it.rollup().metric(*it.rollup().find_metric("cpu_x_bytes_min")).unit, "bytes/s");
}

TEST(Downsampler, AStaticFactHasItsValueAlone) {
  OneChannel it(Kind::kStatic);
  it.at(0, 3).at(10, 4).end();
  EXPECT_EQ(it.rollup().channel_count(), 1u);
  EXPECT_EQ(it.latest(1), 4u);
}

TEST(Downsampler, MissingAndStaleStayWhatTheyAre) {
  OneChannel it(Kind::kGauge, model::Repr::kF64);
  it.real(0, 2.5);
  it.at(10, std::bit_cast<std::uint64_t>(2.5), Validity::kStale);
  it.at(20, 0u, Validity::kMissing).at(21, 0u, Validity::kMissing);
  it.at(30, std::bit_cast<std::uint64_t>(9.0), Validity::kStale);
  it.at(40, 0u, Validity::kMissing).real(41, 4.0).at(42, 0u, Validity::kMissing);
  it.end();
  EXPECT_EQ(it.validity(0), Validity::kFresh);
  EXPECT_EQ(it.validity(1), Validity::kStale);
  EXPECT_EQ(it.validity(1, "cpu_x_bytes_mean"), Validity::kStale);
  EXPECT_EQ(it.frames()[1].bits[1], std::bit_cast<std::uint64_t>(2.5));
  EXPECT_EQ(it.validity(2), Validity::kMissing);
  EXPECT_EQ(it.validity(2, "cpu_x_bytes_mean"), Validity::kMissing);
  EXPECT_EQ(it.validity(3), Validity::kStale);
  // Nothing was read since the statistics were missing.
  EXPECT_EQ(it.validity(3, "cpu_x_bytes_mean"), Validity::kMissing);
  EXPECT_EQ(it.validity(4), Validity::kFresh);
  EXPECT_EQ(it.latest(4), std::bit_cast<std::uint64_t>(4.0));
  EXPECT_EQ(it.mean(4), 4.0);
}

TEST(Downsampler, NotANumberIsNoReading) {
  OneChannel it(Kind::kGauge, model::Repr::kF64);
  it.real(0, std::nan("")).real(1, 3.0).real(2, std::numeric_limits<double>::infinity()).end();
  EXPECT_EQ(it.min(0), 3.0);
  EXPECT_EQ(it.max(0), 3.0);
}

TEST(Downsampler, EqualValuesHaveThatMean) {
  for (const double value : {0.1, 1e300, -7.3, 3e-320}) {
    Summary summary;
    for (int i = 0; i < 1000; ++i) summary.add(value);
    EXPECT_EQ(summary.value(Statistic::kMean, Kind::kGauge), value);
    EXPECT_EQ(summary.value(Statistic::kMean, Kind::kCounter), rounded(value, kRateBits));
  }
}

TEST(Rounding, AMeanHasASixtyFourthOfTheSpreadOrLess) {
  EXPECT_EQ(rounded_within(5.03, 0), 5.03);
  EXPECT_EQ(rounded_within(5.03, 64), 5.0);
  EXPECT_EQ(rounded_within(5.03, 127), 5.0);
  EXPECT_EQ(rounded_within(5.03, 16), 5.0);
  EXPECT_EQ(rounded_within(5.2, 16), 5.25);
  EXPECT_EQ(rounded_within(17'179'869'184.0 + 5000, 64 * 4096), 17'179'869'184.0 + 4096);
  EXPECT_EQ(rounded_within(1e300, 1e-300), 1e300);
  EXPECT_TRUE(std::isfinite(rounded_within(3e-320, 1e-320)));
  base::Rng rng(4);
  for (int i = 0; i < 10'000; ++i) {
    const double spread =
        std::ldexp(static_cast<double>(rng.next()), -static_cast<int>(rng.below(60)));
    const auto value = static_cast<double>(rng.next() >> 30);
    EXPECT_LE(std::abs(rounded_within(value, spread) - value), spread / 64 / 2);
  }
}

TEST(Rounding, ToTheNearestWithSoManyBits) {
  EXPECT_EQ(rounded(0.0, 16), 0.0);
  EXPECT_EQ(rounded(65535.0, 16), 65535.0);
  EXPECT_EQ(rounded(131071.0, 16), 131072.0);
  EXPECT_EQ(rounded(131069.0, 16), 131070.0);  // ties away from zero
  EXPECT_EQ(rounded(-131071.0, 16), -131072.0);
  EXPECT_EQ(rounded(1.0 / 3, 53), 1.0 / 3);
  EXPECT_TRUE(std::isfinite(rounded(std::numeric_limits<double>::max(), 16)));
  base::Rng rng(4);
  for (int i = 0; i < 10'000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(rng.next()), static_cast<int>(rng.below(200)) - 100);
    for (const int bits : {1, kRateBits, 16, 52}) {
      const double got = rounded(value, bits);
      EXPECT_LE(std::abs(got - value), std::ldexp(std::abs(value), -bits));
      EXPECT_EQ(rounded(got, bits), got);
    }
  }
}

TEST(Downsampler, GapsAndNotesGoAlong) {
  Downsampler downsampler(facts(), kSecond, FineSource::kRecorded);
  const model::ChannelTable none;
  const model::Note fact{model::Note::Kind::kFact, "net", "mtu of eth0", "9000"};
  const model::Note event{model::Note::Kind::kEvent, "kmsg", "xid", "79"};
  Frame frame;
  frame.notes = {fact, event};
  EXPECT_EQ(downsampler.step(none, frame), nullptr);
  frame.sequence = 3;
  frame.gap = model::kGapLate;
  EXPECT_EQ(downsampler.step(none, frame), nullptr);
  frame.sequence = 45;
  frame.gap = model::kGapStorage;
  const Frame* first = downsampler.step(none, frame);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->gap, model::kGapLate);
  EXPECT_EQ(first->notes, (std::vector<model::Note>{fact, event, event}));
  const Frame* second = downsampler.finish();
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->sequence, 4u);
  EXPECT_EQ(second->gap, model::kGapStorage);
  EXPECT_EQ(second->notes, std::vector<model::Note>{event});
  EXPECT_EQ(downsampler.finish(), nullptr);
}

TEST(Downsampler, WhatProcessesUsedIsInFineRollupsOnly) {
  const model::Note use{model::Note::Kind::kEvent, "process", "dd", "pid=1 s=1"};
  const model::Note fact{model::Note::Kind::kFact, "process", "processes", "recorded"};
  const auto notes_in = [&](std::int64_t interval_ns) {
    Downsampler downsampler(facts(), interval_ns, FineSource::kRecorded);
    Frame frame;
    frame.notes = {fact, use};
    downsampler.step({}, frame);
    const Frame* out = downsampler.finish();
    return out == nullptr ? std::vector<model::Note>() : out->notes;
  };
  EXPECT_EQ(notes_in(kSecond), (std::vector<model::Note>{fact, use}));
  EXPECT_EQ(notes_in(60 * kSecond), (std::vector<model::Note>{fact}));
}

TEST(RollupAxis, TicksBeginAtWholeMultiplesInUtc) {
  auto run = facts();
  run.start_wall_ns += 30 * kSecond + 730'000'000;
  const RollupAxis seconds(run, kSecond);
  EXPECT_EQ(seconds.tick_of(0), 0u);
  EXPECT_EQ(seconds.tick_of(2), 0u);  // 0.7 + 0.2
  EXPECT_EQ(seconds.tick_of(3), 1u);
  EXPECT_EQ(seconds.tick_of(12), 1u);
  EXPECT_EQ(seconds.tick_of(13), 2u);
  const RollupAxis minutes(run, 60 * kSecond);
  run.interval_ns = kSecond;
  const RollupAxis minutes_of_seconds(run, 60 * kSecond);
  for (std::uint64_t tick = 0; tick < 20'000; ++tick) {
    ASSERT_EQ(minutes.tick_of(tick), minutes_of_seconds.tick_of(seconds.tick_of(tick))) << tick;
  }
}

// Channels of all kinds, which come in the course of the run; counters that wrap, fall and are
// reset; sources on slow poll classes; ticks that are not there; notes.
class RandomRun {
 public:
  explicit RandomRun(std::uint64_t seed) : rng_(seed) {
    frame_.mono_ns = 77 * kSecond;
    frame_.wall_ns = facts().start_wall_ns;
  }

  const Frame& next() {
    const std::uint64_t jump = rng_.below(30) == 0 ? 1 + rng_.below(40) : 1;
    frame_.sequence += started_ ? jump : 0;
    started_ = true;
    frame_.gap = jump > 1 ? model::kGapLate : model::kNoGap;
    frame_.mono_ns = 77 * kSecond + static_cast<std::int64_t>(frame_.sequence) * kTick;
    frame_.wall_ns = facts().start_wall_ns + frame_.mono_ns;
    if (table_.channel_count() < 12 && rng_.below(20) == 0) add_channel();
    frame_.resize(table_.channel_count());
    frame_.read_ns.resize(table_.source_count(), frame_.mono_ns);
    for (std::int64_t& read_ns : frame_.read_ns) {
      if (rng_.below(3) > 0) read_ns = frame_.mono_ns + static_cast<std::int64_t>(rng_.below(1000));
    }
    for (std::size_t i = 0; i < frame_.bits.size(); ++i) sample(i);
    frame_.notes.clear();
    if (rng_.below(9) == 0) {
      frame_.notes.push_back({model::Note::Kind::kFact, "s", std::to_string(rng_.below(3)),
                              rng_.below(3) == 0 ? "" : std::to_string(rng_.below(4))});
    }
    return frame_;
  }
  const model::ChannelTable& table() const { return table_; }

 private:
  void add_channel() {
    const std::size_t i = table_.channel_count();
    const std::string name = "cpu_x" + std::to_string(i / 2);
    const std::string collector = "c" + std::to_string(i % 3);
    model::MetricDescriptor metric;
    metric.name = name;
    metric.unit = "bytes";
    metric.kind = static_cast<Kind>(i / 2 % 4);
    metric.repr = i % 5 == 0 ? model::Repr::kF64 : model::Repr::kU64;
    metric.counter_bits = i % 3 == 0 ? 32 : 64;
    metric.collector = collector;
    table_.add_channel(table_.add_metric(metric), "i=" + std::to_string(i));
  }

  void sample(std::size_t i) {
    const auto& metric = table_.metric(ChannelId(i));
    const std::uint64_t roll = rng_.below(12);
    frame_.validity[i] = roll == 0   ? Validity::kMissing
                         : roll < 4  ? Validity::kStale
                         : roll == 4 ? Validity::kReset
                                     : Validity::kFresh;
    if (!frame_.was_read(ChannelId(i))) return;
    if (metric.repr == model::Repr::kF64) {
      frame_.bits[i] = std::bit_cast<std::uint64_t>(static_cast<double>(rng_.below(1000)) / 7);
    } else {
      frame_.bits[i] += rng_.below(40) == 0 ? rng_.next() : rng_.below(1000);
      if (metric.counter_bits == 32) frame_.bits[i] &= 0xFFFF'FFFFu;
    }
  }

  base::Rng rng_;
  model::ChannelTable table_;
  Frame frame_;
  bool started_ = false;
};

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

// Downsamples the run, beginning anew, from what the rollup has, about every `pause` frames.
std::vector<Frame> downsampled(std::uint64_t seed, std::size_t count, std::size_t pause) {
  RandomRun run(seed);
  base::Rng rng(seed + 1);
  std::vector<Frame> out;
  std::vector<Frame> window;  // what is not surely in the rollup yet
  std::optional<Downsampler> downsampler;
  model::FactTable stated;
  const auto take = [&](const Frame& frame) {
    if (const Frame* closed = downsampler->step(run.table(), frame)) {
      out.push_back(*closed);
      for (const auto& note : closed->notes) stated.apply(note);
    }
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (!downsampler || (pause > 0 && rng.below(pause) == 0)) {
      Downsampler next(facts(), kSecond, FineSource::kRecorded);
      const std::size_t known = std::min(out.size(), Downsampler::kMemory);
      if (downsampler) {
        next.resume(downsampler->channels(),
                    {out.end() - static_cast<std::ptrdiff_t>(known), out.end()}, stated);
      }
      downsampler.emplace(std::move(next));
      for (const Frame& frame : window) take(frame);
    }
    const Frame& frame = run.next();
    window.push_back(frame);
    if (window.size() > 40) window.erase(window.begin());
    take(frame);
  }
  if (const Frame* last = downsampler->finish()) out.push_back(*last);
  return out;
}

TEST(Downsampler, MadeInPartsARollupIsTheSame) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto whole = downsampled(seed, 800, 0);
    const auto parts = downsampled(seed, 800, 25);
    ASSERT_GT(whole.size(), 50u);
    ASSERT_EQ(parts.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) expect_same(parts[i], whole[i]);
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
}

TEST(Downsampler, LatestValuesAreThoseOfTheRunAndExtremesEncloseTheMean) {
  RandomRun run(5);
  Downsampler downsampler(facts(), kSecond, FineSource::kRecorded);
  std::map<std::pair<std::uint64_t, std::string>, std::uint64_t> latest;
  std::size_t compared = 0;
  const auto check = [&](const Frame& frame) {
    const auto& rollup = downsampler.channels();
    for (std::size_t i = 0; i < frame.bits.size(); ++i) {
      const std::string name = rollup.name(ChannelId(i));
      if (const auto it = latest.find({frame.sequence, name}); it != latest.end()) {
        EXPECT_EQ(frame.bits[i], it->second) << name;
        ++compared;
      }
      if (rollup.metric(ChannelId(i)).name.ends_with("_min") &&
          frame.validity[i] == Validity::kFresh) {
        EXPECT_LE(std::bit_cast<double>(frame.bits[i]), std::bit_cast<double>(frame.bits[i + 2]));
        EXPECT_LE(std::bit_cast<double>(frame.bits[i + 2]),
                  std::bit_cast<double>(frame.bits[i + 1]));
      }
    }
  };
  for (int i = 0; i < 1000; ++i) {
    const Frame& frame = run.next();
    for (std::size_t k = 0; k < frame.bits.size(); ++k) {
      if (frame.validity[k] == Validity::kMissing) continue;
      latest[{frame.sequence / 10, run.table().name(ChannelId(k))}] = frame.bits[k];
    }
    if (const Frame* closed = downsampler.step(run.table(), frame)) check(*closed);
  }
  EXPECT_GT(compared, 500u);
}

TEST(Downsampler, ARollupOfARollupKeepsTheExtremes) {
  RandomRun run(9);
  Downsampler seconds(facts(), kSecond, FineSource::kRecorded);
  Downsampler minutes(seconds.facts(), 60 * kSecond, FineSource::kRollup);
  EXPECT_EQ(minutes.facts().interval_ns, 60 * kSecond);
  std::map<std::string, double> least;  // in the first minute
  std::optional<Frame> minute;
  for (int i = 0; i < 3000 && !minute; ++i) {
    const Frame* second = seconds.step(run.table(), run.next());
    if (second == nullptr) continue;
    if (const Frame* closed = minutes.step(seconds.channels(), *second)) minute = *closed;
    for (std::size_t k = 0; k < second->bits.size() && minutes.tick_of(second->sequence) == 0;
         ++k) {
      const std::string name = seconds.channels().name(ChannelId(k));
      if (name.find("_min") == std::string::npos || second->validity[k] != Validity::kFresh)
        continue;
      const auto value = std::bit_cast<double>(second->bits[k]);
      const auto [it, added] = least.emplace(name, value);
      it->second = std::min(it->second, value);
    }
  }
  ASSERT_TRUE(minute);
  EXPECT_LE(minutes.channels().channel_count(), seconds.channels().channel_count());
  ASSERT_GT(least.size(), 4u);
  for (const auto& [name, value] : least) {
    const auto id = minutes.channels().find_channel(name);
    ASSERT_TRUE(id) << name;
    EXPECT_EQ(std::bit_cast<double>(minute->bits[id->index()]), value) << name;
  }
}

}  // namespace
}  // namespace reveal::retention
