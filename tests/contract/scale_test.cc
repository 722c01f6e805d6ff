// A host of 1,024 cores, made by the test: every collector reads it, each core has the channels of
// its own numbers and there are no more than that, a core that goes offline and comes back keeps
// its channels, and the recorder ticks on and says where it had to give way.
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "collect/sampler.h"
#include "collect/tick_clock.h"
#include "collector_bench.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kCores = 1024;
constexpr std::uint32_t kRows = 200;  // of /proc/interrupts
constexpr std::uint32_t kMoved = 700;

class BigHost {
 public:
  BigHost() : path_(scratch_folder() / fmt::format("reveal_scale_{}", ::getpid())) {
    fs::remove_all(path_);
    fs::create_directories(path_ / "proc/net");
    make_core();
    for (std::uint32_t cpu = 0; cpu < kCores; ++cpu) online_.insert(cpu);
    for (std::uint32_t cpu = 1; cpu < kCores; ++cpu) plug(cpu);
    go_on();
  }
  ~BigHost() { fs::remove_all(path_); }
  BigHost(const BigHost&) = delete;
  BigHost& operator=(const BigHost&) = delete;

  procfs::HostRoot root() const { return root_of(path_); }

  void unplug(std::uint32_t cpu) {
    online_.erase(cpu);
    fs::remove(cpus() / fmt::format("cpu{}", cpu));
    write_all();
  }
  void plug_again(std::uint32_t cpu) {
    online_.insert(cpu);
    plug(cpu);
    write_all();
  }

  // Lets every counter grow by one.
  void go_on() {
    ++step_;
    write_all();
  }

  // What the files say now. Every core's count differs from every other's.
  std::uint64_t user_ticks(std::uint32_t cpu) const { return 10'000 + cpu + step_; }
  std::uint64_t timers(std::uint32_t cpu) const { return 1'000'000 + cpu + step_; }
  std::uint64_t receives(std::uint32_t cpu) const { return 2'000'000 + cpu + step_; }
  std::uint64_t packets(std::uint32_t cpu) const { return 3'000'000 + cpu + step_; }
  std::uint64_t wait_ns(std::uint32_t cpu) const { return 4'000'000 + cpu + step_; }

 private:
  fs::path cpus() const { return path_ / "sys/devices/system/cpu"; }

  // The first core's folder; the others are links to it, for 1,024 times 20 files would take long.
  void make_core() const {
    const fs::path core = cpus() / "cpu0";
    for (const char* folder :
         {"cpufreq", "cpuidle/state0", "cpuidle/state1", "thermal_throttle", "topology"}) {
      fs::create_directories(core / folder);
    }
    for (const char* file : {"scaling_cur_freq", "scaling_max_freq", "scaling_min_freq",
                             "cpuinfo_max_freq", "cpuinfo_min_freq"}) {
      write(core / "cpufreq" / file, "2400000\n");
    }
    write(core / "cpuidle/state0/name", "POLL\n");
    write(core / "cpuidle/state1/name", "C6\n");
    for (const char* state : {"state0", "state1"}) {
      for (const char* file : {"usage", "time", "above", "below", "rejected"}) {
        write(core / "cpuidle" / state / file, "77\n");
      }
    }
    for (const char* file : {"core_throttle_count", "core_throttle_total_time_ms",
                             "package_throttle_count", "package_throttle_total_time_ms"}) {
      write(core / "thermal_throttle" / file, "5\n");
    }
    write(core / "topology/physical_package_id", "0\n");
  }
  void plug(std::uint32_t cpu) const {
    fs::create_directory_symlink("cpu0", cpus() / fmt::format("cpu{}", cpu));
  }

  void write_all() const {
    write(cpus() / "online", list() + "\n");
    write(path_ / "proc/stat", stat());
    write(path_ / "proc/interrupts", interrupts());
    write(path_ / "proc/softirqs", softirqs());
    write(path_ / "proc/schedstat", schedstat());
    write(path_ / "proc/net/softnet_stat", softnet());
  }

  // "0-699,701-1023"
  std::string list() const {
    std::string out;
    for (auto it = online_.begin(); it != online_.end();) {
      const std::uint32_t first = *it;
      std::uint32_t last = first;
      while (++it != online_.end() && *it == last + 1) ++last;
      out += fmt::format("{}{}-{}", out.empty() ? "" : ",", first, last);
    }
    return out;
  }
  std::string stat() const {
    std::string out = "cpu  1 2 3 4 5 6 7 8 9 10\n";
    for (const auto cpu : online_) {
      out += fmt::format("cpu{} {} 2 3 4 5 6 7 8 9 10\n", cpu, user_ticks(cpu));
    }
    return out + "intr 99 1 2 3\nctxt 5\nbtime 1700000000\nprocesses 6\nprocs_running 1\n";
  }
  std::string header() const {
    std::string out = "     ";
    for (const auto cpu : online_) out += fmt::format(" CPU{:<7}", cpu);
    return out + "\n";
  }
  std::string interrupts() const {
    std::string out = header();
    for (std::uint32_t row = 0; row + 1 < kRows; ++row) {
      out += fmt::format("{:>4}:", row);
      for (const auto cpu : online_) out += fmt::format(" {:>10}", cpu == row ? step_ : 0);
      out += fmt::format("  PCI-MSIX-0000:17:00.0 {}-edge nvme0q{}\n", row, row);
    }
    out += " LOC:";
    for (const auto cpu : online_) out += fmt::format(" {:>10}", timers(cpu));
    return out + "  Local timer interrupts\n";
  }
  std::string softirqs() const {
    std::string out = header() + "  NET_RX:";
    for (const auto cpu : online_) out += fmt::format(" {:>10}", receives(cpu));
    return out + "\n";
  }
  std::string schedstat() const {
    std::string out = "version 15\ntimestamp 4300000000\n";
    for (const auto cpu : online_) {
      out += fmt::format("cpu{} 0 0 0 0 0 0 500 {} 7\n", cpu, wait_ns(cpu));
      out += "domain0 ffffffff" + std::string(300, ',') + std::string(36 * 2, '0') + "\n";
    }
    return out;
  }
  std::string softnet() const {
    std::string out;
    for (const auto cpu : online_) {
      out += fmt::format(
          "{:08x} {:08x} {:08x} 00000000 00000000 00000000 00000000 00000000 "
          "00000000 {:08x} {:08x} 00000000 {:08x} 00000000 00000000\n",
          packets(cpu), 0, 0, 0, 0, cpu);
    }
    return out;
  }

  fs::path path_;
  std::set<std::uint32_t> online_;
  std::uint64_t step_ = 0;
};

const CollectorDescriptor& named(std::string_view name) {
  for (const auto& descriptor : registry()) {
    if (descriptor.name == name) return descriptor;
  }
  throw std::out_of_range(std::string(name));
}

// Collectors that have a channel a core, one metric of each, and what it is of a core now.
struct PerCore {
  std::string_view collector;
  std::string_view metric;
  std::uint64_t (BigHost::*value)(std::uint32_t cpu) const;
};
constexpr PerCore kPerCore[] = {
    {"stat", "cpu_user_seconds_total", &BigHost::user_ticks},
    {"interrupts", "cpu_timer_interrupts_total", &BigHost::timers},
    {"softirqs", "network_softirq_receive_total", &BigHost::receives},
    {"softnet", "network_softnet_packets_total", &BigHost::packets},
    {"schedstat", "cpu_task_wait_seconds_total", &BigHost::wait_ns},
};

std::size_t count_of(const Values& values, std::string_view metric) {
  const auto is_its = [&](const auto& value) {
    return value.first.starts_with(fmt::format("{}{{cpu=", metric));
  };
  return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), is_its));
}

