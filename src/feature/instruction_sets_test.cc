// Every instruction set that this processor has gives the same results, to the bit: no operation is
// fused and none crosses lanes.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "base/rng.h"
#include "feature/pack.h"

namespace reveal::feature {
namespace {

constexpr std::array<std::size_t, 7> kLengths{2, 5, 12, 29, 30, 97, 300};

std::vector<FeatureId> all_features() {
  std::vector<FeatureId> out;
  for (std::size_t i = 0; i < registry().size(); ++i) out.emplace_back(i);
  return out;
}

// Eight channels of as many kinds: noise, a walk, counts, steps, an offset, a line, a constant, and
// rare bursts.
void fill(std::size_t samples, double* x) {
  base::Rng rng(samples);
  double walk = 0.0;
  for (std::size_t t = 0; t < samples; ++t) {
    const double noise = rng.uniform();
    const auto time = static_cast<double>(t);
    walk += noise - 0.5;
    const std::array channels{noise - 0.5,
                              walk,
                              std::floor(8.0 * rng.uniform()),
                              2 * t < samples ? noise : 5.0 + noise,
                              1e9 + noise,
                              3.0 * time,
                              2.5,
                              noise < 0.1 ? 1e5 * noise : 0.0};
    static_assert(channels.size() == kPackLanes);
    for (std::size_t i = 0; i < channels.size(); ++i) x[t * kPackLanes + i] = channels[i];
  }
}

// Returns all features of all channels of windows of all lengths.
std::vector<double> compute_all() {
  const auto features = all_features();
  std::vector<double> out;
  Arena memory;
  Arena scratch;
  for (const std::size_t samples : kLengths) {
    memory.reset();
    double* x = memory.take(samples * kPackLanes);
    double* values = memory.take(features.size() * kPackLanes);
    fill(samples, x);
    compute(features, {samples, x, samples / 2, x}, scratch, values);
    out.insert(out.end(), values, values + features.size() * kPackLanes);
  }
  return out;
}

std::string place(std::size_t i) {
  const std::size_t features = registry().size();
  return std::string(registry()[i / kPackLanes % features].name) + " of channel " +
         std::to_string(i % kPackLanes) + ", " +
         std::to_string(kLengths.at(i / kPackLanes / features)) + " samples";
}

class InstructionSets : public testing::Test {
 protected:
  static void use(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  void TearDown() override { use(0); }
};

TEST_F(InstructionSets, GiveTheSameBits) {
  const auto best = compute_all();
  const std::string_view best_set = instruction_set();
  std::map<std::string_view, std::vector<double>> others;
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    use(rest & -rest);
    if (instruction_set() != best_set) others.emplace(instruction_set(), compute_all());
  }
#if defined(__x86_64__)
  EXPECT_GE(others.size(), 1U) << "at least one beside " << best_set;
#endif
  for (const auto& [set, values] : others) {
    ASSERT_EQ(values.size(), best.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(values[i]), std::bit_cast<std::uint64_t>(best[i]))
          << place(i) << ": " << set << ' ' << values[i] << ", " << best_set << ' ' << best[i];
    }
  }
}

}  // namespace
}  // namespace reveal::feature
