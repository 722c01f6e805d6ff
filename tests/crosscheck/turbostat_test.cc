// What turbostat says of the cores' clocks, where it can run, against ours over about the same
// second. Both are ratios of cycles while every core is kept busy, so that the second need not be
// the same to the cycle.
#include <cstdlib>
#include <map>
#include <string>

#include <gmock/gmock.h>

#include "witness.h"

namespace reveal::collect {
namespace {

constexpr double kTolerance = 0.05;

// Keeps every core busy until it is destroyed.
class BusyCores {
 public:
  BusyCores() {
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) {
      threads_.emplace_back([this] {
        while (!stop_) {
        }
      });
    }
  }
  ~BusyCores() {
    stop_ = true;
    for (auto& thread : threads_) thread.join();
  }
  BusyCores(const BusyCores&) = delete;
  BusyCores& operator=(const BusyCores&) = delete;

 private:
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

// Returns the columns of a table of one row.
std::map<std::string, double> table(const std::string& text) {
  const auto lines = split(text, '\n');
  std::map<std::string, double> out;
  if (lines.size() < 2) return out;
  const auto names = split(lines[0], '\t');
  const auto values = split(lines[1], '\t');
  for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) {
    out[std::string(names[i])] = std::strtod(std::string(values[i]).c_str(), nullptr);
  }
  return out;
}

struct Clocks {
  double mperf = 0;
  double tsc = 0;
  double aperf = 0;
};

// Returns the sums over all cores in the next tick.
Clocks next_clocks(Sampler& sampler) {
  const auto frame = sampler.next();
  if (!frame || *frame == nullptr) throw std::runtime_error("no frame");
  const auto sum_of = [&](std::string_view metric) {
    double sum = 0;
    for (std::size_t i = 0; i < (*frame)->bits.size(); ++i) {
      const model::ChannelId id(i);
      if (sampler.channels().metric(id).name == metric && (*frame)->was_read(id)) {
        sum += static_cast<double>((*frame)->bits[i]);
      }
    }
    return sum;
  };
  return {sum_of("cpu_mperf_cycles_total"), sum_of("cpu_tsc_cycles_total"),
          sum_of("cpu_aperf_cycles_total")};
}

TEST(TurbostatAgreement, CoresAreAsBusyAndAsFast) {
  const std::string command =
      "turbostat --quiet --Summary --show Busy%,Bzy_MHz,TSC_MHz --interval 1 --num_iterations 1";
  if (!has_program("turbostat")) {
    GTEST_SKIP() << "turbostat is not installed; the package linux-cpupower has it";
  }
  const BusyCores busy;
  const auto sampler = sampler_of({"perf_msr", "stat"});
  if (!sampler->channels().find_metric("cpu_aperf_cycles_total")) {
    GTEST_SKIP() << "this kernel's msr PMU does not count aperf, or not for this user";
  }
  const auto before = next_clocks(*sampler);
  auto theirs = table(output_of(command + " 2>/dev/null"));
  const auto after = next_clocks(*sampler);
  if (!theirs.contains("Busy%") || !theirs.contains("Bzy_MHz") || !theirs.contains("TSC_MHz")) {
    GTEST_SKIP() << "turbostat cannot run here: it needs root and /dev/cpu/*/msr";
  }
  const double mperf = after.mperf - before.mperf;
  const double tsc = after.tsc - before.tsc;
  const double aperf = after.aperf - before.aperf;
  EXPECT_NEAR(mperf / tsc, theirs["Busy%"] / 100, kTolerance);
  EXPECT_NEAR(aperf / mperf, theirs["Bzy_MHz"] / theirs["TSC_MHz"], kTolerance);
}

}  // namespace
}  // namespace reveal::collect