TEST(Scale, EveryCollectorReads1024Cores) {
  const BigHost host;
  for (const auto& descriptor : host_collectors()) {
    Bench bench(descriptor, host.root());
    if (!bench.open()) continue;
    bench.read();
    const auto before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    bench.read();
    const double cost = 1e-6 * static_cast<double>(clock_ns(CLOCK_THREAD_CPUTIME_ID) - before);
    const std::size_t channels = bench.channels().channel_count();
    fmt::print("{}: {} channels, {:.2f} ms of CPU a reading\n", descriptor.name, channels, cost);
    EXPECT_EQ(bench.values().size(), channels) << descriptor.name;
    // At most one for a core, for each of its two idle states, and for the host.
    EXPECT_LE(channels, descriptor.metrics().size() * (2 * kCores + 1)) << descriptor.name;
  }
}

TEST(Scale, EachCoreHasItsOwnNumbers) {
  BigHost host;
  for (const auto& [collector, metric, value] : kPerCore) {
    Bench bench(named(collector), host.root());
    ASSERT_TRUE(bench.open()) << collector;
    host.go_on();
    const Values values = bench.tick();
    EXPECT_EQ(count_of(values, metric), kCores);
    for (std::uint32_t cpu = 0; cpu < kCores; ++cpu) {
      EXPECT_EQ(values.at(fmt::format("{}{{cpu={}}}", metric, cpu)), (host.*value)(cpu));
    }
  }
  for (const auto& [collector, metric, size] :
       {std::tuple("cpufreq", "cpu_frequency_hertz", 1 * kCores),
        std::tuple("cpuidle", "cpu_idle_state_seconds_total", 2 * kCores),
        std::tuple("cpuidle_detail", "cpu_idle_state_entries_total", 2 * kCores),
        std::tuple("thermal_throttle", "cpu_core_throttles_total", 1 * kCores)}) {
    EXPECT_EQ(
        count_of(values_of(named(collector), fs::path(host.root().proc).parent_path()), metric),
        size);
  }
}

