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

constexpr std::size_t kFrames = 14;  // one key frame, its deltas, and the next key frame

void grow(model::ChannelTable& table, std::size_t count) {
  model::MetricDescriptor metric;
  metric.name = "storage_read_sectors_total";
  metric.unit = "sectors";
  const auto id = table.add_metric(metric);
  while (table.channel_count() < count) {
    table.add_channel(id, "dev=" + std::to_string(table.channel_count()));
  }
}

model::Frame frame_of(std::size_t number) {
  model::Frame frame;
  frame.sequence = number;
  frame.mono_ns = static_cast<std::int64_t>(number) * 100'000'000;
  frame.wall_ns = 1'700'000'000'000'000'000 + frame.mono_ns;
  frame.resize(number < 12 ? 9 : 10);
  for (std::size_t i = 1; i < frame.bits.size(); ++i) {
    frame.set_u64(model::ChannelId(i), number * i * 1000);
  }
  return frame;
}

base::Result<void> write_recording(const fs::path& dir) {
  fs::remove(dir / store::segment_name(1));
  store::WriterOptions options;
  options.min_free_bytes = 0;
  auto writer = store::SegmentWriter::create(dir, options);
  if (!writer) return base::Unexpected(writer.error());
  if (const auto begun = writer->begin({}); !begun) return begun;
  model::ChannelTable table;
  for (std::size_t i = 0; i < kFrames; ++i) {
    const model::Frame frame = frame_of(i);
    grow(table, frame.bits.size());
    if (const auto written = writer->write(table, frame); !written) return written;
  }
  return writer->finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto written = write_recording(argv[1]);
  if (!written) std::fprintf(stderr, "%s\n", written.error().message().c_str());
  return written ? 0 : 1;
}
