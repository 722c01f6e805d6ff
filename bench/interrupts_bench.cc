// What a reading of /proc/interrupts costs beyond the kernel's making of it, on a large server.
//
// A text of 1,200 interrupts and 96 cores is changed in a hundredth of its rows between readings.
// In one run, in turns: (update) Reveal's way, which reads only rows that changed; (read all) the
// same class made to read every row; (memcmp) comparing the text with the one before, which is the
// floor of any way that notices a change. Medians over the rounds, CPU time of the thread.
//
//   interrupts_bench [interrupts = 1200] [cores = 96] [rounds = 200]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/rng.h"
#include "collect/cpu/interrupt_sums.h"
#include "stats/quantile.h"
#include "timing.h"

namespace {

using namespace reveal;

// The text as the kernel lays it out: every count in eleven columns.
class Server {
 public:
  Server(std::size_t interrupts, std::size_t cores)
      : counts_(interrupts, std::vector<std::uint32_t>(cores)) {
    for (auto& row : counts_) {
      for (auto& count : row) count = static_cast<std::uint32_t>(rng_.below(1'000'000'000));
    }
  }
  void go_on() {
    const std::size_t changed = std::max<std::size_t>(1, counts_.size() / 100);
    for (std::size_t i = 0; i < changed; ++i) {
      for (auto& count : counts_[rng_.below(counts_.size())]) count += 1 + (count & 63);
    }
  }
  std::string text() const {
    std::string out(11, ' ');
    for (std::size_t cpu = 0; cpu < counts_.front().size(); ++cpu) {
      out += fmt::format("{:<11}", fmt::format("CPU{}", cpu));
    }
    out += '\n';
    for (std::size_t row = 0; row < counts_.size(); ++row) {
      out += fmt::format("{:>4}:", row + 24);
      for (const auto count : counts_[row]) out += fmt::format("{:>11}", count);
      out += fmt::format(
          "  IR-PCI-MSIX-0000:3b:00.0 {:>4}-edge      mlx5_comp{}@pci:0000:3b:00.0\n", row, row);
    }
    return out;
  }

 private:
  base::Rng rng_{3};
  std::vector<std::vector<std::uint32_t>> counts_;
};

std::size_t number(int argc, char** argv, int place, std::size_t otherwise) {
  return argc > place ? std::strtoul(argv[place], nullptr, 10) : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t interrupts = number(argc, argv, 1, 1200);
  const std::size_t cores = number(argc, argv, 2, 96);
  const std::size_t rounds = number(argc, argv, 3, 200);
  if (interrupts == 0 || cores == 0 || rounds == 0) {
    std::fprintf(stderr, "usage: interrupts_bench [interrupts] [cores] [rounds]\n");
    return 2;
  }
  Server server(interrupts, cores);
  collect::InterruptSums kept;
  std::string before = server.text();
  kept.update(before);
  std::vector<double> update;
  std::vector<double> all;
  std::vector<double> compare;
  std::size_t rows_read = 0;
  std::size_t differences = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    server.go_on();
    const std::string now = server.text();
    update.push_back(bench::cpu_us([&] { kept.update(now); }));
    rows_read += kept.rows_read();
    collect::InterruptSums fresh;
    all.push_back(bench::cpu_us([&] { fresh.update(now); }));
    // A text equal to itself: to the end, as a text without change would be.
    before = now;
    compare.push_back(bench::cpu_us(
        [&] { differences += std::memcmp(before.data(), now.data(), now.size()) == 0 ? 0U : 1U; }));
    for (std::size_t cpu = 0; cpu < cores; ++cpu) {
      if (kept.value(0, cpu) != fresh.value(0, cpu)) ++differences;
    }
  }
  if (differences != 0) {
    std::fprintf(stderr, "the two ways differ\n");
    return 1;
  }
  std::printf("%zu interrupts x %zu cores, %zu bytes, %.1f rows changed; medians of %zu rounds\n",
              interrupts, cores, before.size(),
              static_cast<double>(rows_read) / static_cast<double>(rounds), rounds);
  std::printf("%-10s %10s %16s %18s\n", "way", "us", "ratio to memcmp", "ratio to read all");
  const auto print = [&](const char* way, const std::vector<double>& us) {
    std::printf("%-10s %10.1f %16.2f %18.3f\n", way, stats::median(us),
                stats::median(us) / stats::median(compare), stats::median(us) / stats::median(all));
  };
  print("update", update);
  print("read all", all);
  print("memcmp", compare);
  return 0;
}
