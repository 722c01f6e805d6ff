// What the collectors of the hardware's own files say of the hand-written hosts, against values
// read off the fixtures by eye, and what they say when a device comes or a link trains down.
#include <string>

#include <gmock/gmock.h>

#include "collector_bench.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;

const CollectorDescriptor& named(std::string_view name) {
  for (const auto& descriptor : registry()) {
    if (descriptor.name == name) return descriptor;
  }
  throw std::out_of_range(std::string(name));
}

// One collector's values on a fixture host.
class On {
 public:
  On(std::string_view collector, std::string_view host)
      : values_(values_of(named(collector), fixtures() / host)) {}

  void expect(const std::string& channel, std::uint64_t value) const {
    const auto it = values_.find(channel);
    if (it == values_.end()) {
      ADD_FAILURE() << channel << " has no value";
    } else {
      EXPECT_EQ(it->second, value) << channel;
    }
  }
  void expect_none(const std::string& channel) const {
    EXPECT_FALSE(values_.contains(channel)) << channel;
  }
  std::size_t size() const { return values_.size(); }

 private:
  Values values_;
};

constexpr std::string_view kIntel = "dual-intel-2node";
constexpr std::string_view kAmd = "epyc-1socket";
constexpr std::string_view kArm = "grace-arm";
constexpr std::string_view kRiscv = "riscv-board";

TEST(Hardware, FrequenciesAndTheirLimits) {
  const On now("cpufreq", kIntel);
  now.expect("cpu_frequency_hertz{cpu=0}", 2000000);
  now.expect("cpu_frequency_hertz{cpu=7}", 2700000);
  EXPECT_EQ(now.size(), 8u);
  const On limits("cpufreq_limits", kIntel);
  limits.expect("cpu_frequency_limit_maximum_hertz{cpu=3}", 3500000);
  limits.expect("cpu_turbo_disabled_flag", 1);
  limits.expect("cpu_performance_limit_ratio", 90);
  limits.expect_none("cpu_boost_enabled_flag");
  On("cpufreq_limits", kAmd).expect("cpu_boost_enabled_flag", 1);
  const On arm("cpufreq_limits", kArm);
  arm.expect("cpu_frequency_limit_minimum_hertz{cpu=2}", 81000);
  arm.expect_none("cpu_turbo_disabled_flag");
  const On riscv("cpufreq_limits", kRiscv);
  riscv.expect("cpu_frequency_limit_maximum_hertz{cpu=3}", 1500000);
  riscv.expect_none("cpu_turbo_disabled_flag");
  const On uncore("uncore_frequency", kIntel);
  uncore.expect("cpu_uncore_frequency_hertz{package=0,die=0}", 2400000);
  uncore.expect("cpu_uncore_frequency_hertz{package=1,die=0}", 1800000);
}

TEST(Hardware, InterruptsOfRiscvGoByTheNamesOfX86) {
  const On interrupts("interrupts", kRiscv);
  interrupts.expect("cpu_timer_interrupts_total{cpu=1}", 2695);
  interrupts.expect("cpu_rescheduling_interrupts_total{cpu=2}", 123);
  interrupts.expect("cpu_function_call_interrupts_total{cpu=3}", 273);
  interrupts.expect("cpu_device_interrupts_total{cpu=0}", 3 + 60 + 796 + 9062);
  interrupts.expect("cpu_core_interrupts_total{cpu=3}", 2309 + 117 + 273);
}

// What only x86 has is not asked for elsewhere.
TEST(Hardware, NothingOfX86IsOnRiscv) {
  for (const auto* name :
       {"thermal_throttle", "uncore_frequency", "rapl", "perf_msr", "perf_cstate"}) {
    EXPECT_EQ(On(name, kRiscv).size(), 0u) << name;
  }
}

