// What a recording takes on the disk and how fast it is written and read, beside what others make
// of the same samples.
//
//   store_bench DATA...
//
// Each DATA is a recording (a directory that `reveal record` wrote), or a CSV file, plain or
// through a pipe, of a time column in ns and one column of whole numbers for each channel, one row
// a tick; "noise" stands for 400 counters with 4 % of noise made here, "mixed" for 300 of those
// beside the first 400 channels of the DATA before it. Every value that was written is read back
// and compared. Sizes are of the whole directory, tables and run facts included. CPU times are
// medians of rounds.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <zstd.h>

#include "base/temp_dir.h"
#include "gorilla.h"
#include "sound.h"
#include "store/block_codec.h"
#include "store/segment_reader.h"
#include "store/segment_writer.h"
#include "timing.h"

namespace {

using namespace reveal;
using bench::fail;
using bench::sound;
namespace fs = std::filesystem;

constexpr std::size_t kBlockTicks = 600;
constexpr int kRounds = 5;

// Samples by tick, as they come.
struct Data {
  std::string name;
  model::ChannelTable channels;
  model::RunFacts facts;
  std::vector<model::Frame> frames;

  std::size_t width() const { return channels.channel_count(); }
  double samples() const {
    return static_cast<double>(frames.size()) * static_cast<double>(width());
  }
  double seconds() const {
    return 1e-9 * static_cast<double>(frames.back().mono_ns - frames.front().mono_ns) *
           static_cast<double>(frames.size()) / static_cast<double>(frames.size() - 1);
  }
};

model::RunFacts plain_facts() {
  model::RunFacts facts;
  facts.host = "bench";
  facts.interval_ns = 100'000'000;
  facts.start_wall_ns = 1;
  return facts;
}

void add_channel(Data& data, const std::string& name) {
  model::MetricDescriptor metric;
  metric.name = name;
  metric.kind = model::Kind::kCounter;
  data.channels.add_channel(data.channels.add_metric(metric));
}

void add_row(Data& data, std::int64_t time_ns, std::vector<std::uint64_t> values) {
  model::Frame frame;
  frame.sequence = data.frames.size();
  frame.wall_ns = time_ns;
  frame.mono_ns = time_ns;
  frame.bits = std::move(values);
  frame.validity.assign(frame.bits.size(), model::Validity::kFresh);
  data.frames.push_back(std::move(frame));
}

std::uint64_t next_number(const char*& at) {
  char* end = nullptr;
  const auto value = std::strtoull(at, &end, 10);
  if (end == at) fail("the CSV has something that is not a whole number");
  at = *end == ',' ? end + 1 : end;
  return value;
}

Data from_csv(const std::string& path) {
  Data data;
  data.name = fs::path(path).filename();
  data.facts = plain_facts();
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) fail(path + ": cannot be read");
  while (std::getline(in, line)) {
    std::vector<std::uint64_t> values;
    const char* at = line.c_str();
    const auto time = static_cast<std::int64_t>(next_number(at));
    while (*at != '\0') values.push_back(next_number(at));
    if (data.frames.empty()) {
      for (std::size_t i = 0; i < values.size(); ++i)
        add_channel(data, fmt::format("c{}_total", i));
    }
    if (values.size() != data.width()) fail(path + ": rows differ in length");
    add_row(data, time, std::move(values));
  }
  return data;
}

Data from_recording(const std::string& path) {
  Data data;
  data.name = fs::path(path).filename();
  auto reader = sound(store::SegmentReader::open(path));
  data.facts = reader.facts();
  for (auto frame = sound(reader.next()); frame != nullptr; frame = sound(reader.next())) {
    data.frames.push_back(*frame);
  }
  const auto& table = reader.channels();
  for (std::size_t i = 0; i < table.channel_count(); ++i) {
    const model::ChannelId id(i);
    data.channels.add_channel(data.channels.add_metric(table.metric(id)),
                              table.channel(id).instance);
  }
  for (auto& frame : data.frames) frame.resize(data.width());
  return data;
}

