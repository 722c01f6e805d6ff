// Writes a recording of values that are hard to store and to read back: the ends of the number
// ranges, what is no number, every way in which a column moves, every validity, channels that come
// late, frames with fewer, reading times of all forms, notes, gaps, clocks that step. The same
// words write the same recording. With ANEW, every so many frames channels are numbered anew, and
// some are not there at first.
//
// usage: hostile_recording DIR SEED FRAMES BLOCK_TICKS SEGMENT_BYTES (finish|leave) [ANEW]
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/rng.h"
#include "store/segment_writer.h"

namespace reveal {
namespace {

using base::Rng;
using model::ChannelId;
using model::ChannelTable;
using model::Frame;
using model::Note;
using model::Validity;

constexpr std::size_t kFirstChannels = 48;
constexpr std::size_t kChannels = 60;
constexpr std::size_t kFramesPerNewChannel = 37;
constexpr std::size_t kSources = 5;
constexpr std::int64_t kIntervalNs = 100'000'000;
constexpr std::int64_t kStartNs = 1'700'000'000'000'000'000;
constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kTopBit = 1ULL << 63;

bool one_in(Rng& rng, std::uint64_t count) {
  return rng.below(count) == 0;
}

// Between -reach and reach, modulo 2^64.
std::uint64_t around_zero(Rng& rng, std::uint64_t reach) {
  return rng.below(2 * reach + 1) - reach;
}

// What a channel's number does at a tick, from what it was and where it was going.
struct Moving {
  std::uint64_t bits;
  std::uint64_t slope;
};

using Shape = void (*)(Moving&, Rng&, const std::vector<Moving>& all);

double as_real(const Moving& m) {
  return std::bit_cast<double>(m.bits);
}
void set_real(Moving& m, double value) {
  m.bits = std::bit_cast<std::uint64_t>(value);
}

void decimal(Moving& m, Rng& rng, double power, std::uint64_t reach) {
  m.slope += around_zero(rng, reach);
  set_real(m, static_cast<double>(static_cast<std::int64_t>(m.slope)) / power);
}

constexpr std::array kOddReals{
    std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity()),
    std::bit_cast<std::uint64_t>(-std::numeric_limits<double>::infinity()),
    std::bit_cast<std::uint64_t>(-0.0),
    std::bit_cast<std::uint64_t>(std::numeric_limits<double>::max()),
    std::bit_cast<std::uint64_t>(std::numeric_limits<double>::denorm_min()),
    std::uint64_t{0x7FF8'0000'0000'0001},  // NaN, quiet
    std::uint64_t{0x7FF0'0000'DEAD'BEEF},  // and signaling
    std::uint64_t{0xFFF8'0000'0000'0000},
    kMax,
};

// Whole numbers.
constexpr std::array<Shape, 14> kWhole{
    [](Moving& m, Rng&, const auto&) { m.bits = kMax; },
    [](Moving& m, Rng&, const auto&) { m.bits += m.slope; },
    [](Moving& m, Rng& rng, const auto&) { m.bits += m.slope += around_zero(rng, 1); },
    [](Moving& m, Rng& rng, const auto&) { m.bits += 4096 * rng.below(40); },
    [](Moving& m, Rng& rng, const auto&) { m.bits += one_in(rng, 40) ? 4U : 0U; },
    [](Moving& m, Rng& rng, const auto&) { m.bits += around_zero(rng, 1ULL << rng.below(64)); },
    [](Moving& m, Rng& rng, const auto&) { m.bits = rng.next(); },
    [](Moving& m, Rng& rng, const auto&) { m.bits ^= one_in(rng, 3) ? kMax : 0; },
    [](Moving& m, Rng& rng, const auto&) { m.bits += one_in(rng, 3) ? kTopBit : 0; },
    [](Moving& m, Rng& rng, const auto&) { m.bits = (1ULL << 53) + rng.below(3); },
    // The same as another channel, in another unit, with something added, almost.
    [](Moving& m, Rng&, const auto& all) { m.bits = all[3].bits * 4096; },
    [](Moving& m, Rng&, const auto& all) { m.bits = all[3].bits / 4096 + (1ULL << 60); },
    [](Moving& m, Rng& rng, const auto& all) { m.bits = all[3].bits + rng.below(5); },
    [](Moving& m, Rng& rng, const auto& all) { m.bits = all[one_in(rng, 9) ? 4 : 3].bits; },
};

// Binary64.
constexpr std::array<Shape, 6> kReal{
    [](Moving& m, Rng& rng, const auto&) { decimal(m, rng, 1e2, 30); },
    [](Moving& m, Rng& rng, const auto&) { decimal(m, rng, 1e9, 1'000'000'007); },
    [](Moving& m, Rng& rng, const auto&) {
      decimal(m, rng, 1e1, 9);
      if (as_real(m) == 0) set_real(m, -0.0);
    },
    [](Moving& m, Rng& rng, const auto&) { set_real(m, rng.uniform()); },
    [](Moving& m, Rng& rng, const auto&) { set_real(m, 1e300 * rng.uniform()); },
    [](Moving& m, Rng& rng, const auto&) {
      decimal(m, rng, 1e3, 50);
      if (one_in(rng, 5)) m.bits = kOddReals[rng.below(kOddReals.size())];
    },
};

constexpr std::size_t kShapes = kWhole.size() + kReal.size();

bool is_real(std::size_t channel) {
  return channel % kShapes >= kWhole.size();
}

Shape shape_of(std::size_t channel) {
  const std::size_t shape = channel % kShapes;
  return shape < kWhole.size() ? kWhole[shape] : kReal[shape - kWhole.size()];
}

// The channels of a third are always read, those of the next on a slow poll class, the rest as it
// comes.
Validity validity_of(std::size_t channel, std::uint64_t tick, Rng& rng) {
  switch (channel / kShapes) {
    case 0:
      return one_in(rng, 500) ? Validity::kReset : Validity::kFresh;
    case 1:
      return tick % 10 == 3 ? Validity::kFresh : Validity::kStale;
    default:
      return static_cast<Validity>(rng.below(4));
  }
}

// The table's first channel is the quantity `first`.
void grow(ChannelTable& table, std::size_t count, std::size_t first) {
  while (table.channel_count() < count) {
    const std::size_t i = (table.channel_count() + first) % kChannels;
    const std::string name = fmt::format("{}_{}", is_real(i) ? "cpu_real" : "storage", i % 23);
    const std::string collector = fmt::format("source{}", i % 23 % kSources);
    model::MetricDescriptor metric;
    metric.name = name;
    metric.label = "H\xC3\xA4rte\xFF of 100 %:";  // not all of it UTF-8
    metric.repr = is_real(i) ? model::Repr::kF64 : model::Repr::kU64;
    metric.subsystem = static_cast<model::Subsystem>(i % 23 % model::kSubsystemCount);
    metric.scale = is_real(i) ? 0.1 : 1;
    metric.rank = static_cast<std::int16_t>(i % 2 == 0 ? -32768 : 32767);
    metric.collector = collector;
    table.add_channel(table.add_metric(metric), i == 0 ? "" : fmt::format("dev=d {}", i));
  }
}

class Host {
 public:
  explicit Host(std::uint64_t seed) : rng_(seed) {
    for (std::size_t i = 0; i < kChannels; ++i) {
      const bool large = one_in(rng_, 3);
      moving_.push_back({large ? rng_.next() : rng_.below(1000), rng_.below(1000)});
    }
    moving_[1].slope = kMax / 5;  // around the end of the range
    read_ns_.resize(kSources);
  }

  const ChannelTable& channels() const { return table_; }

  void number_anew() {
    first_ = rng_.below(kChannels);
    table_ = ChannelTable();
  }

  Frame tick() {
    Frame frame;
    const bool late = one_in(rng_, 50);
    sequence_ += ticks_ == 0 ? 0 : 1 + (late ? 1 + rng_.below(100) : 0);
    frame.sequence = sequence_;
    frame.gap = late ? static_cast<std::uint8_t>(1 + rng_.below(3)) : std::uint8_t{model::kNoGap};
    tell_times(frame);
    frame.resize(count_channels());
    read(frame);
    if (one_in(rng_, 10)) tell_notes(frame);
    ++ticks_;
    return frame;
  }

 private:
  void tell_times(Frame& frame) {
    if (one_in(rng_, 300)) clock_ns_ += one_in(rng_, 2) ? 3'600'000'000'000 : -3'600'000'000'000;
    const auto late_ns = static_cast<std::int64_t>(rng_.below(200'000));
    frame.mono_ns = 5'000'000'000 + static_cast<std::int64_t>(sequence_) * kIntervalNs + late_ns;
    frame.wall_ns = kStartNs + clock_ns_ + frame.mono_ns;
    frame.cost_ns = one_in(rng_, 400) ? kMax : 300'000 + rng_.below(50'000);
    for (std::int64_t& time : read_ns_) {
      if (one_in(rng_, 3)) time = reading_time(frame.mono_ns);
    }
    if (ticks_ > 20) frame.read_ns = read_ns_;
    if (one_in(rng_, 200)) frame.read_ns.resize(frame.read_ns.size() / 2);
  }

  std::int64_t reading_time(std::int64_t mono_ns) {
    const std::int64_t steps = static_cast<std::int64_t>(rng_.below(4000)) - 2000;
    switch (rng_.below(4)) {
      case 0:
        return mono_ns;
      case 1:
        return mono_ns + steps * 10'000;
      case 2:
        return mono_ns + steps;
      default:
        return static_cast<std::int64_t>(rng_.next());
    }
  }

  // They grow in number; now and then a frame has fewer than the one before.
  std::size_t count_channels() {
    grow(table_, std::min(kFirstChannels + ticks_ / kFramesPerNewChannel, kChannels), first_);
    return table_.channel_count() - (one_in(rng_, 200) ? rng_.below(20) : 0);
  }

  // Most samples that are not read repeat the value before, some say anything.
  void read(Frame& frame) {
    for (std::size_t i = 0; i < moving_.size(); ++i) {
      const Validity validity = validity_of(i, ticks_, rng_);
      const bool was_read = validity == Validity::kFresh || validity == Validity::kReset;
      if (was_read || one_in(rng_, 100)) shape_of(i)(moving_[i], rng_, moving_);
      const std::size_t at = (i + kChannels - first_) % kChannels;
      if (at < frame.bits.size()) {
        frame.bits[at] = moving_[i].bits;
        frame.validity[at] = validity;
      }
    }
  }

  void tell_notes(Frame& frame) {
    for (std::uint64_t count = rng_.below(4); count > 0; --count) {
      const auto kind = one_in(rng_, 2) ? Note::Kind::kFact : Note::Kind::kEvent;
      std::string text = one_in(rng_, 4) ? "" : fmt::format("{} \xFE\n\"", rng_.below(5));
      frame.notes.push_back({kind, "recorder", fmt::format("mtu of eth{}", rng_.below(5)), text});
    }
  }

  Rng rng_;
  ChannelTable table_;
  std::size_t first_ = 0;
  std::uint64_t ticks_ = 0;
  std::uint64_t sequence_ = 0;
  std::int64_t clock_ns_ = 0;
  std::vector<Moving> moving_;
  std::vector<std::int64_t> read_ns_;
};

model::RunFacts run_facts() {
  model::RunFacts facts;
  facts.host = "h\xC3\xB6st";
  facts.boot_id = "b";
  facts.command = {"make", "-j 2", ""};
  facts.interval_ns = kIntervalNs;
  facts.start_wall_ns = kStartNs;
  facts.cpus_online = 2;
  facts.unseen = {{"nvml", "no driver", "load it", 3}, {"edac", "no memory controller", "", 1}};
  return facts;
}

base::Result<void> record(const char* dir, std::uint64_t seed, std::uint64_t frames,
                          const store::WriterOptions& options, bool finish, std::uint64_t anew) {
  auto writer = store::SegmentWriter::create(dir, options);
  if (!writer) return base::pass(writer);
  if (auto begun = writer->begin(run_facts()); !begun) return begun;
  Host host(seed);
  for (std::uint64_t i = 0; i < frames; ++i) {
    if (anew > 0 && i % anew == anew - 1) {
      if (auto numbered = writer->number_anew(); !numbered) return numbered;
      host.number_anew();
    }
    const Frame frame = host.tick();
    if (auto written = writer->write(host.channels(), frame); !written) return written;
  }
  if (const auto& failure = writer->status().first_failure) return base::Unexpected(*failure);
  return finish ? writer->finish() : base::Result<void>{};
}

}  // namespace
}  // namespace reveal

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv, argv + argc);
  if (argc < 7 || argc > 8 || (words[6] != "finish" && words[6] != "leave")) {
    fmt::print(stderr,
               "usage: hostile_recording DIR SEED FRAMES BLOCK_TICKS SEGMENT_BYTES (finish|leave) "
               "[ANEW]\n");
    return 2;
  }
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  reveal::store::WriterOptions options;
  options.block_ticks = number(4);
  options.segment_bytes = number(5);
  options.min_free_bytes = 0;
  const auto done = reveal::record(argv[1], number(2), number(3), options, words[6] == "finish",
                                   argc > 7 ? number(7) : 0);
  if (done) return 0;
  fmt::print(stderr, "hostile_recording: {}\n", done.error().message());
  return 1;
}
