// What a host's levels cost on the wire: bytes a second, and time to encode and to decode a
// message.
//
//   wire_bench [QUANTITIES]
//
// Quantities (744 unless told) as a host has them: three fifths never move, the others move in a
// third of the seconds, most by little, as on the machine of the measured sizes. Ten minutes are
// encoded and decoded. The floor, in the same run, is to copy the codes of a second, which an
// encoder and a decoder both do; for the size, the levels as binary32. Times are CPU time of one
// core, medians of 21 repetitions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/rng.h"
#include "sound.h"
#include "stats/quantile.h"
#include "timing.h"
#include "wire/levels.h"

namespace {

using namespace reveal;

constexpr std::size_t kSeconds = 600;
constexpr int kRepetitions = 21;
constexpr std::uint16_t kFloor = 7490;  // .001

struct Made {
  std::vector<std::vector<float>> levels;  // by second
  std::vector<std::vector<wire::Code>> codes;
};

float moved(base::Rng& rng, float level) {
  const double exponent = (rng.uniform() - 0.5) * (rng.below(20) == 0 ? 4 : 0.2);
  return level * static_cast<float>(std::exp2(exponent));
}

Made made_levels(std::size_t quantities) {
  base::Rng rng(1);
  Made out;
  std::vector<float> levels(quantities);
  for (std::size_t i = 0; i < quantities; ++i) {
    levels[i] = rng.below(2) == 0 ? 0.0F : static_cast<float>(std::exp2(rng.uniform() * 20 - 5));
  }
  for (std::size_t s = 0; s < kSeconds; ++s) {
    for (std::size_t i = 0; i < quantities; ++i) {
      if (i % 5 >= 2 || rng.below(3) != 0) continue;
      levels[i] = levels[i] == 0 ? 1.0F : moved(rng, levels[i]);
    }
    std::vector<wire::Code> codes(quantities);
    std::ranges::transform(levels, codes.begin(),
                           [](float level) { return wire::code_of(level, kFloor); });
    out.levels.push_back(levels);
    out.codes.push_back(std::move(codes));
  }
  return out;
}

wire::LevelsHead head_of(std::size_t second) {
  wire::LevelsHead out;
  out.sequence = second;
  out.head.time_ns = static_cast<std::int64_t>(second) * 1'000'000'000;
  return out;
}

template <typename Work>
double ns_a_message(Work work) {
  std::vector<double> times;
  for (int i = 0; i < kRepetitions; ++i) {
    times.push_back(bench::cpu_us(work) * 1e3 / static_cast<double>(kSeconds));
  }
  return stats::median(times);
}

std::vector<wire::Bytes> encoded(const Made& made) {
  std::vector<wire::Bytes> out(kSeconds);
  wire::LevelsEncoder encoder;
  for (std::size_t s = 0; s < kSeconds; ++s) encoder.encode(head_of(s), made.codes[s], out[s]);
  return out;
}

double copy_ns(const Made& made) {
  std::vector<wire::Code> target(made.codes[0].size());
  volatile wire::Code sink = 0;
  return ns_a_message([&] {
    for (const auto& codes : made.codes) {
      std::memcpy(target.data(), codes.data(), codes.size() * sizeof(wire::Code));
      sink = target[static_cast<std::size_t>(sink) % target.size()];
    }
  });
}

void print_sizes(const std::vector<wire::Bytes>& messages, std::size_t quantities) {
  std::vector<double> sizes;
  double total = 0;
  for (const auto& message : messages) {
    sizes.push_back(static_cast<double>(message.size()));
    total += sizes.back();
  }
  const double mean = total / static_cast<double>(kSeconds);
  const double plain = 4.0 * static_cast<double>(quantities);
  fmt::print("size     mean {:.0f}, p99 {:.0f}, longest {:.0f} bytes; {:.1f} % of {:.0f} as f32\n",
             mean, stats::quantile(sizes, 0.99), *std::ranges::max_element(sizes),
             100 * mean / plain, plain);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t quantities = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 744;
  if (quantities == 0 || quantities > wire::kMaxQuantities) bench::fail("1 to 16384 quantities");
  const Made made = made_levels(quantities);
  const auto messages = encoded(made);
  fmt::print("{} quantities, {} s of one host\n", quantities, kSeconds);
  print_sizes(messages, quantities);
  const double floor = copy_ns(made);
  wire::Bytes out;
  std::vector<wire::Code> codes(quantities);
  const double encode = ns_a_message([&] {
    wire::LevelsEncoder encoder;
    for (std::size_t s = 0; s < kSeconds; ++s) {
      for (std::size_t i = 0; i < quantities; ++i) {
        codes[i] = wire::code_of(made.levels[s][i], kFloor);
      }
      out.clear();
      encoder.encode(head_of(s), codes, out);
    }
  });
  const double decode = ns_a_message([&] {
    wire::LevelsDecoder decoder;
    for (const auto& message : messages) bench::sound(decoder.decode(message));
  });
  fmt::print("floor    {:.0f} ns to copy the codes\n", floor);
  for (const auto& [what, ns] : {std::pair{"encode", encode}, std::pair{"decode", decode}}) {
    fmt::print("{}   {:.0f} ns a message, {:.2f} ns a quantity: {:.0f} times the floor\n", what, ns,
               ns / static_cast<double>(quantities), ns / floor);
  }
  return 0;
}