TEST(Hardware, IdleStatesGoByName) {
  const On time("cpuidle", kIntel);
  time.expect("cpu_idle_state_seconds_total{cpu=2,state=C1E}", 15000002);
  EXPECT_EQ(time.size(), 8u * 4);
  const On intel("cpuidle_detail", kIntel);
  intel.expect("cpu_idle_state_entries_total{cpu=2,state=C6}", 3003);
  intel.expect("cpu_idle_state_too_deep_total{cpu=4,state=POLL}", 40);
  intel.expect("cpu_idle_state_too_shallow_total{cpu=4,state=C1}", 81);
  intel.expect("cpu_idle_state_rejected_total{cpu=4,state=C6}", 4);
  EXPECT_EQ(intel.size(), 8u * 4 * 4);
  On("cpuidle_detail", kArm).expect("cpu_idle_state_entries_total{cpu=1,state=LPI-1}", 2001);
}

TEST(Hardware, ThrottlingOfAPackageIsTheMostThatAnyOfItsCoresCounted) {
  const On intel("thermal_throttle", kIntel);
  intel.expect("cpu_core_throttles_total{cpu=5}", 10);
  intel.expect("cpu_core_throttled_seconds_total{cpu=5}", 150);
  intel.expect("cpu_package_throttles_total{package=0}", 43);  // 40, 41, 42, 43
  intel.expect("cpu_package_throttles_total{package=1}", 40);
  intel.expect("cpu_package_throttled_seconds_total{package=1}", 707);
  EXPECT_EQ(On("thermal_throttle", kArm).size(), 0u);
}

TEST(Hardware, SensorsGoByDeviceAndLabel) {
  const On intel("hwmon", kIntel);
  intel.expect("cpu_package_temperature_celsius{package=1}", real(62000));
  intel.expect("cpu_core_temperature_celsius{package=1,core=9}", real(58000));
  intel.expect("storage_drive_temperature_celsius{dev=nvme0}", real(43850));
  intel.expect("storage_drive_sensor_temperature_celsius{dev=nvme0,sensor=Sensor 1}", real(51850));
  intel.expect("storage_drive_temperature_celsius{dev=sda}", real(33000));
  intel.expect("network_adapter_temperature_celsius{chip=mlx5@0000:3b:00.0,sensor=asic}",
               real(58000));
  // An empty slot says that its sensor is at fault.
  intel.expect_none("network_adapter_temperature_celsius{chip=mlx5@0000:3b:00.0,sensor=Module0}");
  intel.expect("memory_module_temperature_celsius{chip=jc42@5-0018,sensor=temp1}", real(39500));
  const std::string board = "chip=nct6779@nct6775.656,sensor=";
  intel.expect("cpu_board_temperature_celsius{" + board + "SYSTIN}", real(31000));
  intel.expect("cpu_board_temperature_celsius{" + board + "AUXTIN0}", real(-5000));
  intel.expect("cpu_board_temperature_celsius{" + board + "temp3}", real(30000));  // SYSTIN again
  intel.expect("cpu_fan_speed_rpm{" + board + "fan1}", real(8400));
  intel.expect("cpu_fan_speed_rpm{" + board + "CPU0 fan}", real(0));
  intel.expect("cpu_sensor_voltage_volts{" + board + "in8}", real(-12000));
  intel.expect("cpu_sensor_current_amperes{" + board + "curr1}", real(-250));
  intel.expect("cpu_sensor_power_watts{chip=power_meter@ACPI000D:00,sensor=power1}",
               real(1250000000));  // the average, where there is one
  const On amd("hwmon", kAmd);
  amd.expect("cpu_control_temperature_celsius{chip=k10temp@0000:00:18.3}", real(68125));
  amd.expect("cpu_ccd_temperature_celsius{chip=k10temp@0000:00:18.3,ccd=2}", real(60250));
  amd.expect("cpu_sensor_energy_joules_total{chip=amd_energy.0,sensor=Esocket0}", 987654321);
  amd.expect("memory_module_temperature_celsius{chip=spd5118@1-0050,sensor=temp1}", real(41250));
  EXPECT_EQ(amd.size(), 6u);  // and nothing of the GPU
  On("hwmon", kArm).expect("cpu_board_temperature_celsius{chip=acpitz,sensor=temp1}", real(47000));
}

