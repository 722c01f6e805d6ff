// What a window of 3 s holds of sources whose moments it is to tell: ten samples or more on a small
// host, and a bounded cost on a large one.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "collect/poll_class.h"
#include "collect/sampler.h"
#include "collector_bench.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kWindow{3000};
constexpr std::uint64_t kFewest = 10;

// One metric of each family, by its name here, or more if their collectors differ.
constexpr std::string_view kFamilies[] = {
    "cpu_aperf_cycles_total",         // frequency while busy
    "cpu_mperf_cycles_total",         //
    "cpu_frequency_hertz",            // frequency as the driver knows it
    "cpu_core_interrupts_total",      // interrupts
    "cpu_interrupts_total",           //
    "cpu_smi_total",                  // system management interrupts
    "network_softirq_receive_total",  // softirqs
    "cpu_softirqs_total",             //
    "cpu_core_c6_cycles_total",       // idle states, by the hardware
    "cpu_package_c6_cycles_total",    //
    "cpu_idle_state_seconds_total",   // and by the kernel
    "network_tcp_retransmits_total",  // retransmission
    "network_tcp_lost_retransmits_total",
    "network_tcp_fast_retransmits_total",
    "network_tcp_timeouts_total",
    "network_tcp_loss_probes_total",
};

const CollectorDescriptor* collector_of(std::string_view metric) {
  for (const auto& collector : registry()) {
    for (const auto& of : collector.metrics()) {
      if (of.name == metric) return &collector;
    }
  }
  return nullptr;
}

TEST(WindowRates, AWindowHasTenSamplesOfEachFamily) {
  for (const auto metric : kFamilies) {
    const auto* collector = collector_of(metric);
    ASSERT_NE(collector, nullptr) << metric;
    for (const int interval : {10, 100, 200, 300}) {
      const auto every = ticks_between(collector->poll_class, {}, milliseconds(interval));
      const auto ticks = static_cast<std::uint64_t>(kWindow.count() / interval);
      EXPECT_GE(ticks / every, kFewest) << metric << " every " << interval << " ms";
    }
  }
}

TEST(WindowRates, SocketsAndRdmaObjectsAreReadEverySecond) {
  for (const char* collector :
       {"tcp_sockets", "udp_queues", "sockstat", "sockstat6", "rdma_resources"}) {
    EXPECT_LE(period(find_collector(collector)->poll_class, {}, milliseconds(100)),
              std::chrono::seconds(1))
        << collector;
  }
}

// All quick collectors together, on a host of any size, before the first of them gives way.
TEST(WindowRates, WhatQuickCollectorsMayTakeIsTwoPercentOfACore) {
  const PollPlan plan;
  double ratio = 0.0;
  for (const auto& collector : registry()) {
    if (collector.poll_class == PollClass::kQuick) ratio += budget_ratio(PollClass::kQuick, plan);
  }
  EXPECT_GT(ratio, 0.0);
  EXPECT_LE(ratio, 0.02);
}

// A tenth of the usual times, so that the tests take no seconds.
SamplerOptions fast_options(const fs::path& host) {
  SamplerOptions out;
  out.root = root_of(host);
  out.interval = milliseconds(10);
  out.poll_plan.quick = milliseconds(30);
  out.poll_plan.medium = milliseconds(100);
  out.poll_plan.slow = milliseconds(1000);
  return out;
}

std::unique_ptr<Sampler> sampler_of(SamplerOptions options, std::string_view collector) {
  Sampler::Sources sources;
  auto planned = planned_sources(options.poll_plan);
  for (auto& source : planned.value()) {
    if (source.name == collector) sources.push_back(std::move(source));
  }
  auto opened = Sampler::open(std::move(options), std::move(sources));
  EXPECT_TRUE(opened) << opened.error().message();
  return opened ? std::move(*opened) : nullptr;
}

// A turn that a busy machine sleeps through is made up for in the next tick, so of three ticks that
// come in a row one has a reading.
TEST(WindowRates, TwoCoresAreReadInEveryThirdTick) {
  for (const auto& [collector, channel] :
       {std::pair("interrupts", "cpu_core_interrupts_total{cpu=1}"),
        std::pair("softirqs", "network_softirq_receive_total{cpu=1}"),
        std::pair("netstat", "network_tcp_timeouts_total")}) {
    SCOPED_TRACE(collector);
    auto options = fast_options(fixtures() / "vm-2cpu-linux-6.18");
    options.poll_plan.budget_ratio = 1.0;  // a test build may be slow
    const auto sampler = sampler_of(std::move(options), collector);
    ASSERT_NE(sampler, nullptr);
    std::vector<bool> fresh;
    for (int tick = 0; tick < 30; ++tick) {
      const auto frame = sampler->next();
      ASSERT_TRUE(frame && *frame != nullptr);
      const auto id = sampler->channels().find_channel(channel);
      ASSERT_TRUE(id);
      fresh.push_back((*frame)->validity.at(id->index()) == model::Validity::kFresh);
    }
    for (std::size_t i = 2; i < fresh.size(); ++i) {
      EXPECT_TRUE(fresh[i - 2] || fresh[i - 1] || fresh[i]) << i;
    }
    EXPECT_GE(std::count(fresh.begin(), fresh.end(), true), 10);
  }
}

// A host of 96 cores and 1,200 interrupts, whose /proc/interrupts has a megabyte.
class LargeHost {
 public:
  LargeHost() : path_(scratch_folder() / fmt::format("reveal_rates_{}", ::getpid())) {
    fs::remove_all(path_);
    fs::create_directories(path_ / "proc");
    std::string text = "     ";
    for (int cpu = 0; cpu < kCores; ++cpu) text += fmt::format(" CPU{:<7}", cpu);
    text += "\n";
    for (int row = 0; row < kRows; ++row) {
      text += fmt::format("{:>4}:", row);
      for (int cpu = 0; cpu < kCores; ++cpu) text += fmt::format(" {:>10}", cpu == row ? 7 : 0);
      text += fmt::format("  PCI-MSIX-0000:17:00.0 {}-edge nvme0q{}\n", row, row);
    }
    write(path_ / "proc/interrupts", text);
  }
  ~LargeHost() { fs::remove_all(path_); }
  LargeHost(const LargeHost&) = delete;
  LargeHost& operator=(const LargeHost&) = delete;
  const fs::path& path() const { return path_; }

 private:
  static constexpr int kCores = 96;
  static constexpr int kRows = 1200;
  fs::path path_;
};

// A quick reading may take 60 us here, of which copying the text alone takes more.
TEST(WindowRates, ManyCoresAreReadLessOften) {
  const LargeHost host;
  const auto sampler = sampler_of(fast_options(host.path()), "interrupts");
  ASSERT_NE(sampler, nullptr);
  const Source& source = sampler->sources().front();
  EXPECT_EQ(source.poll_class(), PollClass::kQuick);
  for (int tick = 0; tick < 2000 && source.poll_class() == PollClass::kQuick; ++tick) {
    const auto frame = sampler->next();
    ASSERT_TRUE(frame && *frame != nullptr);
  }
  EXPECT_NE(source.poll_class(), PollClass::kQuick);
}

}  // namespace
}  // namespace reveal::collect
