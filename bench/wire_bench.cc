// What a host's levels cost on the wire: bytes a second, and time to encode and to decode a
// message.
//
//   wire_bench [QUANTITIES | RECORDING]
//
// Without RECORDING, quantities (744 unless told) are made: three fifths never move, the others
// move in a third of the seconds, most by little. With one, they are what `reveal compare` makes of
// its seconds; the floor of each is half of what is worth a word of it where it is 0
// (fleet/resolution.h).
//
// The floor of the times, in the same run, is to copy the codes of a second, which an encoder and a
// decoder both do; of the sizes, the levels as binary32. Times are CPU time of one core, medians of
// 21 repetitions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/rng.h"
#include "fleet/host_levels.h"
#include "fleet/resolution.h"
#include "sound.h"
#include "stats/quantile.h"
#include "store/segment_reader.h"
#include "timing.h"
#include "wire/levels.h"

namespace {

using namespace reveal;
using bench::sound;

constexpr std::size_t kSeconds = 600;
constexpr int kRepetitions = 21;

struct Host {
  std::vector<std::uint16_t> floors;       // by quantity
  std::vector<std::vector<float>> levels;  // by second
};

float moved(base::Rng& rng, float level) {
  const double exponent = (rng.uniform() - 0.5) * (rng.below(20) == 0 ? 4 : 0.2);
  return level * static_cast<float>(std::exp2(exponent));
}

Host made_host(std::size_t quantities) {
  base::Rng rng(1);
  Host out;
  out.floors.assign(quantities, wire::floor_of(0.001F));
  std::vector<float> levels(quantities);
  for (auto& level : levels) {
    level = rng.below(2) == 0 ? 0.0F : static_cast<float>(std::exp2(rng.uniform() * 20 - 5));
  }
  for (std::size_t s = 0; s < kSeconds; ++s) {
    for (std::size_t i = 0; i < quantities; ++i) {
      if (i % 5 >= 2 || rng.below(3) != 0) continue;
      levels[i] = levels[i] == 0 ? 1.0F : moved(rng, levels[i]);
    }
    out.levels.push_back(levels);
  }
  return out;
}

fleet::HostLevels read_levels(const std::string& directory) {
  const auto span = sound(store::wall_span(directory));
  fleet::HostLevels out(fleet::grid_between(span.begin_ns, span.end_ns, fleet::kBucket_ns));
  auto reader = sound(store::SegmentReader::open(directory));
  sound(out.begin(reader.facts()));
  while (const auto* frame = sound(reader.next())) sound(out.write(reader.channels(), *frame));
  sound(out.finish());
  return out;
}

Host recorded_host(const std::string& directory) {
  const auto read = read_levels(directory);
  const fleet::Surroundings around{fleet::installed_memory(std::span(&read, 1))};
  Host out;
  for (const auto& series : read.series()) {
    if (series.levels.empty()) continue;
    out.levels.resize(series.levels.size());
    out.floors.push_back(
        wire::floor_of(static_cast<float>(fleet::resolution(series.quantity, 0, around) / 2)));
    for (std::size_t s = 0; s < series.levels.size(); ++s) {
      out.levels[s].push_back(series.levels[s]);
    }
  }
  if (out.levels.empty()) bench::fail(directory + ": has no whole second");
  return out;
}

void put_codes(const Host& host, std::size_t second, std::vector<wire::Code>& out) {
  out.resize(host.floors.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = wire::code_of(host.levels[second][i], host.floors[i]);
  }
}

wire::LevelsHead head_of(std::size_t second) {
  wire::LevelsHead out;
  out.sequence = second;
  out.head.time_ns = static_cast<std::int64_t>(second) * 1'000'000'000;
  return out;
}

// Returns the time of each of so many messages.
template <typename Work>
double ns_a_message(std::size_t messages, Work work) {
  std::vector<double> times;
  for (int i = 0; i < kRepetitions; ++i) {
    times.push_back(bench::cpu_us(work) * 1e3 / static_cast<double>(messages));
  }
  return stats::median(times);
}

std::vector<wire::Bytes> encoded(const Host& host) {
  std::vector<wire::Bytes> out(host.levels.size());
  wire::LevelsEncoder encoder;
  std::vector<wire::Code> codes;
  for (std::size_t s = 0; s < out.size(); ++s) {
    put_codes(host, s, codes);
    encoder.encode(head_of(s), codes, out[s]);
  }
  return out;
}

double copy_ns(const Host& host) {
  std::vector<wire::Code> codes(host.floors.size());
  std::vector<wire::Code> target(codes.size());
  volatile wire::Code sink = 0;
  return ns_a_message(host.levels.size(), [&] {
    for (std::size_t s = 0; s < host.levels.size(); ++s) {
      codes[s % codes.size()] = static_cast<wire::Code>(s);
      std::memcpy(target.data(), codes.data(), codes.size() * sizeof(wire::Code));
      sink = target[static_cast<std::size_t>(sink) % target.size()];
    }
  });
}

void print_sizes(const std::vector<wire::Bytes>& messages, std::size_t quantities) {
  std::vector<double> sizes;
  std::vector<double> keys;
  double total = 0;
  for (const auto& message : messages) {
    const auto size = static_cast<double>(message.size());
    total += size;
    // Whether its base is none.
    (message[36] == 0 ? keys : sizes).push_back(size);
  }
  std::ranges::sort(sizes);
  const double mean = total / static_cast<double>(messages.size());
  const double plain = 4.0 * static_cast<double>(quantities);
  fmt::print(
      "size     mean {:.0f} bytes, {:.1f} % of {:.0f} as f32; key messages {:.0f}, others {:.0f} "
      "(median), {:.0f} (p99)\n",
      mean, 100 * mean / plain, plain, stats::median(keys), stats::median(sizes),
      stats::quantile(sizes, 0.99));
}

Host host_of(const std::string& argument) {
  const std::size_t quantities = std::strtoul(argument.c_str(), nullptr, 10);
  return quantities == 0 ? recorded_host(argument) : made_host(quantities);
}

}  // namespace

int main(int argc, char** argv) {
  const Host host = host_of(argc > 1 ? argv[1] : "744");
  const std::size_t quantities = host.floors.size();
  const std::size_t seconds = host.levels.size();
  if (quantities > wire::kMaxQuantities || seconds < 2)
    bench::fail("too many quantities, or no time");
  const auto messages = encoded(host);
  fmt::print("{} quantities, {} s of one host\n", quantities, seconds);
  print_sizes(messages, quantities);
  const double floor = copy_ns(host);
  wire::Bytes out;
  std::vector<wire::Code> codes;
  const double encode = ns_a_message(seconds, [&] {
    wire::LevelsEncoder encoder;
    for (std::size_t s = 0; s < seconds; ++s) {
      put_codes(host, s, codes);
      out.clear();
      encoder.encode(head_of(s), codes, out);
    }
  });
  const double decode = ns_a_message(seconds, [&] {
    wire::LevelsDecoder decoder;
    for (const auto& message : messages) sound(decoder.decode(message));
  });
  fmt::print("floor    {:.0f} ns to copy the codes\n", floor);
  for (const auto& [what, ns] : {std::pair{"encode", encode}, std::pair{"decode", decode}}) {
    fmt::print("{}   {:.0f} ns a message, {:.2f} ns a quantity: {:.0f} times the floor\n", what, ns,
               ns / static_cast<double>(quantities), ns / floor);
  }
  return 0;
}
