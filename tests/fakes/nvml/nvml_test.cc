// The nvml collector and its reader processes, against a library that says what a script tells it
// to: values, lies, missing functions, lost GPUs, hangs and crashes. No test waits for a time: each
// waits for something to happen, for as long as a busy machine may need.
#include <bit>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <unistd.h>

#include "collect/cgroup/testing/live_group.h"
#include "collect/gpu/process_groups.h"
#include "collect/registry.h"
#include "collect/tick_clock.h"
#include "derive/signal.h"
#include "gpu/readers.h"
#include "model/lost_gpu.h"

namespace reveal {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

constexpr const char* kTwoGpus = R"(lib devices 2
lib driver 550.54.15
0 bus 17
0 name NVIDIA H100 80GB HBM3
0 uuid GPU-aaaa
0 vbios 96.00.5E.00.01
0 cpus 0xff00ff
0 ancestor.1 50
0 util.gpu 37
0 util.memory 12
0 memory.total 85899345920
0 memory.reserved 500000000
0 memory.free 45000000000
0 memory.used 40399345920
0 clock.0 1980
0 clock.1 1755
0 max_clock.1 1980
0 throttle 0x24
0 pstate 0
0 power 301000
0 energy 123456789012
0 temperature 61
0 margin -3
0 fan 45
0 encoder 5
0 encoder_sessions 3
0 encoder_fps 88
0 encoder_latency 11250
0 capture_sessions 2
0 capture_fps 60
0 capture_latency 4000
0 confidential 1
0 width 8
0 max_width 16
0 persistence 1
0 fabric 3
0 field.186 305500:u32
0 field.82 72:u32
0 field.74 5000000000
0 field.3 17
0 field.4 2
0 field.197 1
0 field.138.all 4096
0 field.230 1:s32
0 link.0 1
0 link.1 0
0 field.221.0 99
0 field.220.0 0x30c
0 gpm 1
0 gpm.2 87.5
0 gpm.20 100
0 gpm.12 2.5
0 gpm.61 50
0 processes 812:1048576 900:2097152
0 graphics none
1 bus ca
1 uuid GPU-bbbb
1 util.gpu 99
1 util.memory 80
1 field.186 700000:u32
1 field.197 4294963200:u32
1 field.74 9007199254740993
)";

// A script that can be replaced while it is read.
class Script {
 public:
  Script() : path_(fs::path(::testing::TempDir()) / ("nvml_" + std::to_string(::getpid()))) {
    ::setenv("NVML_STAND_IN_SCRIPT", path_.c_str(), 1);
    ::setenv("REVEAL_READER_PROGRAM", REVEAL_PROGRAM, 1);
    ::setenv("REVEAL_NVML_PATH", STAND_IN_NEW, 1);
  }
  ~Script() { fs::remove(path_); }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  // What is said last holds.
  void say(const std::string& text) {
    const std::string next = path_.string() + ".next";
    std::ofstream(next) << text;
    fs::rename(next, path_);
  }

 private:
  fs::path path_;
};

