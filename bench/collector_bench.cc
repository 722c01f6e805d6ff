// What each collector costs on this host, beside reading its files and nothing else: where the
// recorder's time goes, and what a larger host would take.
//
// A reading is timed in CPU time of its thread; readings of all collectors take turns, a tick's
// worth every `interval`, so that caches are as cold as in a recording. "ms/s" is the reading at
// the pace of its poll class.
//
// A collector that keeps no file of the kernel open (netlink, perf, files looked for anew) has no
// such floor: its row says so, and the last row's floor leaves it out.
//
//   collector_bench [interval in ms = 100] [ticks = 100]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "collect/collector.h"
#include "collect/poll_class.h"
#include "collect/registry.h"
#include "collect/tick_clock.h"
#include "kernel_files.h"
#include "stats/quantile.h"
#include "timing.h"

namespace {

using namespace reveal;

struct Subject {
  std::string name;
  collect::PollClass poll_class;
  std::unique_ptr<collect::Collector> collector;
  std::vector<base::UniqueFd> files;
  model::ChannelTable channels;
  model::Frame frame;
  std::vector<double> reading_us;
  std::vector<double> floor_us;

  double per_second() const {
    const auto period = collect::period(poll_class, {}, std::chrono::milliseconds(100));
    return 1.0 / std::chrono::duration<double>(period).count();
  }
};

std::vector<std::unique_ptr<Subject>> open_all() {
  std::vector<std::unique_ptr<Subject>> out;
  for (const auto& descriptor : collect::registry()) {
    const auto poll_class = collect::poll_class_of(descriptor, {});
    if (!poll_class) continue;
    auto subject = std::make_unique<Subject>();
    subject->name = descriptor.name;
    subject->poll_class = *poll_class;
    subject->collector = descriptor.make();
    const auto before = bench::open_descriptors();
    if (!subject->collector->open({}, subject->channels)) continue;
    collect::add_channels_of(*subject->collector, subject->channels);
    subject->files = bench::kernel_files_since(before);
    out.push_back(std::move(subject));
  }
  return out;
}

void time_reading(Subject& subject) {
  subject.reading_us.push_back(bench::cpu_us([&] {
    collect::FrameWriter writer(subject.channels, subject.frame, subject.name);
    subject.collector->collect(writer);
  }));
}

void time_floor(Subject& subject, std::vector<char>& buffer) {
  subject.floor_us.push_back(bench::cpu_us([&] {
    for (const auto& file : subject.files) bench::read_whole(file.get(), buffer);
  }));
}

struct Row {
  const Subject* subject;
  double reading_us;
  double floor_us;
  double ms_per_second() const { return 1e-3 * reading_us * subject->per_second(); }
  double floor_ms_per_second() const { return 1e-3 * floor_us * subject->per_second(); }
};

void print(std::vector<Row> rows) {
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return a.ms_per_second() > b.ms_per_second(); });
  std::printf("%-20s %-7s %8s %6s %10s %10s %8s %8s\n", "collector", "class", "channels", "files",
              "us/reading", "us/pread", "ms/s", "ratio");
  double all = 0;
  double floor = 0;
  double with_floor = 0;
  for (const auto& row : rows) {
    all += row.ms_per_second();
    std::printf("%-20s %-7s %8zu %6zu %10.1f", row.subject->name.c_str(),
                std::string(collect::to_string(row.subject->poll_class)).c_str(),
                row.subject->channels.channel_count(), row.subject->files.size(), row.reading_us);
    if (row.subject->files.empty()) {
      std::printf(" %10s %8.3f %8s\n", "-", row.ms_per_second(), "-");
      continue;
    }
    with_floor += row.ms_per_second();
    floor += row.floor_ms_per_second();
    std::printf(" %10.1f %8.3f %8.2f\n", row.floor_us, row.ms_per_second(),
                row.reading_us / row.floor_us);
  }
  std::printf("%-57s %11.3f %8.3f %8.2f\n", "those with files", floor, with_floor,
              with_floor / floor);
  std::printf("%-57s %11s %8.3f\n", "all", "", all);
}

}  // namespace

int main(int argc, char** argv) {
  const int interval = argc > 1 ? std::atoi(argv[1]) : 100;
  const int ticks = argc > 2 ? std::atoi(argv[2]) : 100;
  if (interval < 1 || ticks < 2) {
    std::fprintf(stderr, "usage: collector_bench [interval in ms] [ticks]\n");
    return 2;
  }
  auto subjects = open_all();
  std::vector<char> buffer(1 << 20);
  collect::TickClock clock(std::chrono::milliseconds(interval), static_cast<std::uint64_t>(ticks),
                           -1);
  // Ticks take turns too: what was read a moment ago is cheap to read again.
  for (bool reading = true; clock.wait(); reading = !reading) {
    for (const auto& subject : subjects) {
      if (reading) time_reading(*subject);
      if (!reading) time_floor(*subject, buffer);
    }
  }
  std::vector<Row> rows;
  for (const auto& subject : subjects) {
    rows.push_back(
        {subject.get(), stats::median(subject->reading_us), stats::median(subject->floor_us)});
  }
  print(std::move(rows));
  return 0;
}
