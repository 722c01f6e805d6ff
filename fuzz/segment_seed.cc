// Writes a small recording for the fuzzers to start from into the directory named on the command
// line. It is made anew each time, so that it never falls behind the format.
#include <cstdio>
#include <filesystem>
#include <string>

#include "store/recording_dir.h"
#include "store/segment_writer.h"

namespace {

namespace fs = std::filesystem;
using namespace reveal;

constexpr std::size_t kFrames = 70;  // blocks, and in the journal a key frame and its deltas
constexpr std::size_t kBlockTicks = 30;

void grow(model::ChannelTable& table, std::size_t count) {
  model::MetricDescriptor metric;
  metric.name = "storage_read_sectors_total";
  metric.unit = "sectors";
  const auto id = table.add_metric(metric);
  while (table.channel_count() < count) {
    table.add_channel(id, "dev=" + std::to_string(table.channel_count()));
  }
}

// A value of each kind that a column can be told as: constant, line, few steps, bends, noise, the
// noise in another unit, nearly the noise, and what is read only sometimes.
std::uint64_t value_of(std::size_t channel, std::size_t number) {
  const std::uint64_t noise = 1'000'000 * number + (number * number * 7919) % 1000;
  switch (channel) {
    case 0:
      return 0;
    case 1:
      return 5 + 3 * number;
    case 2:
      return number < 40 ? 7 : 9;
    case 3:
      return 1000 * number * number + number % 3;
    case 4:
      return noise;
    case 5:
      return 4096 * noise;
    case 6:
      return noise + number / 7;
    default:
      return number / 10 * channel;
  }
}

model::Frame frame_of(std::size_t number) {
  model::Frame frame;
  frame.sequence = number;
  frame.mono_ns = static_cast<std::int64_t>(number) * 100'000'000;
  frame.wall_ns = 1'700'000'000'000'000'000 + frame.mono_ns;
  frame.resize(number < 12 ? 9 : 10);
  for (std::size_t i = 0; i < frame.bits.size(); ++i) {
    frame.set_u64(model::ChannelId(i), value_of(i, number));
    if (i > 7 && number % 10 != 0) frame.validity[i] = model::Validity::kStale;
  }
  frame.read_ns = {frame.mono_ns + 20'000, frame.mono_ns / 1'000'000'000 * 1'000'000'000};
  if (number % 25 == 3) {
    frame.notes = {{model::Note::Kind::kFact, "net", "mtu of eth0", std::to_string(number)}};
  }
  return frame;
}

base::Result<void> write_recording(const fs::path& dir, bool close) {
  fs::remove_all(dir);
  store::WriterOptions options;
  options.min_free_bytes = 0;
  options.block_ticks = kBlockTicks;
  auto writer = store::SegmentWriter::create(dir, options);
  if (!writer) return base::pass(writer);
  model::RunFacts facts;
  facts.interval_ns = 100'000'000;
  if (const auto begun = writer->begin(facts); !begun) return begun;
  model::ChannelTable table;
  for (std::size_t i = 0; i < kFrames; ++i) {
    const model::Frame frame = frame_of(i);
    grow(table, frame.bits.size());
    if (const auto written = writer->write(table, frame); !written) return written;
  }
  return close ? writer->finish() : base::Result<void>();
}

// A closed segment, and one that was abandoned with its journal.
base::Result<void> write_seeds(const fs::path& dir) {
  const fs::path scratch = dir / "scratch";
  for (const bool close : {false, true}) {
    if (const auto written = write_recording(scratch, close); !written) return written;
    for (const auto& file : fs::directory_iterator(scratch)) {
      const auto name = (close ? "closed_" : "abandoned_") + file.path().filename().string();
      fs::copy_file(file.path(), dir / name, fs::copy_options::overwrite_existing);
    }
  }
  fs::remove_all(scratch);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto written = write_seeds(argv[1]);
  if (!written) std::fprintf(stderr, "%s\n", written.error().message().c_str());
  return written ? 0 : 1;
}
