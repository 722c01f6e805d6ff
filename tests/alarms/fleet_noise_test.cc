// How often hosts of a fleet that are alike are called slow, on noise that is harder than that of
// hosts: every quantity is a saturation signal of which any rise matters, so that the limit alone
// keeps it quiet. The noise is AR(1) with innovations of Student's t with three degrees of freedom
// (normal ones where that is said), in an hour of ten hosts a figure.
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "fleet/testing/made_host.h"
#include "peers/fleet.h"
#include "peers/testing/made_fleet.h"

namespace reveal::peers {
namespace {

constexpr std::size_t kQuantities = 64;
constexpr std::size_t kSeconds = 3600;
constexpr double kKept = 0.8;  // of a second that is in the next one
constexpr double kHostWeek_s = 7 * 86'400;
// Of agents' 700 quantities some 60 are saturation signals that a host has.
constexpr float kAnyRise = 1e-3F;

enum class Noise : std::uint8_t { kNormal, kStudent };

double innovation(base::Rng& rng, Noise noise) {
  const double normal = fleet::normal(rng);
  if (noise == Noise::kNormal) return normal;
  double squares = 0;
  for (int i = 0; i < 3; ++i) squares += std::pow(fleet::normal(rng), 2);
  return normal / std::sqrt(squares / 3);
}

wire::Dictionary dictionary(float least_rise) {
  wire::Dictionary out;
  for (std::size_t i = 0; i < kQuantities; ++i) {
    out.quantities.push_back(made_quantity("q" + std::to_string(i), "Noise", "celsius",
                                           model::Kind::kGauge, model::Subsystem::kCpu, 0.01F,
                                           least_rise));
  }
  return out;
}

// Returns incidents a host-week.
double incidents(std::size_t hosts, Noise noise, float least_rise) {
  Fleet fleet;
  std::int64_t newest_ns = 0;
  MadeFleet made(hosts, dictionary(least_rise),
                 [&](const auto& subject, const auto& payload, std::int64_t stored_ns) {
                   EXPECT_TRUE(fleet.take({subject, payload, stored_ns}));
                   newest_ns = stored_ns;
                 });
  made.introduce();
  base::Rng rng(hosts);
  std::vector<double> states(hosts * kQuantities);
  std::size_t opened = 0;
  for (std::size_t s = 0; s < kSeconds; ++s) {
    for (auto& state : states) state = kKept * state + innovation(rng, noise);
    made.send_second(s, [&](std::size_t host, std::size_t quantity, std::size_t) {
      // Ten degrees a unit: the resolution of a degree plays no part.
      return static_cast<float>(500 + 10 * states[host * kQuantities + quantity]);
    });
    fleet.advance(newest_ns, false);
    for (const auto& news : fleet.take_news()) {
      if (news.told == Told::kOpened) ++opened;
    }
  }
  EXPECT_GT(fleet.counts().judged, kSeconds - 10);
  const double host_seconds = static_cast<double>(hosts * kSeconds);
  const double out = static_cast<double>(opened) * kHostWeek_s / host_seconds;
  fmt::print("{} hosts, {}: {} incidents in {} host-hours, {:.0f} a host-week\n", hosts,
             noise == Noise::kNormal ? "normal" : "Student t3", opened, host_seconds / 3600, out);
  return out;
}

class FleetNoise : public testing::TestWithParam<std::size_t> {};

TEST_P(FleetNoise, NormalNoiseIsQuiet) {
  EXPECT_EQ(incidents(GetParam(), Noise::kNormal, kAnyRise), 0);
}

// What matters is what an operator would call something: here a hundred units of the noise. A
// single number of t3 that is so large is no mistake to tell: there is one in some millions.
TEST_P(FleetNoise, HeavyTailsBelowTheLeastRiseAreAlmostQuiet) {
  EXPECT_LT(incidents(GetParam(), Noise::kStudent, 1000), 100);
}

TEST_P(FleetNoise, HeavyTailsOfWhichAnyRiseMattersAreNot) {
  EXPECT_LT(incidents(GetParam(), Noise::kStudent, kAnyRise), 3000);
}

INSTANTIATE_TEST_SUITE_P(Sizes, FleetNoise, testing::Values(2, 3, 9));

}  // namespace
}  // namespace reveal::peers