TEST(Hardware, ThermalZonesAndCoolingGoByType) {
  const On intel("thermal", kIntel);
  intel.expect("cpu_thermal_zone_celsius{zone=x86_pkg_temp}", real(61000));
  intel.expect("cpu_thermal_zone_celsius{zone=x86_pkg_temp#2}", real(62000));
  intel.expect("cpu_thermal_zone_celsius{zone=acpitz}", real(-8300));
  intel.expect("cpu_cooling_level{cooling=Processor#2}", 3);
  intel.expect("cpu_cooling_highest_level{cooling=intel_powerclamp}", 50);
}

TEST(Hardware, MemoryErrorsByControllerAndModule) {
  const On intel("edac", kIntel);
  intel.expect("memory_corrected_errors_total{mc=0}", 17);
  intel.expect("memory_uncorrected_errors_total{mc=1}", 1);
  intel.expect("memory_corrected_unplaced_errors_total{mc=1}", 2);
  intel.expect("memory_controller_bytes{mc=0}", 262144);
  intel.expect("memory_module_corrected_errors_total{mc=0,dimm=CPU_SrcID#0_MC#0_Chan#1_DIMM#0}",
               17);
  intel.expect("memory_module_uncorrected_errors_total{mc=1,dimm=CPU_SrcID#1_MC#0_Chan#0_DIMM#0}",
               1);
  // Rows of chips count the same errors again.
  intel.expect_none("memory_chip_row_corrected_errors_total{mc=0,csrow=0}");
  On("edac", kAmd).expect("memory_module_bytes{mc=0,dimm=mc#0csrow#1channel#0}", 32768);
}

TEST(Hardware, EnergyByPackageAndPart) {
  const On intel("rapl", kIntel);
  intel.expect("cpu_powercap_package_joules_total{package=1}", 200000000);
  intel.expect("memory_powercap_dram_joules_total{package=1}", 14000000);
  intel.expect("cpu_powercap_platform_joules_total{domain=psys}", 900000000);
  intel.expect("cpu_powercap_long_limit_watts{package=0}", 350000000);
  intel.expect("cpu_powercap_short_limit_watts{package=0}", 420000000);
  intel.expect("cpu_powercap_range_joules{package=0}", 262143328850);
  EXPECT_EQ(intel.size(), 2u + 2 + 1 + 6);  // and nothing of intel-rapl-mmio
  const On amd("rapl", kAmd);
  amd.expect("cpu_powercap_cores_joules_total{package=0}", 22000000);
}

TEST(Hardware, LinksThatTrainedDown) {
  const On links("pci_link", kIntel);
  links.expect("gpu_pcie_link_lanes{pci=0000:65:00.0}", 8);
  links.expect("gpu_pcie_link_maximum_lanes{pci=0000:65:00.0}", 16);
  links.expect("gpu_pcie_link_narrow_flag{pci=0000:65:00.0}", 1);
  links.expect("gpu_pcie_link_slow_flag{pci=0000:65:00.0}", 0);
  links.expect("gpu_pcie_link_narrow_flag{pci=0000:64:02.0}", 1);  // its root port
  // This one idles: all lanes, lowest speed.
  links.expect("gpu_pcie_link_narrow_flag{pci=0000:17:00.0}", 0);
  links.expect("gpu_pcie_link_slow_flag{pci=0000:17:00.0}", 1);
  links.expect("gpu_pcie_link_transfers_per_second{pci=0000:17:00.0}", real(2.5));
  // Behind a switch, whose root port counts as a GPU's.
  links.expect("gpu_pcie_link_narrow_flag{pci=0000:cc:00.0}", 0);
  links.expect("gpu_pcie_link_lanes{pci=0000:c9:02.0}", 16);
  links.expect_none("gpu_pcie_link_lanes{pci=0000:ca:00.0}");
  // Sixteen lanes in a slot of eight, which no training makes wider.
  links.expect("network_pcie_link_lanes{pci=0000:b1:00.0}", 8);
  links.expect("network_pcie_link_narrow_flag{pci=0000:b1:00.0}", 0);
  links.expect("network_pcie_link_slow_flag{pci=0000:b1:00.0}", 0);  // 16 of 16 GT/s
  // A drive for 16 GT/s at 8, in a port for 16.
  links.expect("storage_pcie_link_slow_flag{pci=0000:01:00.0}", 1);
  // A virtual function has no link, and a bridge to ISA is nobody's.
  links.expect_none("network_pcie_link_maximum_lanes{pci=0000:3b:00.1}");
  links.expect_none("storage_pcie_link_lanes{pci=0000:00:1f.0}");
}