// Counters that grow by 1e4 to 1e8 a tick, with 4 % of noise.
std::vector<std::uint64_t> noisy_counter(std::size_t ticks, double share, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise;
  const double mean = std::pow(10.0, 4 + 4 * share);
  std::vector<std::uint64_t> out;
  std::uint64_t value = random() >> 20;
  for (std::size_t t = 0; t < ticks; ++t) {
    value += static_cast<std::uint64_t>(std::max(0.0, mean * (1 + 0.04 * noise(random))));
    out.push_back(value);
  }
  return out;
}

Data noise_beside(const Data* other, std::size_t others, std::size_t noisy) {
  Data data;
  data.name = other == nullptr ? "noise" : "mixed with " + other->name;
  data.facts = plain_facts();
  const std::size_t ticks = other == nullptr ? 6000 : other->frames.size();
  std::vector<std::vector<std::uint64_t>> counters;
  for (std::size_t i = 0; i < noisy; ++i) {
    counters.push_back(
        noisy_counter(ticks, static_cast<double>(i) / static_cast<double>(noisy), 1 + i));
    add_channel(data, fmt::format("n{}_total", i));
  }
  for (std::size_t i = 0; i < others; ++i) add_channel(data, fmt::format("c{}_total", i));
  for (std::size_t t = 0; t < ticks; ++t) {
    std::vector<std::uint64_t> row;
    for (const auto& counter : counters) row.push_back(counter[t]);
    for (std::size_t i = 0; i < others; ++i) row.push_back(other->frames[t].bits[i]);
    add_row(data, 1'700'000'000'000'000'000 + 100'000'000 * static_cast<std::int64_t>(t),
            std::move(row));
  }
  return data;
}

struct Line {
  std::string name;
  double bytes = 0;
  double encode_us = 0;
  double decode_us = 0;  // 0: not measured
};

void print(const Line& line, const Data& data) {
  std::printf("  %-44s %8.4f %9.3f %8.1f", line.name.c_str(), line.bytes / data.samples(),
              1e-3 * line.bytes / data.seconds(), 1e3 * line.encode_us / data.samples());
  if (line.decode_us > 0) {
    std::printf(" %8.1f %7.0f\n", 1e3 * line.decode_us / data.samples(),
                data.samples() / line.decode_us);
  } else {
    std::printf("\n");
  }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

bool same(const model::Frame& a, const model::Frame& b) {
  return a.sequence == b.sequence && a.wall_ns == b.wall_ns && a.mono_ns == b.mono_ns &&
         a.bits == b.bits && a.validity == b.validity && a.read_ns == b.read_ns &&
         a.cost_ns == b.cost_ns;
}

// Block by block, as the writer encodes them: no disk, no journal.
Line blocks(const Data& data) {
  Line out{"blocks", 0, 0, 0};
  std::vector<double> encode;
  std::vector<double> decode;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<store::Bytes> payloads;
    encode.push_back(bench::cpu_us([&] {
      for (std::size_t begin = 0; begin < data.frames.size(); begin += kBlockTicks) {
        store::BlockBuilder builder;
        const std::size_t end = std::min(begin + kBlockTicks, data.frames.size());
        for (std::size_t t = begin; t < end; ++t) {
          builder.add(data.frames[t], data.frames[t].gap, data.frames[t].notes);
        }
        store::BlockEncoder encoder(std::move(builder), {});
        encoder.advance(encoder.columns());
        encoder.finish(payloads.emplace_back());
      }
    }));
    std::uint64_t sum = 0;
    decode.push_back(bench::cpu_us([&] {
      model::Frame frame;
      for (const auto& payload : payloads) {
        auto block = sound(store::BlockDecoder::open(payload, data.width()));
        sound(block.decode());
        for (std::size_t t = 0; t < block.ticks(); ++t) {
          block.frame(t, frame);
          sum += frame.bits.back();
        }
      }
    }));
    if (sum == 1) std::printf(" ");  // so that nothing is optimized away
    out.bytes = 0;
    for (const auto& payload : payloads) out.bytes += static_cast<double>(payload.size());
  }
  out.encode_us = median(encode);
  out.decode_us = median(decode);
  return out;
}

