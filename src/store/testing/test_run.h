// What the tests of this module share: a directory that goes away, a run's facts, channels and
// frames made from a seed, and a recording read back whole.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "base/temp_dir.h"
#include "model/frame.h"
#include "store/segment_reader.h"
#include "store/segment_writer.h"

namespace reveal::store::testing_run {

namespace fs = std::filesystem;

using base::TempDir;

inline model::RunFacts facts() {
  model::RunFacts out;
  out.host = "h1";
  out.kernel = "6.1.0";
  out.machine = "x86_64";
  out.boot_id = "b";
  out.reveal_version = "0.1.0";
  out.command = {"make", "-j2"};
  out.interval_ns = 100'000'000;
  out.start_wall_ns = 1'700'000'000'000'000'000;
  out.cpus_online = 2;
  return out;
}

// Adds channels until the table has `count`: a metric for every three channels.
inline void grow(model::ChannelTable& table, std::size_t count) {
  while (table.channel_count() < count) {
    const std::size_t i = table.channel_count();
    const std::string name = "cpu_quantity" + std::to_string(i / 3) + "_total";
    model::MetricDescriptor metric;
    metric.name = name;
    metric.unit = "seconds";
    metric.kind = model::Kind::kCounter;
    metric.rank = static_cast<std::int16_t>(i);
    table.add_channel(table.add_metric(metric), "cpu=" + std::to_string(i % 3));
  }
}

// Returns bits that codecs have got wrong before, or random ones.
inline std::uint64_t awkward_bits(base::Rng& rng) {
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  static constexpr std::uint64_t kAwkward[] = {
      0,
      std::numeric_limits<std::uint64_t>::max(),
      std::uint64_t{1} << 63,
      (std::uint64_t{1} << 53) + 1,
      std::bit_cast<std::uint64_t>(kInf),
      std::bit_cast<std::uint64_t>(-kInf),
      std::bit_cast<std::uint64_t>(-0.0),
      0x7FF8'0000'0000'0000,  // quiet NaN
      0x7FF0'0000'0000'0001,  // signaling NaN
      0xFFF8'DEAD'BEEF'0001,  // NaN with a payload
      std::bit_cast<std::uint64_t>(std::numeric_limits<double>::denorm_min()),
  };
  const std::uint64_t pick = rng.below(2 * std::size(kAwkward));
  return pick < std::size(kAwkward) ? kAwkward[pick] : rng.next();
}

// Returns what is said in a frame: mostly nothing. No fact is stated twice running.
inline std::vector<model::Note> notes(base::Rng& rng) {
  std::vector<model::Note> out;
  if (rng.below(8) != 0) return out;
  out.push_back({model::Note::Kind::kEvent, "kmsg", "xid", std::to_string(rng.next())});
  out.push_back({model::Note::Kind::kFact, "net", "mtu of eth0", std::to_string(rng.next())});
  return out;
}

// Returns the frame after `before` with `channels` values, about half of them changed.
inline model::Frame next_frame(base::Rng& rng, const model::Frame& before, std::size_t channels) {
  model::Frame frame = before;
  const bool jump = rng.below(10) == 0;
  frame.sequence += jump ? 1 + rng.below(50) : 1;
  frame.gap = jump ? model::kGapLate : model::kNoGap;
  frame.wall_ns += 100'000'000 + static_cast<std::int64_t>(rng.below(1000)) - 500;
  frame.mono_ns += 100'000'000;
  frame.cost_ns = rng.below(1'000'000);
  frame.resize(channels);
  for (std::size_t i = 0; i < channels; ++i) {
    if (rng.below(2) == 0) frame.bits[i] = awkward_bits(rng);
    const std::uint64_t validity = rng.below(8);
    frame.validity[i] = static_cast<model::Validity>(validity < 4 ? validity : 1);
  }
  frame.read_ns.resize(9);
  for (std::int64_t& time : frame.read_ns) {
    const auto steps = static_cast<std::int64_t>(rng.below(2000)) - 1000;
    if (rng.below(2) == 0) time = frame.mono_ns + steps * 10'000;
    if (rng.below(20) == 0) time = static_cast<std::int64_t>(rng.next());
  }
  frame.notes = notes(rng);  // compared by the tests of notes alone: they outlast lost frames
  return frame;
}

inline std::vector<model::Frame> frames(std::uint64_t seed, std::size_t count,
                                        std::size_t channels) {
  base::Rng rng(seed);
  std::vector<model::Frame> out;
  model::Frame before;
  before.sequence = std::numeric_limits<std::uint64_t>::max();  // the first frame is number 0
  before.wall_ns = facts().start_wall_ns;
  before.mono_ns = 5'000'000'000;
  for (std::size_t i = 0; i < count; ++i) {
    before = next_frame(rng, before, channels);
    if (i == 0) before.sequence = 0;
    out.push_back(before);
  }
  return out;
}

inline void expect_same(const model::Frame& got, const model::Frame& want) {
  EXPECT_EQ(got.sequence, want.sequence);
  EXPECT_EQ(got.wall_ns, want.wall_ns);
  EXPECT_EQ(got.mono_ns, want.mono_ns);
  EXPECT_EQ(got.cost_ns, want.cost_ns);
  EXPECT_EQ(got.gap, want.gap);
  EXPECT_EQ(got.bits, want.bits);
  EXPECT_EQ(got.validity, want.validity);
  EXPECT_EQ(got.read_ns, want.read_ns);
}

inline WriterOptions without_reserve() {
  WriterOptions options;
  options.min_free_bytes = 0;
  return options;
}

// Blocks of `ticks` frames, so that a short recording has many.
inline WriterOptions blocks_of(std::size_t ticks) {
  WriterOptions options = without_reserve();
  options.block_ticks = ticks;
  return options;
}

inline std::uint64_t bytes_in(const fs::path& dir) {
  std::uint64_t sum = 0;
  for (const auto& entry : fs::directory_iterator(dir)) sum += entry.file_size();
  return sum;
}

// Writes a recording of `all` and closes it in order.
inline void record(const fs::path& dir, const std::vector<model::Frame>& all,
                   WriterOptions options = without_reserve()) {
  auto writer = SegmentWriter::create(dir, options);
  ASSERT_TRUE(writer) << writer.error().message();
  ASSERT_TRUE(writer->begin(facts()));
  model::ChannelTable table;
  for (const model::Frame& frame : all) {
    grow(table, frame.bits.size());
    ASSERT_TRUE(writer->write(table, frame));
  }
  ASSERT_EQ(writer->status().dropped_frames, 0u);
  ASSERT_TRUE(writer->finish());
}

struct Recording {
  std::string error;  // empty where it opened
  std::vector<model::Frame> frames;
  std::vector<Damage> damage;
  std::size_t channels = 0;
  bool clean = false;
};

inline Recording read_all(const fs::path& dir) {
  Recording out;
  auto reader = SegmentReader::open(dir);
  if (!reader) {
    out.error = reader.error().message();
    return out;
  }
  for (;;) {
    const auto frame = reader->next();
    if (!frame) {
      out.error = frame.error().message();
      break;
    }
    if (*frame == nullptr) break;
    EXPECT_GE(reader->channels().channel_count(), (*frame)->bits.size());
    out.frames.push_back(**frame);
  }
  out.damage = reader->damage();
  out.channels = reader->channels().channel_count();
  out.clean = reader->clean_close();
  return out;
}

inline std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary)
      .write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace reveal::store::testing_run