TEST(Hardware, RequestSizesFromTheConfigurationSpace) {
  const On links("pci_link", kIntel);
  links.expect("gpu_pcie_read_request_maximum_bytes{pci=0000:17:00.0}", 4096);  // 5 << 12
  links.expect("gpu_pcie_payload_maximum_bytes{pci=0000:17:00.0}", 256);        // 1 << 5
  links.expect("gpu_pcie_read_request_maximum_bytes{pci=0000:cc:00.0}", 512);   // 2 << 12
  links.expect("network_pcie_payload_maximum_bytes{pci=0000:3b:00.0}", 512);    // 2 << 5
  links.expect_none("gpu_pcie_read_request_maximum_bytes{pci=0000:65:00.0}");   // 64 bytes only
}

TEST(Hardware, LinkErrorsByDeviceAndPort) {
  const On errors("pci_aer", kIntel);
  errors.expect("gpu_pcie_link_correctable_errors_total{pci=0000:65:00.0}", 3);
  errors.expect("gpu_pcie_link_nonfatal_errors_total{pci=0000:65:00.0}", 1);
  errors.expect("gpu_pcie_link_fatal_errors_total{pci=0000:65:00.0}", 0);
  errors.expect("gpu_pcie_link_correctable_errors_total{pci=0000:64:02.0}", 12);
  errors.expect("gpu_pcie_port_correctable_errors_total{pci=0000:64:02.0}", 14);
  errors.expect("gpu_pcie_port_nonfatal_errors_total{pci=0000:64:02.0}", 1);
  errors.expect("network_pcie_link_correctable_errors_total{pci=0000:3b:00.0}", 2);
  errors.expect("storage_pcie_port_correctable_errors_total{pci=0000:00:1d.0}", 1);
  errors.expect_none("gpu_pcie_port_correctable_errors_total{pci=0000:65:00.0}");
}

TEST(Hardware, AmdGpuByItsPciAddress) {
  const On gpu("amdgpu", kAmd);
  const std::string it = "{gpu=0000:63:00.0}";
  gpu.expect("gpu_amd_busy_ratio" + it, 87);
  gpu.expect("gpu_amd_memory_busy_ratio" + it, 42);
  gpu.expect("gpu_amd_memory_used_bytes" + it, 17179869184);
  gpu.expect("gpu_amd_power_watts" + it, 298000000);
  gpu.expect("gpu_amd_junction_temperature_celsius" + it, real(71000));
  gpu.expect("gpu_amd_core_clock_hertz" + it, 1700000000);
  gpu.expect("gpu_amd_pcie_replays_total" + it, 6);
  gpu.expect("gpu_amd_corrected_errors_total{gpu=0000:63:00.0,block=umc}", 23);
  gpu.expect("gpu_amd_uncorrected_errors_total{gpu=0000:63:00.0,block=umc}", 1);
  gpu.expect("gpu_amd_corrected_errors_total{gpu=0000:63:00.0,block=gfx}", 2);
  gpu.expect("gpu_amd_power_throttle_flag" + it, 1);    // bit 0
  gpu.expect("gpu_amd_thermal_throttle_flag" + it, 1);  // bit 36
  gpu.expect("gpu_amd_current_throttle_flag" + it, 0);
  // An accelerator whose table of revision 1.8 counts what holds it back.
  const std::string other = "{gpu=0000:83:00.0}";
  gpu.expect("gpu_amd_firmware_ticks_total" + other, 4000000000);
  gpu.expect("gpu_amd_prochot_ticks_total" + other, 11);
  gpu.expect("gpu_amd_power_limit_ticks_total" + other, 1500000000);
  gpu.expect("gpu_amd_socket_heat_ticks_total" + other, 22);
  gpu.expect("gpu_amd_regulator_heat_ticks_total" + other, 33);
  gpu.expect("gpu_amd_memory_heat_ticks_total" + other, 250000000);
  EXPECT_EQ(gpu.size(), 18u + 4 + 6);  // and nothing of the board's own display
  On("pci_link", kAmd).expect("gpu_pcie_link_lanes{pci=0000:63:00.0}", 16);
}

