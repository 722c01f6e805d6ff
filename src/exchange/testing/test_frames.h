// What the tests of this module share: a folder that goes away, and runs made from a seed with the
// values that text has got wrong before.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "base/temp_dir.h"
#include "model/frame.h"

namespace reveal::exchange::test_frames {

namespace fs = std::filesystem;

using base::TempDir;

inline std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline fs::path write_file(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary)
      .write(text.data(), static_cast<std::streamsize>(text.size()));
  return path;
}

inline model::RunFacts facts() {
  model::RunFacts out;
  out.host = "h1, \"quoted\"";
  out.kernel = "6.1.0";
  out.machine = "x86_64";
  out.boot_id = "b";
  out.reveal_version = "0.1.0";
  out.command = {"make", "-j2", "two\nlines"};
  out.interval_ns = 100'000'000;
  out.start_wall_ns = 1'700'000'000'000'000'000;
  out.cpus_online = 2;
  out.unseen = {{"nvml", "no library", "install it", 7}, {"perf", "", "", 0}};
  return out;
}

// Adds metrics of all kinds and both representations, with instances that CSV must quote.
inline void add_channels(model::ChannelTable& table, std::size_t count) {
  static constexpr std::string_view kInstances[] = {"", "cpu=3", "dev=a,b", "cg=\"x\"",
                                                    "net=\xC3\xA9"};
  while (table.channel_count() < count) {
    const std::size_t number = table.metric_count();
    const std::string name = "cpu_quantity" + std::to_string(number) + "_total";
    const std::string collector = "collector" + std::to_string(number / 2);
    model::MetricDescriptor metric;
    metric.name = name;
    metric.label = "Quantity, a \"word\"";
    metric.unit = "bytes";
    metric.kind = static_cast<model::Kind>(number % 4);
    metric.repr = number % 2 == 0 ? model::Repr::kU64 : model::Repr::kF64;
    metric.subsystem = static_cast<model::Subsystem>(number % model::kSubsystemCount);
    metric.scope = static_cast<model::Scope>(number % 9);
    metric.counter_bits = number % 3 == 0 ? 32 : 64;
    metric.scale = 0.1;
    metric.source = "/proc/a b";
    metric.doc_url = "https://docs.kernel.org";
    metric.help = "One sentence; with\ta tab.";
    metric.rank = static_cast<std::int16_t>(number * 7 - 20);
    metric.collector = collector;
    const auto id = table.add_metric(metric);
    for (const auto instance : kInstances) table.add_channel(id, instance);
  }
}

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
      std::bit_cast<std::uint64_t>(3.0),
      std::bit_cast<std::uint64_t>(1e22),
      std::bit_cast<std::uint64_t>(0.1),
      0x7FF8'0000'0000'0000,  // quiet NaN
      0xFFF8'0000'0000'0000,  // with the sign
      0x7FF0'0000'0000'0001,  // signaling NaN
      0xFFF8'DEAD'BEEF'0001,  // NaN with a payload
      std::bit_cast<std::uint64_t>(std::numeric_limits<double>::denorm_min()),
      std::bit_cast<std::uint64_t>(std::numeric_limits<double>::max()),
  };
  const std::uint64_t pick = rng.below(2 * std::size(kAwkward));
  return pick < std::size(kAwkward) ? kAwkward[pick] : rng.next();
}

inline std::vector<model::Note> random_notes(base::Rng& rng) {
  if (rng.below(4) != 0) return {};
  return {{model::Note::Kind::kEvent, "kmsg", "xid", "line\nof \"text\""},
          {model::Note::Kind::kFact, "net", "mtu of eth0", std::to_string(rng.next())}};
}

// A whole run, and a source that gives its frames.
struct Run {
  model::RunFacts run_facts = facts();
  model::ChannelTable channels;
  std::vector<model::Frame> frames;
};

// Missing samples have no bits: text cannot keep what is not a sample. `grows`: the last channels
// come with later frames.
inline Run make_run(std::uint64_t seed, std::size_t count, std::size_t channels,
                    bool grows = false) {
  base::Rng rng(seed);
  Run run;
  add_channels(run.channels, channels);
  model::Frame frame;
  frame.wall_ns = run.run_facts.start_wall_ns;
  frame.mono_ns = -5'000'000;
  for (std::size_t i = 0; i < count; ++i) {
    const bool jump = i > 0 && rng.below(10) == 0;
    frame.sequence = i == 0 ? 0 : frame.sequence + 1 + (jump ? rng.below(50) : 0);
    frame.gap = jump ? model::kGapLate | model::kGapStorage : model::kNoGap;
    frame.wall_ns += 100'000'000 + static_cast<std::int64_t>(rng.below(1000)) - 500;
    frame.mono_ns += 100'000'000;
    frame.cost_ns = rng.below(1'000'000);
    frame.resize(grows && i < count / 2 ? channels / 2 : run.channels.channel_count());
    for (std::size_t c = 0; c < frame.bits.size(); ++c) {
      if (rng.below(2) == 0) frame.bits[c] = awkward_bits(rng);
      frame.validity[c] = static_cast<model::Validity>(rng.below(4));
      if (frame.validity[c] == model::Validity::kMissing) frame.bits[c] = 0;
    }
    frame.read_ns.assign(run.channels.source_count(), frame.mono_ns);
    for (auto& time : frame.read_ns) {
      if (rng.below(2) == 0) time += static_cast<std::int64_t>(rng.below(1'000'000)) - 500'000;
      if (rng.below(20) == 0) time = static_cast<std::int64_t>(rng.next());
    }
    frame.notes = random_notes(rng);
    run.frames.push_back(frame);
  }
  return run;
}

}  // namespace reveal::exchange::test_frames
