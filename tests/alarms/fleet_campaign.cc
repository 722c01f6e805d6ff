// How often hosts of a fleet that are alike are called slow by mistake, by the noise that they
// have, and whether the least rise that matters is found in it (noisy_fleet.h):
//
//   fleet_campaign [SECONDS [NOISE|HOSTS...]]
//
// A row is one noise, one size of the group, and how many units of the noise a least rise is; the
// noises and sizes are those that are named. Each is run for SECONDS (60) of CPU time. Prints
// markdown. Incidents are counted in the first 108 host-hours of a group, in which it learns which
// quantities are restless, and after them.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "noisy_fleet.h"
#include "poisson_interval.h"
#include "stats/quantile.h"

namespace {

namespace peers = reveal::peers;
namespace stats = reveal::stats;

constexpr double kHostWeek_s = 7 * 86'400;
constexpr std::size_t kSteps = 40;
constexpr std::size_t kOthers = 3;  // quantities that rise with one
constexpr std::uint64_t kSeed = 31;
constexpr std::array<std::size_t, 4> kSizes{3, 9, 32, 100};
constexpr std::size_t kFirstHosts_s = 108 * 3600;
constexpr std::array<double, 2> kUnits{10, 100};

struct Kind {
  std::string_view name;
  peers::Noise noise;
};
constexpr std::array kKinds{
    Kind{"normal", peers::Noise::kNormal}, Kind{"t3", peers::Noise::kStudent3},
    Kind{"t2", peers::Noise::kStudent2}, Kind{"bursts", peers::Noise::kBursts},
    Kind{"log-normal", peers::Noise::kLogNormal}};

std::string rate(double incidents, double weeks) {
  const double a_week = incidents / weeks;
  return a_week < 10 ? fmt::format("{:.2g}", a_week) : fmt::format("{:.0f}", a_week);
}

// As two columns: the host-hours, and how many incidents there were, with the rate.
std::string told(const peers::FalseAlarms& found) {
  if (found.host_seconds == 0) return " | ";
  const double weeks = found.host_seconds / kHostWeek_s;
  const auto interval = stats::poisson_interval(found.incidents);
  return fmt::format("{:.0f} | {}: {} ({} to {})", found.host_seconds / 3600, found.incidents,
                     rate(static_cast<double>(found.incidents), weeks), rate(interval.low, weeks),
                     rate(interval.high, weeks));
}

std::string told(const peers::Steps& steps) {
  const auto found = static_cast<double>(steps.found_s.size());
  const auto share = fmt::format("{:.0f} %", 100 * found / static_cast<double>(steps.done));
  if (steps.found_s.empty()) return share;
  return fmt::format("{}, {:.1f} s", share, stats::median(steps.found_s));
}

void run(const Kind& kind, double units, std::size_t hosts, double seconds) {
  peers::NoisyFleet healthy(hosts, kind.noise, units, kSeed);
  const auto until = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
  const auto found =
      peers::false_alarms(healthy, kFirstHosts_s / hosts, [&] { return std::clock() < until; });
  const auto steps = [&](double rises, std::size_t others) {
    peers::NoisyFleet disturbed(hosts, kind.noise, units, kSeed + 1);
    return told(peers::find_steps(disturbed, kSteps, rises, others));
  };
  fmt::print("| {} | {:.0f} | {} | {} | {} | {} | {} | {} |\n", kind.name, units, hosts,
             told(found.first), told(found.after), steps(1, 0), steps(1.5, 0), steps(1.5, kOthers));
  static_cast<void>(std::fflush(stdout));
}

}  // namespace

int main(int count, char** words) {
  const double seconds = count > 1 ? std::strtod(words[1], nullptr) : 60;
  std::vector<std::string_view> noises;
  std::vector<std::size_t> sizes;
  for (int i = 2; i < count; ++i) {
    const auto hosts = std::strtoul(words[i], nullptr, 10);
    if (hosts > 0) {
      sizes.push_back(hosts);
    } else {
      noises.emplace_back(words[i]);
    }
  }
  if (sizes.empty()) sizes.assign(kSizes.begin(), kSizes.end());
  fmt::print(
      "| noise | least rise, units | hosts | first host-hours | incidents: a host-week (95 %) | "
      "later host-hours | incidents: a host-week (95 %) | a least rise: found, after (median) | "
      "1.5 of them | the same of four quantities |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (const auto& kind : kKinds) {
    if (!noises.empty() && std::ranges::find(noises, kind.name) == noises.end()) continue;
    for (const double units : kUnits) {
      for (const auto hosts : sizes) run(kind, units, hosts, seconds);
    }
  }
}