TEST(Hardware, DeviceThatComesGetsChannelsAndOneThatGoesKeepsThem) {
  const Copy host(fixtures() / kIntel);
  Bench bench(named("pci_aer"), root_of(host.path()));
  ASSERT_TRUE(bench.open());
  const auto before = bench.tick();
  const auto channels = bench.channels().channel_count();
  const fs::path links = host.path() / "sys/bus/pci/devices";
  const auto target = fs::read_symlink(links / "0000:cd:00.0");
  fs::remove(links / "0000:cd:00.0");
  EXPECT_EQ(bench.tick().size(), before.size() - 3);
  fs::create_symlink(target, links / "0000:cd:00.0");
  EXPECT_EQ(bench.tick(), before);
  EXPECT_EQ(bench.channels().channel_count(), channels);
  fs::remove(host.path() / "sys/devices/pci0000:b0/0000:b0:00.0/0000:b1:00.0/aer_dev_fatal");
  EXPECT_EQ(bench.tick().size(), before.size() - 1);
}

TEST(Hardware, CoreThatGoesOfflineTakesItsOwnChannels) {
  const Copy host(fixtures() / kArm);
  Bench bench(named("cpuidle"), root_of(host.path()));
  ASSERT_TRUE(bench.open());
  const auto before = bench.tick();
  const fs::path online = host.path() / "sys/devices/system/cpu/online";
  write(online, "0-1,3\n");
  const auto now = tick_until_seen(bench);
  EXPECT_FALSE(now.contains("cpu_idle_state_seconds_total{cpu=2,state=LPI-0}"));
  EXPECT_EQ(now.size(), before.size() * 3 / 4);
  write(online, "0-3\n");
  EXPECT_EQ(tick_until_seen(bench), before);
}

TEST(Hardware, EnergyGoesOnAcrossTheWrap) {
  const Copy host(fixtures() / kAmd);
  Bench bench(named("rapl"), root_of(host.path()));
  ASSERT_TRUE(bench.open());
  const std::string channel = "cpu_powercap_package_joules_total{package=0}";
  EXPECT_EQ(bench.tick().at(channel), 55000000u);
  const fs::path counter = host.path() / "sys/class/powercap/intel-rapl:0/energy_uj";
  write(counter, "65532610900\n");
  EXPECT_EQ(bench.tick().at(channel), 65532610900u);
  write(counter, "13\n");  // the range ends at 65532610987
  EXPECT_EQ(bench.tick().at(channel), 65532610900u + 87 + 13);
}

TEST(Hardware, ReasonsNameTheFileAndTheRemedy) {
  Bench arm(named("thermal_throttle"), root_of(fixtures() / kArm));
  const auto opened = arm.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().what, "no core counts thermal throttling (Intel only)");
  Bench vm(named("cpufreq"), root_of(fixtures() / "vm-2cpu-linux-6.18"));
  const auto no_driver = vm.open();
  ASSERT_FALSE(no_driver);
  EXPECT_THAT(no_driver.error().remedy, ::testing::HasSubstr("intel_pstate"));
}

}  // namespace
}  // namespace reveal::collect
