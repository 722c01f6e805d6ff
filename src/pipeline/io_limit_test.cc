// Recordings of a host whose disks nobody measures, as in an import: control groups, what they read
// and write, and how long they wait; and of one with a disk, for comparison.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "model/frame.h"
#include "pipeline/pipeline.h"

namespace reveal::pipeline {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

struct Made {
  bool has_disk = false;
  bool has_group_io = true;  // else nobody says what control groups read and write
  bool limited = true;       // from 60 to 75 s; else the neighbor keeps the disk busy meanwhile
};

// Two minutes of a host at 10 Hz, in which a job writes 20 MB/s. What holds it up for 15 s makes it
// wait for 60 % of the time, and write 2 MB/s.
class MadeGroups {
 public:
  explicit MadeGroups(const Made& made) : made_(made) {
    facts.host = "made";
    facts.interval_ns = 100'000'000;
    facts.cpus_online = 4;
    for (int i = 0; i < 8; ++i) {
      counter("cpu_" + std::to_string(i), "seconds", model::Subsystem::kCpu, "", 1e-6, 20'000);
    }
    counter("cpu_cgroup_throttled_seconds_total", "seconds", model::Subsystem::kCpu, "cg=/job",
            1e-6, 100);
    pressure_ = counter("storage_cgroup_pressure_some_seconds_total", "seconds",
                        model::Subsystem::kStorage, "cg=/job", 1e-6, 2'000);
    if (made.has_group_io) {
      read_and_written("cg=/job,dev=sda", 100'000, 2'000'000);
      job_ = rates_.size() - 1;
      read_and_written("cg=/other,dev=sda", 10'000, 50'000);
      neighbor_ = rates_.size() - 1;
    }
    if (made.has_disk) {
      disk_ = counter("storage_busy_seconds_total", "seconds", model::Subsystem::kStorage,
                      "dev=sda", 1e-6, 15'000);
      host_ = counter("storage_io_pressure_some_seconds_total", "seconds",
                      model::Subsystem::kStorage, "", 1e-6, 2'000);
    }
    frame_.resize(channels.channel_count());
    sums_.resize(channels.channel_count(), 1'000'000);
  }

  const model::Frame& tick() {
    const bool slow = next_ >= 600 && next_ < 750;
    auto rates = rates_;
    if (slow) {
      rates[pressure_] = 60'000;
      if (host_ > 0) rates[host_] = 60'000;
      if (job_ > 0) rates[job_] = 200'000;
      if (neighbor_ > 0 && !made_.limited) rates[neighbor_] = 15'000'000;
      if (disk_ > 0 && !made_.limited) rates[disk_] = 98'000;
    }
    frame_.sequence = next_;
    frame_.wall_ns = 1'700'000'000'000'000'000 + static_cast<std::int64_t>(next_) * 100'000'000;
    frame_.mono_ns = static_cast<std::int64_t>(next_ + 1) * 100'000'000;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      sums_[i] += rates[i] * (90 + rng_.below(21)) / 100;
      frame_.set_u64(model::ChannelId(i), sums_[i]);
    }
    ++next_;
    return frame_;
  }

  model::RunFacts facts;
  model::ChannelTable channels;

 private:
  // Adds a counter that grows by about `rate` a tick. Returns its number.
  std::size_t counter(std::string_view name, std::string_view unit, model::Subsystem subsystem,
                      std::string_view instance, double scale, std::uint64_t rate) {
    model::MetricDescriptor metric;
    metric.name = name;
    metric.label = name;
    metric.unit = unit;
    metric.kind = model::Kind::kCounter;
    metric.subsystem = subsystem;
    metric.scale = scale;
    if (instance.starts_with("cg=")) metric.scope = model::Scope::kCgroup;
    if (instance.starts_with("dev=")) metric.scope = model::Scope::kDisk;
    channels.add_channel(channels.add_metric(metric), instance);
    rates_.push_back(rate);
    return rates_.size() - 1;
  }

  void read_and_written(std::string_view instance, std::uint64_t read, std::uint64_t written) {
    counter("storage_cgroup_read_bytes_total", "bytes", model::Subsystem::kStorage, instance, 1,
            read);
    counter("storage_cgroup_written_bytes_total", "bytes", model::Subsystem::kStorage, instance, 1,
            written);
  }

  Made made_;
  base::Rng rng_{7};
  std::vector<std::uint64_t> rates_;  // by channel, a tick
  std::vector<std::uint64_t> sums_;
  model::Frame frame_;
  std::uint64_t next_ = 0;
  std::size_t pressure_ = 0;
  std::size_t job_ = 0;  // what it writes; 0 if nobody counts it
  std::size_t neighbor_ = 0;
  std::size_t disk_ = 0;
  std::size_t host_ = 0;  // how long anybody waits
};

// Returns the names of all patterns of the findings, of which there must be one at least.
std::vector<std::string> patterns_of(const Made& made) {
  MadeGroups host(made);
  Pipeline pipeline{PipelineConfig{}};
  EXPECT_TRUE(pipeline.begin(host.facts));
  for (int i = 0; i <= 1200; ++i) EXPECT_TRUE(pipeline.write(host.channels, host.tick()));
  const auto report = pipeline.analyze();
  std::vector<std::string> out;
  if (!report) {
    ADD_FAILURE() << report.error().message();
    return out;
  }
  EXPECT_FALSE(report->findings.empty());
  for (const auto& finding : report->findings) {
    for (const auto& one : finding.patterns) out.emplace_back(one.pattern->name);
  }
  return out;
}

TEST(IoLimit, IsToldWithoutDisks) {
  EXPECT_THAT(patterns_of({.limited = true}), ElementsAre("io_limit"));
}

TEST(IoLimit, IsToldOnceIfADiskIsNotBusier) {
  EXPECT_THAT(patterns_of({.has_disk = true}), ElementsAre("io_limit"));
}

TEST(IoLimit, IsNotToldOfABusyDisk) {
  EXPECT_THAT(patterns_of({.has_disk = true, .limited = false}), Not(Contains("io_limit")));
}

TEST(IoLimit, IsNotToldIfAnotherGroupWrites) {
  EXPECT_THAT(patterns_of({.limited = false}), Not(Contains("io_limit")));
}

TEST(IoLimit, IsNotToldIfNobodySaysWhatIsReadAndWritten) {
  EXPECT_THAT(patterns_of({.has_group_io = false}), Not(Contains("io_limit")));
}

}  // namespace
}  // namespace reveal::pipeline