// Waits for what must come sooner or later.
void await(const std::function<bool()>& condition, const char* what) {
  for (int i = 0; i < 6000; ++i) {
    if (condition()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  FAIL() << "waited in vain for " << what;
}

class NvmlTest : public ::testing::Test {
 protected:
  base::Result<void> open(const std::string& script) {
    script_.say(script);
    return collector_->open({}, channels_);
  }

  void tick() {
    frame_.notes.clear();
    for (auto& validity : frame_.validity) validity = model::Validity::kMissing;
    collect::FrameWriter writer(channels_, frame_, "nvml");
    collector_->collect(writer);
    for (const auto& note : frame_.notes) {
      if (note.kind == model::Note::Kind::kFact) facts_[note.subject] = note.text;
      if (note.kind == model::Note::Kind::kEvent)
        events_.push_back(note.subject + ": " + note.text);
    }
  }

  model::Validity validity(std::string_view channel) const {
    const auto id = channels_.find_channel(channel);
    return id ? frame_.validity[id->index()] : model::Validity::kMissing;
  }
  bool has(std::string_view channel) const {
    return validity(channel) != model::Validity::kMissing;
  }
  // Returns the value in the metric's unit; NaN where it is missing.
  double value(std::string_view channel) const {
    if (!has(channel)) return std::nan("");
    const auto id = channels_.find_channel(channel).value();
    const auto& metric = channels_.metric(id);
    const auto bits = frame_.bits[id.index()];
    const bool real = metric.repr == model::Repr::kF64;
    return (real ? std::bit_cast<double>(bits) : static_cast<double>(bits)) * metric.scale;
  }
  std::uint64_t raw(std::string_view channel) const {
    return frame_.bits[channels_.find_channel(channel).value().index()];
  }
  void tick_until(const std::function<bool()>& condition, const char* what) {
    await(
        [&] {
          tick();
          return condition();
        },
        what);
  }

  Script script_;
  std::unique_ptr<collect::Collector> collector_ = collect::find_collector("nvml")->make();
  model::ChannelTable channels_;
  model::Frame frame_;
  std::map<std::string, std::string> facts_;
  std::vector<std::string> events_;
};

std::string of(std::string_view metric, std::string_view bus = "0000:17:00.0") {
  return std::string(metric) + "{gpu=" + std::string(bus) + "}";
}

// The expected values are the script's, by the units of NVIDIA's documentation.
TEST_F(NvmlTest, ValuesArriveAsTheyAre) {
  const auto opened = open(kTwoGpus);
  ASSERT_TRUE(opened) << opened.error().message();
  tick();
  EXPECT_DOUBLE_EQ(value(of("gpu_busy_ratio")), 0.37);
  EXPECT_DOUBLE_EQ(value(of("gpu_memory_busy_ratio")), 0.12);
  EXPECT_DOUBLE_EQ(value(of("gpu_memory_installed_bytes")), 85899345920.0);
  EXPECT_DOUBLE_EQ(value(of("gpu_memory_reserved_bytes")), 500000000.0);
  EXPECT_DOUBLE_EQ(value(of("gpu_memory_free_bytes")), 45000000000.0);
  EXPECT_DOUBLE_EQ(value(of("gpu_memory_used_bytes")), 40399345920.0);
  EXPECT_DOUBLE_EQ(value(of("gpu_sm_clock_hertz")), 1755e6);
  EXPECT_DOUBLE_EQ(value(of("gpu_graphics_clock_hertz")), 1980e6);
  EXPECT_DOUBLE_EQ(value(of("gpu_sm_clock_limit_hertz")), 1980e6);
  EXPECT_DOUBLE_EQ(value(of("gpu_throttle_power_cap_active")), 1);
  EXPECT_DOUBLE_EQ(value(of("gpu_throttle_heat_active")), 1);
  EXPECT_DOUBLE_EQ(value(of("gpu_throttle_hardware_active")), 0);
  EXPECT_DOUBLE_EQ(value(of("gpu_throttled_by_power_seconds_total")), 5);
  EXPECT_DOUBLE_EQ(value(of("gpu_performance_state")), 0);
  EXPECT_DOUBLE_EQ(value(of("gpu_power_watts")), 305.5);
  EXPECT_DOUBLE_EQ(value(of("gpu_average_power_watts")), 301);
  EXPECT_NEAR(value(of("gpu_energy_joules_total")), 123456789.012, 1e-6);
  EXPECT_DOUBLE_EQ(value(of("gpu_temperature_celsius")), 61);
  EXPECT_DOUBLE_EQ(value(of("gpu_memory_temperature_celsius")), 72);
  EXPECT_DOUBLE_EQ(value(of("gpu_temperature_margin_celsius")), -3);
  EXPECT_DOUBLE_EQ(value(of("gpu_fan_speed_ratio")), 0.45);
  EXPECT_DOUBLE_EQ(value(of("gpu_encoder_busy_ratio")), 0.05);
  EXPECT_DOUBLE_EQ(value(of("gpu_encoder_sessions")), 3);
  EXPECT_DOUBLE_EQ(value(of("gpu_encoder_frames_per_second")), 88);
  EXPECT_DOUBLE_EQ(value(of("gpu_encoder_latency_seconds")), 0.01125);
  EXPECT_DOUBLE_EQ(value(of("gpu_capture_sessions")), 2);
  EXPECT_DOUBLE_EQ(value(of("gpu_capture_frames_per_second")), 60);
  EXPECT_DOUBLE_EQ(value(of("gpu_capture_latency_seconds")), 0.004);
  EXPECT_DOUBLE_EQ(value(of("gpu_confidential_computing")), 1);
  EXPECT_FALSE(has(of("gpu_encoder_sessions", "0000:ca:00.0")));
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_corrected_volatile_errors_total")), 17);
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_uncorrected_volatile_errors_total")), 2);
  EXPECT_EQ(raw(of("gpu_pcie_sent_bytes_total", "0000:ca:00.0")), 4294963200u);
  EXPECT_EQ(raw(of("gpu_throttled_by_power_seconds_total", "0000:ca:00.0")), 9007199254740993u);
  EXPECT_DOUBLE_EQ(value(of("gpu_pcie_width_lanes")), 8);
  EXPECT_DOUBLE_EQ(value(of("gpu_pcie_width_limit_lanes")), 16);
  EXPECT_DOUBLE_EQ(value(of("gpu_nvlink_sent_bytes_total")), 4096 * 1024.0);
  EXPECT_DOUBLE_EQ(value(of("gpu_recovery_action_state")), 1);
  EXPECT_DOUBLE_EQ(value(of("gpu_persistence_mode")), 1);
  EXPECT_DOUBLE_EQ(value(of("gpu_fabric_state")), 3);
  EXPECT_DOUBLE_EQ(value(of("gpu_sm_busy_ratio")), 0.875);
  EXPECT_DOUBLE_EQ(value(of("gpu_pcie_sent_bytes_per_second")), 104857600);
  EXPECT_DOUBLE_EQ(value(of("gpu_fp32_busy_ratio")), 0.025);
  EXPECT_DOUBLE_EQ(value(of("gpu_nvlink_sent_bytes_per_second")), 52428800);
  EXPECT_DOUBLE_EQ(value(of("gpu_compute_processes")), 2);
  EXPECT_DOUBLE_EQ(value(of("gpu_process_memory_bytes")), 3145728);
  EXPECT_DOUBLE_EQ(value(of("gpu_xid_errors_total")), 0);
  EXPECT_DOUBLE_EQ(value(of("gpu_busy_ratio", "0000:ca:00.0")), 0.99);
  EXPECT_DOUBLE_EQ(value(of("gpu_power_watts", "0000:ca:00.0")), 700);
  EXPECT_FALSE(has(of("gpu_temperature_celsius", "0000:ca:00.0")));
}

// The counter goes round too fast to be of use; GPM's rate is.
TEST_F(NvmlTest, PcieBytesAreCountedOnlyWithoutGpm) {
  ASSERT_TRUE(open(kTwoGpus));
  tick();
  EXPECT_FALSE(has(of("gpu_pcie_sent_bytes_total")));
  EXPECT_TRUE(has(of("gpu_pcie_sent_bytes_total", "0000:ca:00.0")));
}

// From 4096 bytes before its end the counter goes to 4096 after it.
TEST_F(NvmlTest, PcieBytesAreCountedOnWhenTheirCounterWraps) {
  const std::string sent = of("gpu_pcie_sent_bytes_total", "0000:ca:00.0");
  ASSERT_TRUE(open(kTwoGpus));
  tick();
  ASSERT_TRUE(has(sent));
  derive::Signal rate(channels_.metric(channels_.find_channel(sent).value()));
  rate.step(raw(sent), model::Validity::kFresh, 1'000'000'000);
  script_.say(std::string(kTwoGpus) + "1 field.197 4096:u32\n");
  tick_until([&] { return raw(sent) == 4096; }, "the counter that wrapped");
  EXPECT_DOUBLE_EQ(rate.step(raw(sent), model::Validity::kFresh, 2'000'000'000).value, 8192);
}

// The expected values are the script's; 4294967295 stands for a number that the driver does not
// have.
TEST_F(NvmlTest, MemoryErrorsByPlace) {
  ASSERT_TRUE(
      open(std::string(kTwoGpus) +
           "0 ecc.0.0.2 31\n0 ecc.1.0.2 32\n0 ecc.0.1.2 33\n0 ecc.1.1.2 34\n"
           "0 ecc.0.0.7 11\n0 ecc.1.0.7 12\n0 ecc.0.1.7 13\n0 ecc.1.1.7 0xFFFFFFFFFFFFFFFF\n"
           "0 sram_threshold 1\n0 field.18 21\n0 field.19 22\n0 field.20 23\n"
           "0 field.24 24\n0 field.15 4294967295:u32\n0 field.28 25\n"));
  tick();
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_corrected_volatile_dram_errors_total")), 31);
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_uncorrected_volatile_dram_errors_total")), 32);
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_corrected_lifetime_dram_errors_total")), 33);
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_uncorrected_lifetime_dram_errors_total")), 34);
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_corrected_volatile_sram_errors_total")), 11);
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_uncorrected_volatile_sram_errors_total")), 12);
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_corrected_lifetime_sram_errors_total")), 13);
  EXPECT_FALSE(has(of("gpu_ecc_uncorrected_lifetime_sram_errors_total")));
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_sram_threshold_active")), 1);
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_corrected_lifetime_l1_errors_total")), 21);
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_uncorrected_lifetime_l1_errors_total")), 22);
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_corrected_lifetime_l2_errors_total")), 23);
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_corrected_lifetime_register_errors_total")), 24);
  EXPECT_DOUBLE_EQ(value(of("gpu_ecc_uncorrected_lifetime_cbu_errors_total")), 25);
  EXPECT_FALSE(has(of("gpu_ecc_corrected_volatile_texture_errors_total")));
  EXPECT_FALSE(has(of("gpu_ecc_corrected_volatile_sram_errors_total", "0000:ca:00.0")));
}

TEST_F(NvmlTest, CountersOfEachNvlink) {
  ASSERT_TRUE(open(std::string(kTwoGpus) +
                   "0 link.2 1\n0 link_errors.0.0 5\n0 link_errors.2.0 6\n0 link_errors.2.1 7\n"
                   "0 link_errors.2.2 8\n0 link_errors.2.3 9\n0 link_errors.2.4 10\n"
                   "0 field.138.2 2048\n0 field.139.2 1024\n0 field.208.2 31\n0 field.212.2 32\n"
                   "0 field.214.2 33\n"));
  tick();
  const auto of_link = [](std::string_view metric, int link) {
    return std::string(metric) + "{gpu=0000:17:00.0,link=" + std::to_string(link) + "}";
  };
  EXPECT_DOUBLE_EQ(value(of_link("gpu_nvlink_link_replays_total", 0)), 5);
  EXPECT_DOUBLE_EQ(value(of_link("gpu_nvlink_link_replays_total", 2)), 6);
  EXPECT_DOUBLE_EQ(value(of_link("gpu_nvlink_link_recoveries_total", 2)), 7);
  EXPECT_DOUBLE_EQ(value(of_link("gpu_nvlink_link_flit_errors_total", 2)), 8);
  EXPECT_DOUBLE_EQ(value(of_link("gpu_nvlink_link_crc_errors_total", 2)), 9);
  EXPECT_DOUBLE_EQ(value(of_link("gpu_nvlink_link_ecc_errors_total", 2)), 10);
  EXPECT_DOUBLE_EQ(value(of_link("gpu_nvlink_link_sent_bytes_total", 2)), 2048 * 1024.0);
  EXPECT_DOUBLE_EQ(value(of_link("gpu_nvlink_link_received_bytes_total", 2)), 1024 * 1024.0);
  EXPECT_DOUBLE_EQ(value(of_link("gpu_nvlink_receive_errors_total", 2)), 31);
  EXPECT_DOUBLE_EQ(value(of_link("gpu_nvlink_send_discards_total", 2)), 32);
  EXPECT_DOUBLE_EQ(value(of_link("gpu_nvlink_failed_recoveries_total", 2)), 33);
  EXPECT_FALSE(has(of_link("gpu_nvlink_link_recoveries_total", 0)));
}

// No device 1 of the library's list is a MIG instance here: index 1 has none.
constexpr const char* kSplit = R"(0 mig 1:1
0 mig.most 7
0 mig.0 11
0 mig.2 12
11 gi 3
11 ci 0
11 memory.total 10200547328
11 memory.free 10000000000
11 memory.used 200547328
11 multiprocessors 14
12 gi 4
12 ci 1
12 memory.total 20400000000
12 memory.used 5
)";

TEST_F(NvmlTest, InstancesOfASplitGpu) {
  ASSERT_TRUE(open(std::string(kTwoGpus) + kSplit + "1 mig 0:1\n"));
  tick();
  EXPECT_DOUBLE_EQ(value(of("gpu_mig_mode")), 1);
  EXPECT_DOUBLE_EQ(value(of("gpu_instances")), 2);
  EXPECT_DOUBLE_EQ(value(of("gpu_mig_mode", "0000:ca:00.0")), 0);
  EXPECT_DOUBLE_EQ(value(of("gpu_mig_pending_mode", "0000:ca:00.0")), 1);
  EXPECT_FALSE(has(of("gpu_instances", "0000:ca:00.0")));
  const std::string first = "{gpu=0000:17:00.0,gi=3,ci=0}";
  const std::string second = "{gpu=0000:17:00.0,gi=4,ci=1}";
  EXPECT_DOUBLE_EQ(value("gpu_instance_memory_used_bytes" + first), 200547328);
  EXPECT_DOUBLE_EQ(value("gpu_instance_memory_free_bytes" + first), 1e10);
  EXPECT_DOUBLE_EQ(value("gpu_instance_memory_installed_bytes" + first), 10200547328);
  EXPECT_DOUBLE_EQ(value("gpu_instance_multiprocessors" + first), 14);
  EXPECT_DOUBLE_EQ(value("gpu_instance_memory_used_bytes" + second), 5);
  EXPECT_FALSE(has("gpu_instance_multiprocessors" + second));

  // The first is removed, so that the second has another place in the list.
  std::string later = kSplit;
  later.replace(later.find("0 mig.0 11"), 10, "0 mig.0 12");
  later.replace(later.find("0 mig.2 12"), 10, "0 mig.2 =6");
  later.replace(later.find("12 memory.used 5"), 16, "12 memory.used 6");
  script_.say(std::string(kTwoGpus) + later);
  tick_until([&] { return value("gpu_instance_memory_used_bytes" + second) == 6; },
             "the other instance");
  EXPECT_FALSE(has("gpu_instance_memory_used_bytes" + first));
  EXPECT_DOUBLE_EQ(value(of("gpu_instances")), 1);
}

// A GPU that is lost while it is split tells nothing more, and the loss is told.
TEST_F(NvmlTest, ASplitGpuThatIsLost) {
  ASSERT_TRUE(open(std::string(kTwoGpus) + kSplit));
  tick();
  EXPECT_TRUE(has("gpu_instance_memory_used_bytes{gpu=0000:17:00.0,gi=3,ci=0}"));
  script_.say(std::string(kTwoGpus) + kSplit + "0 mig =15\n");
  tick_until([&] { return !events_.empty(); }, "the loss");
  EXPECT_THAT(events_, Contains(HasSubstr("lost")));
}

TEST_F(NvmlTest, NoNvlinkRateWithoutALinkThatIsUp) {
  ASSERT_TRUE(open(std::string(kTwoGpus) + "0 link.0 0\n"));
  tick();
  EXPECT_FALSE(has(of("gpu_nvlink_sent_bytes_per_second")));
  EXPECT_DOUBLE_EQ(value(of("gpu_sm_busy_ratio")), 0.875);
}

// The slower numbers of GPM begin with the sample that the ones before ended with: each comes
// again.
TEST_F(NvmlTest, GpmGoesOn) {
  ASSERT_TRUE(open(kTwoGpus));
  tick();
  script_.say(std::string(kTwoGpus) + "0 gpm.2 12.5\n0 gpm.12 7.5\n");
  tick_until([&] { return value(of("gpu_sm_busy_ratio")) < 0.2; }, "the new value of a tick");
  tick_until([&] { return value(of("gpu_fp32_busy_ratio")) > 0.07; }, "the new value of a second");
  script_.say(std::string(kTwoGpus) + "0 gpm.12 1.5\n");
  tick_until([&] { return value(of("gpu_fp32_busy_ratio")) < 0.02; }, "the one after");
}

TEST_F(NvmlTest, EachNvlinkHasItsOwn) {
  ASSERT_TRUE(open(kTwoGpus));
  tick();
  EXPECT_DOUBLE_EQ(value("gpu_nvlink_active{gpu=0000:17:00.0,link=0}"), 1);
  EXPECT_DOUBLE_EQ(value("gpu_nvlink_active{gpu=0000:17:00.0,link=1}"), 0);
  EXPECT_FALSE(has("gpu_nvlink_active{gpu=0000:17:00.0,link=2}"));
  EXPECT_DOUBLE_EQ(value("gpu_nvlink_symbol_errors_total{gpu=0000:17:00.0,link=0}"), 99);
  // 0x30c is mantissa 3 and exponent 12.
  EXPECT_DOUBLE_EQ(value("gpu_nvlink_bit_error_ratio{gpu=0000:17:00.0,link=0}"), 3e-12);
  EXPECT_FALSE(has("gpu_nvlink_symbol_errors_total{gpu=0000:17:00.0,link=1}"));
}

// A number that no process has.
constexpr const char* kGone = "4194305";

class NvmlUsersTest : public NvmlTest {
 protected:
  void SetUp() override {
    group_ = collect::ProcessGroups().group_of(static_cast<std::uint32_t>(::getpid()));
    if (group_.empty()) GTEST_SKIP() << "the kernel says of no process in which group it is";
  }
  static std::string of_group(std::string_view metric, const std::string& group) {
    return std::string(metric) + "{" + group + ",gpu=0000:17:00.0}";
  }
  std::string share() const { return of_group("gpu_cgroup_sm_busy_ratio", group_); }
  std::string memory() const { return of_group("gpu_cgroup_memory_used_bytes", group_); }
  const std::string others_ = of("gpu_shared_sm_busy_ratio");

  std::string group_;  // of this process
  std::string me_ = std::to_string(::getpid());
};

std::string users(const std::string& processes, const std::string& work) {
  return std::string(kTwoGpus) + "0 processes " + processes + "\n0 work " + work + "\n";
}

TEST_F(NvmlUsersTest, EachGroupHasItsProcessesUse) {
  ASSERT_TRUE(open(users(me_ + ":4096 " + kGone + ":100", me_ + ":60 " + kGone + ":35")));
  tick();
  EXPECT_DOUBLE_EQ(value(share()), 0.6);
  EXPECT_DOUBLE_EQ(value(memory()), 4096);
  EXPECT_DOUBLE_EQ(value(others_), 0.35);
  EXPECT_DOUBLE_EQ(value(of("gpu_process_sm_busy_ratio")), 0.95);
  EXPECT_FALSE(has(of("gpu_shared_sm_busy_ratio", "0000:ca:00.0")));
}

TEST_F(NvmlUsersTest, WhoLeavesIsToldAtOnceAndWhoDoesNothingUsesNothing) {
  ASSERT_TRUE(open(users(me_ + ":4096 " + kGone + ":100", me_ + ":60 " + kGone + ":35")));
  tick();
  script_.say(users(me_ + ":8192", me_ + ":97"));
  tick_until([&] { return value(share()) == 0.97; }, "the share of who stays");
  EXPECT_DOUBLE_EQ(value(memory()), 8192);
  EXPECT_DOUBLE_EQ(value(others_), 0);
  script_.say(users(me_ + ":8192", "none"));
  tick_until([&] { return value(share()) == 0; }, "an answer without samples");
  EXPECT_DOUBLE_EQ(value(of("gpu_process_sm_busy_ratio")), 0);
  EXPECT_DOUBLE_EQ(value(memory()), 8192);
  script_.say(users("none", "none"));
  tick_until([&] { return !has(share()); }, "the group to go");
  EXPECT_FALSE(has(memory()));
  EXPECT_DOUBLE_EQ(value(others_), 0);
}

TEST_F(NvmlUsersTest, OfSeveralSamplesOfAProcessTheNewestCounts) {
  ASSERT_TRUE(open(users(me_ + ":4096", me_ + ":90 " + me_ + ":20")));
  tick();
  EXPECT_DOUBLE_EQ(value(share()), 0.2);
  EXPECT_DOUBLE_EQ(value(of("gpu_process_sm_busy_ratio")), 0.2);
}

// The samples of processes are mixed, and the newest of one may be none that can be.
TEST_F(NvmlUsersTest, OfMixedSamplesTheNewestOfEachProcessCounts) {
  const std::string other = std::to_string(5'000'000);
  ASSERT_TRUE(open(users(me_ + ":4096 " + kGone + ":100 " + other + ":100",
                         me_ + ":90 " + kGone + ":80 " + other + ":70 " + kGone + ":35 " + other +
                             ":101 " + me_ + ":60")));
  tick();
  EXPECT_DOUBLE_EQ(value(share()), 0.6);
  EXPECT_DOUBLE_EQ(value(others_), 0.35);
  EXPECT_DOUBLE_EQ(value(of("gpu_process_sm_busy_ratio")), 0.95);
}

// The driver still has samples of processes that ended before anybody asked.
TEST_F(NvmlUsersTest, WhoWorkedBeforeTheRecordingUsesNothing) {
  ASSERT_TRUE(open(users(me_ + ":4096", me_ + ":60:1 " + kGone + ":35:30")));
  tick();
  EXPECT_DOUBLE_EQ(value(share()), 0.6);
  EXPECT_DOUBLE_EQ(value(others_), 0);
  EXPECT_DOUBLE_EQ(value(of("gpu_process_sm_busy_ratio")), 0.6);
}

TEST_F(NvmlUsersTest, MoreProcessesThanAreKeptDoNotHideThoseThatUseMost) {
  std::string processes;
  std::string work;
  for (int i = 0; i < 300; ++i) {
    processes += std::to_string(5'000'000 + i) + ":1 ";
    work += std::to_string(5'000'000 + i) + ":0 ";
  }
  ASSERT_TRUE(open(users(processes + me_ + ":4096", work + me_ + ":60")));
  tick();
  EXPECT_DOUBLE_EQ(value(share()), 0.6);
  EXPECT_DOUBLE_EQ(value(of("gpu_compute_processes")), 301);
  EXPECT_FALSE(has(of("gpu_process_memory_bytes")));
  EXPECT_FALSE(has(memory()));
}

TEST_F(NvmlUsersTest, ADriverThatDoesNotTellWhoWorksStillTellsWhoHoldsMemory) {
  ASSERT_TRUE(open(std::string(kTwoGpus) + "0 processes " + me_ + ":4096\n"));
  tick();
  EXPECT_DOUBLE_EQ(value(memory()), 4096);
  EXPECT_FALSE(has(share()));
  EXPECT_FALSE(has(others_));
  for (const auto& metric : collect::find_collector("nvml")->metrics()) {
    if (metric.name != "gpu_shared_sm_busy_ratio") continue;
    EXPECT_THAT(collector_->why_absent(metric).message(), HasSubstr("no GPU here has it"));
  }
}

TEST_F(NvmlUsersTest, TwoGroupsOnOneGpuAreToldApart) {
  collect::LiveGroup of_version_1("cpuacct");
  collect::LiveGroup of_version_2("");
  const auto& neighbor = of_version_1.made() ? of_version_1 : of_version_2;
  if (!neighbor.made()) GTEST_SKIP() << "no hierarchy of control groups may be written here";
  collect::Child child(neighbor, [] {});
  ASSERT_TRUE(child.wait_for_work());
  const std::string it = std::to_string(child.pid());
  const auto instance = collect::LiveGroup::instance();
  ASSERT_TRUE(open(users(me_ + ":4096 " + it + ":100", me_ + ":52 " + it + ":46")));
  tick();
  EXPECT_DOUBLE_EQ(value(share()), 0.52);
  EXPECT_DOUBLE_EQ(value(of_group("gpu_cgroup_sm_busy_ratio", instance)), 0.46);
  EXPECT_DOUBLE_EQ(value(of_group("gpu_cgroup_memory_used_bytes", instance)), 100);
  EXPECT_DOUBLE_EQ(value(others_), 0.46);
  child.end();
  script_.say(users(me_ + ":4096", me_ + ":98"));
  tick_until([&] { return value(share()) == 0.98; }, "the job alone");
  EXPECT_FALSE(has(of_group("gpu_cgroup_sm_busy_ratio", instance)));
  EXPECT_DOUBLE_EQ(value(others_), 0);
}

TEST_F(NvmlTest, WhoTheGpusAreIsSaidOnce) {
  ASSERT_TRUE(open(kTwoGpus));
  tick();
  EXPECT_EQ(facts_["NVIDIA driver"], "550.54.15");
  EXPECT_EQ(facts_["name of gpu 0000:17:00.0"], "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(facts_["uuid of gpu 0000:17:00.0"], "GPU-aaaa");
  EXPECT_EQ(facts_["vbios of gpu 0000:17:00.0"], "96.00.5E.00.01");
  EXPECT_EQ(facts_["nearest cpus of gpu 0000:17:00.0"], "0-7,16-23");
  EXPECT_EQ(facts_["topology of gpu 0000:17:00.0"], "0000:ca:00.0 by system");
  EXPECT_EQ(facts_["processes of gpu 0000:17:00.0"],
            "pid 900 compute 2 MiB, pid 812 compute 1 MiB");
  EXPECT_EQ(facts_["uuid of gpu 0000:ca:00.0"], "GPU-bbbb");
  facts_.clear();
  tick();
  EXPECT_TRUE(facts_.empty());
}

TEST_F(NvmlTest, ValuesAreStaleUntilTheReaderHasNewOnes) {
  ASSERT_TRUE(open(kTwoGpus));
  tick();
  tick_until([&] { return validity(of("gpu_busy_ratio")) == model::Validity::kStale; },
             "a tick without a new reading");
  EXPECT_DOUBLE_EQ(value(of("gpu_busy_ratio")), 0.37);
  script_.say(std::string(kTwoGpus) + "0 util.gpu 38\n");
  tick_until([&] { return value(of("gpu_busy_ratio")) > 0.375; }, "the new value");
  EXPECT_EQ(validity(of("gpu_busy_ratio")), model::Validity::kFresh);
}

TEST_F(NvmlTest, LiesAreMissing) {
  ASSERT_TRUE(open(std::string(kTwoGpus) + "0 util.gpu 4294967295\n"
                                           "0 util.memory 101\n"
                                           "0 memory.used 18446744073709551615\n"
                                           "0 clock.1 4294967295\n"
                                           "0 energy 18446744073709551615\n"
                                           "0 temperature 2147483647\n"
                                           "0 throttle 0xffffffffffffffff\n"
                                           "0 field.82 9223372036854775794:u64\n"
                                           "0 field.186 nan:f64\n"
                                           "0 field.3 7:odd\n"
                                           "0 field.4 -1:s64\n"
                                           "0 field.74 =999\n"
                                           "0 gpm.2 nan\n"
                                           "0 gpm.20 -inf\n"
                                           "0 processes 812:18446744073709551615\n"));
  tick();
  for (const char* metric :
       {"gpu_busy_ratio", "gpu_memory_busy_ratio", "gpu_memory_used_bytes", "gpu_sm_clock_hertz",
        "gpu_energy_joules_total", "gpu_temperature_celsius", "gpu_throttle_power_cap_active",
        "gpu_memory_temperature_celsius", "gpu_power_watts",
        "gpu_ecc_corrected_volatile_errors_total", "gpu_ecc_uncorrected_volatile_errors_total",
        "gpu_throttled_by_power_seconds_total", "gpu_sm_busy_ratio",
        "gpu_pcie_sent_bytes_per_second", "gpu_process_memory_bytes"}) {
    EXPECT_FALSE(has(of(metric))) << metric;
  }
  EXPECT_DOUBLE_EQ(value(of("gpu_compute_processes")), 1);
  EXPECT_DOUBLE_EQ(value(of("gpu_average_power_watts")), 301);
  for (const auto& metric : collect::find_collector("nvml")->metrics()) {
    if (metric.name != "gpu_energy_joules_total") continue;
    EXPECT_THAT(collector_->why_absent(metric).what, HasSubstr("a number that cannot be"));
  }
}

TEST_F(NvmlTest, OldDriversLackWhatTheyLack) {
  ::setenv("REVEAL_NVML_PATH", STAND_IN_OLD, 1);
  ASSERT_TRUE(open(kTwoGpus));
  tick();
  EXPECT_DOUBLE_EQ(value(of("gpu_busy_ratio")), 0.37);
  EXPECT_DOUBLE_EQ(value(of("gpu_memory_used_bytes")), 40399345920.0);
  EXPECT_DOUBLE_EQ(value(of("gpu_fan_speed_ratio")), 0.45);
  EXPECT_DOUBLE_EQ(value(of("gpu_throttle_power_cap_active")), 1);
  EXPECT_FALSE(has(of("gpu_memory_reserved_bytes")));
  EXPECT_FALSE(has(of("gpu_power_watts")));
  EXPECT_FALSE(has(of("gpu_sm_busy_ratio")));
  for (const auto& metric : collect::find_collector("nvml")->metrics()) {
    if (metric.name != "gpu_power_watts") continue;
    EXPECT_THAT(collector_->why_absent(metric).message(), HasSubstr("a newer NVIDIA driver"));
  }
}

TEST_F(NvmlTest, XidsAreCountedAndTold) {
  ASSERT_TRUE(open(kTwoGpus));
  tick();
  script_.say(std::string(kTwoGpus) + "0 xid 79\n");
  tick_until([&] { return value(of("gpu_xid_errors_total")) == 1; }, "the XID");
  EXPECT_THAT(events_, Contains("gpu 0000:17:00.0: XID 79 (the GPU has fallen off the bus; "
                                "hardware)"));
  EXPECT_THAT(events_, Contains(HasSubstr(std::string(model::kFallenOffTheBus))));
  EXPECT_DOUBLE_EQ(value(of("gpu_xid_errors_total", "0000:ca:00.0")), 0);
}

TEST_F(NvmlTest, ALostGpuIsToldAndTheOthersGoOn) {
  ASSERT_TRUE(open(kTwoGpus));
  tick();
  script_.say(std::string(kTwoGpus) + "0 * =15\n1 util.gpu 50\n");
  tick_until([&] { return value(of("gpu_losses_total")) == 1; }, "the loss");
  EXPECT_THAT(events_, Contains(HasSubstr("gpu 0000:17:00.0: the GPU is lost")));
  // By this a report tells it first.
  EXPECT_THAT(events_, Contains(HasSubstr(std::string(model::kFallenOffTheBus))));
  tick_until([&] { return !has(of("gpu_busy_ratio")); }, "its values to go");
  EXPECT_DOUBLE_EQ(value(of("gpu_busy_ratio", "0000:ca:00.0")), 0.5);
}

TEST_F(NvmlTest, AGpuThatWasReplacedCountsAnew) {
  constexpr const char* kCounted = "gpu_throttled_by_power_seconds_total";
  ASSERT_TRUE(open(kTwoGpus));
  tick();
  script_.say(std::string(kTwoGpus) + "0 power crash\n");
  tick_until([&] { return !events_.empty(); }, "the crash");
  script_.say(std::string(kTwoGpus) + "0 uuid GPU-cccc\n0 field.74 5\n");
  tick_until([&] { return has(of(kCounted)) && value(of(kCounted)) < 1; }, "the new board");
  EXPECT_EQ(validity(of(kCounted)), model::Validity::kReset);
  EXPECT_EQ(facts_["uuid of gpu 0000:17:00.0"], "GPU-cccc");
  tick_until([&] { return validity(of(kCounted)) == model::Validity::kFresh; }, "the next reading");
}

TEST_F(NvmlTest, ARefusalSaysWhyAndWhatToDo) {
  const auto refused = open("lib init 18\n");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("version mismatch"));
  EXPECT_THAT(refused.error().remedy, HasSubstr("reload the NVIDIA kernel module"));
  const auto unloaded = open("lib init 9\n");
  ASSERT_FALSE(unloaded);
  EXPECT_EQ(unloaded.error().kind, base::ErrorKind::kAbsent);
  const auto none = open("lib devices 0\n");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message(), HasSubstr("no GPU"));
  ::setenv("REVEAL_NVML_PATH", "/nonexistent/libnvidia-ml.so.1", 1);
  const auto absent = open(kTwoGpus);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, base::ErrorKind::kAbsent);
  EXPECT_THAT(absent.error().remedy, HasSubstr("libnvidia-ml.so.1"));
}

TEST_F(NvmlTest, NoDriverStartsNoProcess) {
  if (::access("/proc/driver/nvidia/version", F_OK) == 0 || ::access("/dev/nvidiactl", F_OK) == 0) {
    GTEST_SKIP() << "this host has an NVIDIA driver";
  }
  ::unsetenv("REVEAL_NVML_PATH");
  ::setenv("REVEAL_READER_PROGRAM", "/nonexistent", 1);
  const auto opened = open(kTwoGpus);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().what, "no NVIDIA driver on this host");
}

// Readers alone, with less patience than a recorder has.
class ReadersTest : public ::testing::Test {
 protected:
  static gpu::ReaderTiming impatient() {
    return {.interval = std::chrono::milliseconds(20),
            .deadline = std::chrono::milliseconds(500),
            .start_deadline = std::chrono::seconds(30),
            .first_pause = std::chrono::milliseconds(50),
            .longest_pause = std::chrono::milliseconds(400)};
  }
  void tick() {
    for (const auto& event : readers_.tick(collect::clock_ns(CLOCK_MONOTONIC))) {
      events_.push_back(event.subject + ": " + event.text);
    }
  }
  // Returns the newest GPU utilization, nothing where there is none.
  std::optional<std::uint64_t> utilization(unsigned device) {
    std::optional<std::uint64_t> out;
    readers_.for_each([&](const gpu::SharedReadings& readings, std::uint32_t&) {
      const auto& reading = readings.devices[device].readings[0];
      if (reading.read_ns.load() != 0 && reading.result.load() == 0) out = reading.bits.load();
    });
    return out;
  }
  void await_utilization(unsigned device, std::uint64_t percent) {
    await(
        [&] {
          tick();
          return utilization(device) == percent;
        },
        "a utilization");
  }
  void await_event(const std::string& words) {
    await(
        [&] {
          tick();
          return std::any_of(events_.begin(), events_.end(), [&](const auto& event) {
            return event.find(words) != std::string::npos;
          });
        },
        words.c_str());
  }

  Script script_;
  gpu::Readers readers_{REVEAL_PROGRAM, impatient()};
  std::vector<std::string> events_;
};

std::string with(const std::string& lines) {
  return kTwoGpus + lines;
}

TEST_F(ReadersTest, AHangIsEndedAndTheOthersAreReadOn) {
  script_.say(kTwoGpus);
  await_utilization(0, 37);
  script_.say(with("0 power hang\n1 util.gpu 55\n"));
  await_event("has not answered for 0.5 s on GPU 0000:17:00.0; its reader was stopped");
  await_utilization(1, 55);
  script_.say(with("0 power hang\n1 util.gpu 56\n"));
  await_utilization(1, 56);
  // When the driver is back, so is the GPU.
  script_.say(with("0 util.gpu 11\n"));
  await_utilization(0, 11);
  await_utilization(1, 99);
}

TEST_F(ReadersTest, ACrashIsToldAndTheOthersAreReadOn) {
  script_.say(kTwoGpus);
  await_utilization(1, 99);
  script_.say(with("1 util.gpu crash\n0 util.gpu 20\n"));
  await_event("crashed with Segmentation fault on GPU 0000:ca:00.0; it was started again");
  await_utilization(0, 20);
  script_.say(with("1 util.gpu 21\n"));
  await_utilization(1, 21);
}

TEST_F(ReadersTest, AGpuThatHangsFromTheStartDoesNotHideTheOthers) {
  script_.say(with("0 bus hang\n"));
  gpu::ReaderTiming timing = impatient();
  // Within which the reader of the GPU that answers must have started, on a busy machine too.
  timing.start_deadline = std::chrono::seconds(3);
  readers_ = gpu::Readers(REVEAL_PROGRAM, timing);
  await_event("on GPU number 0");
  await_utilization(1, 99);
}

TEST_F(ReadersTest, ADriverThatIsSlowToWakeIsWaitedFor) {
  script_.say(with("lib init 9\n"));
  await(
      [&] {
        tick();
        return readers_.refusal().has_value();
      },
      "the refusal");
  script_.say(kTwoGpus);
  await_utilization(0, 37);
  EXPECT_TRUE(events_.empty());
}

TEST_F(ReadersTest, ReadersEndWithTheirRecorder) {
  script_.say(with("0 power hang\n"));
  const auto reader = gpu::ReaderProcess::start(REVEAL_PROGRAM, {}, std::chrono::milliseconds(20));
  ASSERT_TRUE(reader);
  await([&] { return (*reader)->readings().device_now.load() == 0; }, "the hang");
  EXPECT_FALSE((*reader)->ended());
  await([&] { return (*reader)->kill(); }, "the end");
}

TEST_F(ReadersTest, AProgramThatIsNoneIsAnError) {
  gpu::Readers readers("/nonexistent/reveal", impatient());
  readers.tick(collect::clock_ns(CLOCK_MONOTONIC));
  ASSERT_TRUE(readers.refusal());
  EXPECT_THAT(readers.refusal()->message(), HasSubstr("/nonexistent/reveal: cannot be started"));
}

}  // namespace
}  // namespace reveal