TEST(Scale, CoreThatGoesAndComesBackKeepsItsChannels) {
  BigHost host;
  const std::string moved = fmt::format("{{cpu={}}}", kMoved);
  const std::string behind = fmt::format("{{cpu={}}}", kMoved + 1);
  for (const auto& [collector, name, value] : kPerCore) {
    SCOPED_TRACE(std::string(collector));
    const std::string metric(name);
    Bench bench(named(collector), host.root());
    ASSERT_TRUE(bench.open());
    const auto channels = bench.channels().channel_count();
    host.unplug(kMoved);
    const Values without = bench.tick();
    EXPECT_FALSE(without.contains(metric + moved));
    EXPECT_EQ(without.at(metric + behind), (host.*value)(kMoved + 1));
    EXPECT_EQ(count_of(without, metric), kCores - 1);
    host.plug_again(kMoved);
    const Values again = bench.tick();
    EXPECT_EQ(again.at(metric + moved), (host.*value)(kMoved));
    EXPECT_EQ(count_of(again, metric), kCores);
    EXPECT_EQ(bench.channels().channel_count(), channels);
  }
}

TEST(Scale, DriversFilesOfACoreThatGoesAndComesBack) {
  BigHost host;
  for (const char* collector :
       {"cpufreq", "cpufreq_limits", "cpuidle", "cpuidle_detail", "thermal_throttle"}) {
    SCOPED_TRACE(collector);
    Bench bench(named(collector), host.root());
    ASSERT_TRUE(bench.open());
    const Values all = bench.tick();
    host.unplug(kMoved);
    const Values without = tick_until_seen(bench);
    EXPECT_LT(without.size(), all.size());
    for (const auto& [channel, value] : without) {
      EXPECT_FALSE(channel.find(fmt::format("{{cpu={}", kMoved)) != std::string::npos) << channel;
    }
    host.plug_again(kMoved);
    EXPECT_EQ(tick_until_seen(bench), all);
    EXPECT_EQ(bench.channels().channel_count(), all.size());
  }
}

// The recorder of the whole registry, tick after tick until something is seen.
class Recorder {
 public:
  explicit Recorder(const BigHost& host) {
    SamplerOptions options;
    options.root = host.root();
    options.interval = std::chrono::milliseconds(20);
    options.poll_plan.quick = std::chrono::milliseconds(40);
    options.poll_plan.medium = std::chrono::milliseconds(60);
    options.poll_plan.slow = std::chrono::milliseconds(200);
    options.poll_plan.budget_ratio = 1e-6;  // which no collector keeps
    auto opened = Sampler::open(std::move(options));
    if (!opened) throw std::runtime_error(opened.error().message());
    sampler_ = std::move(*opened);
  }

  // Returns whether it was seen within many ticks.
  bool ticks_until(const std::function<bool(const model::Frame&)>& seen) {
    constexpr int kPatience = 2000;
    for (int tick = 0; tick < kPatience; ++tick) {
      const auto frame = sampler_->next();
      if (!frame || *frame == nullptr) return false;
      const bool skipped = last_ && (*frame)->sequence > *last_ + 1;
      EXPECT_EQ((*frame)->gap, skipped ? model::kGapLate : model::kNoGap);
      last_ = (*frame)->sequence;
      if (seen(**frame)) return true;
    }
    return false;
  }
  const model::ChannelTable& channels() const { return sampler_->channels(); }

 private:
  std::unique_ptr<Sampler> sampler_;
  std::optional<std::uint64_t> last_;
};

// How late it is on a busy machine is nobody's promise; that it ticks and says so is.
TEST(Scale, RecorderTicksOnAndSaysWhatItReadsLessOften) {
  BigHost host;
  Recorder recorder(host);
  std::size_t channels = 0;
  EXPECT_TRUE(recorder.ticks_until([&](const model::Frame& frame) {
    channels = frame.bits.size();
    return std::any_of(frame.notes.begin(), frame.notes.end(), [](const model::Note& note) {
      return note.subject == "poll class of stat" && note.text == "medium";
    });
  }));
  fmt::print("{} channels of a host of {} cores\n", channels, kCores);

  const auto user = recorder.channels()
                        .find_channel(fmt::format("cpu_user_seconds_total{{cpu={}}}", kMoved))
                        .value();
  host.unplug(kMoved);
  EXPECT_TRUE(recorder.ticks_until([&](const model::Frame& frame) {
    return frame.validity[user.index()] == model::Validity::kMissing;
  }));
  host.go_on();
  host.plug_again(kMoved);
  EXPECT_TRUE(recorder.ticks_until([&](const model::Frame& frame) {
    return frame.was_read(user) && frame.bits[user.index()] == host.user_ticks(kMoved);
  }));
}

}  // namespace
}  // namespace reveal::collect
