// A driver that frees an interrupt takes its row out of /proc/interrupts, and the sum over the
// class of device falls by all that the row had counted. That is no wrap and no activity: no rate
// may jump. Checked from the kernel's text to the rate, through the collector and the deriver.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <unistd.h>

#include "collect/registry.h"
#include "derive/deriver.h"

namespace reveal::derive {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPerTick = 30;  // of each queue

// A host with NVMe queues, each moving by kPerTick a tick of 100 ms.
class QueueHost {
 public:
  explicit QueueHost(std::uint64_t served_by_second)
      : path_(fs::path(::testing::TempDir()) / ("freed_" + std::to_string(::getpid()))),
        second_(served_by_second) {
    fs::create_directories(path_);
    write();
    const auto opened = collector_->open({path_.string(), path_.string()}, channels_);
    EXPECT_TRUE(opened) << opened.error().message();
  }
  ~QueueHost() { fs::remove_all(path_); }
  QueueHost(const QueueHost&) = delete;
  QueueHost& operator=(const QueueHost&) = delete;

  void free_second() { has_second_ = false; }

  // Returns the class's rate in interrupts/s, NaN where there is none.
  double tick() {
    first_ += kPerTick;
    second_ += kPerTick;
    write();
    frame_.mono_ns += 100'000'000;
    frame_.validity.assign(frame_.validity.size(), model::Validity::kMissing);
    collect::FrameWriter writer(channels_, frame_);
    collector_->collect(writer);
    const auto row = deriver_.step(channels_, frame_);
    const auto id =
        deriver_.channels().find_channel("storage_device_interrupts_total{cpu=0}").value();
    return row[id.index()];
  }

 private:
  void write() const {
    std::ofstream out(path_ / "interrupts", std::ios::trunc);
    out << " CPU0\n 40: " << first_ << " IR-PCI-MSI 1-edge nvme0q1\n";
    if (has_second_) out << " 41: " << second_ << " IR-PCI-MSI 2-edge nvme1q1\n";
    out << "LOC: 5 Local timer interrupts\n";
  }

  fs::path path_;
  std::uint64_t first_ = 4'000;
  std::uint64_t second_;
  bool has_second_ = true;
  std::unique_ptr<collect::Collector> collector_ = collect::find_collector("interrupts")->make();
  model::ChannelTable channels_;
  model::Frame frame_;
  Deriver deriver_;
};

TEST(FreedInterrupt, MakesNoSpikeAndTheRateGoesOn) {
  for (const std::uint64_t served : {1'000u, 3'000'000u, 3'000'000'000u}) {
    SCOPED_TRACE(served);
    QueueHost host(served);
    host.tick();
    EXPECT_NEAR(host.tick(), 2 * kPerTick / 0.1, 1e-6);
    host.free_second();
    int ticks_with_rate = 0;
    for (int tick = 0; tick < 20; ++tick) {
      const double rate = host.tick();
      if (std::isnan(rate)) continue;
      ++ticks_with_rate;
      EXPECT_LE(rate, kPerTick / 0.1 + 1e-6) << "tick " << tick;
    }
    EXPECT_GE(ticks_with_rate, 15);
    EXPECT_NEAR(host.tick(), kPerTick / 0.1, 1e-6);
  }
}

}  // namespace
}  // namespace reveal::derive