// All of it: tables, journal, checksums, the disk.
std::vector<Line> recording(const Data& data, const fs::path& dir) {
  Line closed{"recording, closed", 0, 0, 0};
  Line most{"recording, with its journals at their largest", 0, 0, 0};
  Line written{"all bytes ever written, journals included", 0, 0, 0};
  store::WriterOptions options;
  options.min_free_bytes = 0;
  auto writer = sound(store::SegmentWriter::create(dir, options));
  sound(writer.begin(data.facts));
  double largest_journal = 0;
  closed.encode_us = bench::cpu_us([&] {
    for (const auto& frame : data.frames) {
      sound(writer.write(data.channels, frame));
      largest_journal = std::max(largest_journal, static_cast<double>(writer.journal_bytes()));
    }
    sound(writer.finish());
  });
  closed.bytes = static_cast<double>(writer.bytes_on_disk());
  most.bytes = closed.bytes + largest_journal;
  written.bytes = static_cast<double>(writer.bytes_written());
  written.encode_us = most.encode_us = closed.encode_us;

  closed.decode_us = bench::cpu_us([&] {
    auto reader = sound(store::SegmentReader::open(dir));
    std::size_t count = 0;
    for (auto frame = sound(reader.next()); frame != nullptr; frame = sound(reader.next())) ++count;
    if (count != data.frames.size()) fail("frames are missing from the recording");
  });
  auto reader = sound(store::SegmentReader::open(dir));
  for (const auto& want : data.frames) {
    const auto* got = sound(reader.next());
    if (got == nullptr || !same(*got, want)) fail("the recording is not what was written");
  }
  return {closed, most, written};
}

std::string csv_of(const Data& data) {
  std::string out;
  for (const auto& frame : data.frames) {
    fmt::format_to(std::back_inserter(out), "{}", frame.wall_ns);
    for (const std::uint64_t bits : frame.bits) {
      fmt::format_to(std::back_inserter(out), ",{}", bits);
    }
    out += '\n';
  }
  return out;
}

Line csv_zstd(const Data& data, int level) {
  Line out{fmt::format("CSV, zstd -{}", level), 0, 0, 0};
  out.encode_us = bench::cpu_us([&] {
    const std::string text = csv_of(data);
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    out.bytes = static_cast<double>(
        ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), level));
  });
  return out;
}

Line csv(const Data& data) {
  Line out{"CSV", 0, 0, 0};
  out.encode_us = bench::cpu_us([&] { out.bytes = static_cast<double>(csv_of(data).size()); });
  return out;
}

Line gorilla(const Data& data) {
  Line out{"Gorilla, one time a tick shared by all", 0, 0, 0};
  std::vector<std::vector<std::uint64_t>> columns(data.width());
  for (const auto& frame : data.frames) {
    // Gorilla's values are binary64.
    for (std::size_t i = 0; i < data.width(); ++i) {
      columns[i].push_back(std::bit_cast<std::uint64_t>(static_cast<double>(frame.bits[i])));
    }
  }
  out.encode_us = bench::cpu_us([&] {
    for (const auto& column : columns) {
      for (std::size_t begin = 0; begin < column.size(); begin += kBlockTicks) {
        const std::size_t count = std::min(kBlockTicks, column.size() - begin);
        out.bytes +=
            static_cast<double>(bench::gorilla(std::span(column).subspan(begin, count)).size());
      }
    }
  });
  return out;
}

// The same deltas for all columns of a minute in one zstd frame: the best of the known encodings.
Line deltas_zstd(const Data& data, int level) {
  Line out{fmt::format("deltas of a minute in one frame, zstd -{}", level), 0, 0, 0};
  out.encode_us = bench::cpu_us([&] {
    for (std::size_t begin = 0; begin < data.frames.size(); begin += kBlockTicks) {
      const std::size_t end = std::min(begin + kBlockTicks, data.frames.size());
      store::Bytes bytes;
      for (std::size_t i = 0; i < data.width(); ++i) {
        std::uint64_t before = 0;
        std::uint64_t zeros = 0;
        for (std::size_t t = begin; t < end; ++t) {
          const std::uint64_t value = data.frames[t].bits[i];
          if (value == before) {
            ++zeros;
            continue;
          }
          if (zeros > 0) {
            bytes.push_back(0);
            store::put_varint(bytes, std::exchange(zeros, 0));
          }
          store::put_difference(bytes, before, value);
          before = value;
        }
        if (zeros > 0) {
          bytes.push_back(0);
          store::put_varint(bytes, zeros);
        }
      }
      store::Bytes packed(ZSTD_compressBound(bytes.size()));
      out.bytes += static_cast<double>(
          ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), level));
    }
  });
  return out;
}

void compare(const Data& data) {
  std::printf("\n%s: %zu channels, %zu ticks\n", data.name.c_str(), data.width(),
              data.frames.size());
  std::printf("  %-44s %8s %9s %8s %8s %7s\n", "", "B/sample", "KB/s", "ns enc", "ns dec", "M/s");
  const base::TempDir dir;
  if (dir.path().empty()) fail("cannot create a directory for the recordings");
  const Line ours = blocks(data);
  print(ours, data);
  for (const Line& line : recording(data, dir.path() / "r")) print(line, data);
  const Line peer = deltas_zstd(data, 3);
  print(peer, data);
  print(deltas_zstd(data, 19), data);
  print(gorilla(data), data);
  print(csv_zstd(data, 3), data);
  print(csv(data), data);
  std::printf("  ratio to the deltas in zstd -3: %.2f of the bytes, %.1f times the encoding time\n",
              ours.bytes / peer.bytes, ours.encode_us / peer.encode_us);
}

// Writes `hours` of the data over and over, and takes one channel's last hour but one out of it.
void channel_hour(const Data& data, std::int64_t hours) {
  const base::TempDir dir;
  if (dir.path().empty()) fail("cannot create a directory for the recordings");
  const fs::path day = dir.path() / "day";
  store::WriterOptions options;
  options.min_free_bytes = 0;
  auto writer = sound(store::SegmentWriter::create(day, options));
  sound(writer.begin(data.facts));
  constexpr std::int64_t kTickNs = 100'000'000;
  const std::int64_t ticks = hours * 36'000;
  model::Frame frame;
  for (std::int64_t t = 0; t < ticks; ++t) {
    frame = data.frames[static_cast<std::size_t>(t) % data.frames.size()];
    frame.sequence = static_cast<std::uint64_t>(t);
    frame.wall_ns = frame.mono_ns = 1'700'000'000'000'000'000 + t * kTickNs;
    frame.read_ns.clear();
    sound(writer.write(data.channels, frame));
  }
  sound(writer.finish());
  std::vector<double> times;
  for (const std::size_t channel : {std::size_t{1}, data.width() / 2, data.width() - 1}) {
    store::ReadOptions some;
    some.from_ns = 1'700'000'000'000'000'000 + (hours - 2) * 36'000 * kTickNs;
    some.to_ns = *some.from_ns + 36'000 * kTickNs;
    const auto& wanted = data.channels.channel(model::ChannelId(channel));
    const auto name = data.channels.metric(wanted.metric).name;
    some.wanted = [&](const model::MetricDescriptor& metric, std::string_view instance) {
      return metric.name == name && instance == wanted.instance;
    };
    times.push_back(1e-3 * bench::cpu_us([&] {
                      auto reader = sound(store::SegmentReader::open(day, some));
                      std::size_t count = 0;
                      for (auto got = sound(reader.next()); got != nullptr;
                           got = sound(reader.next()))
                        ++count;
                      if (count != 36'000) fail("the hour is not whole");
                    }));
  }
  std::printf(
      "\none channel over one hour, out of %lld h of %zu channels (%.1f MB): %.1f ms of CPU\n",
      static_cast<long long>(hours), data.width(),
      1e-6 * static_cast<double>(writer.bytes_on_disk()), median(times));
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<Data> before;
  for (int i = 1; i < argc; ++i) {
    const std::string what = argv[i];
    if (what == "noise") {
      compare(noise_beside(nullptr, 0, 400));
    } else if (what == "mixed") {
      if (!before || before->width() < 400) fail("\"mixed\" needs 400 channels before it");
      compare(noise_beside(&*before, 400, 300));
    } else if (what == "day") {
      if (!before) fail("\"day\" needs DATA before it");
      channel_hour(*before, 24);
    } else {
      before = fs::is_directory(what) ? from_recording(what) : from_csv(what);
      if (before->frames.size() < 2) fail(what + ": fewer than two ticks");
      compare(*before);
    }
  }
  return 0;
}
