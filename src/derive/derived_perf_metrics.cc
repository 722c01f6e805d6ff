#include "derive/derived_perf_metrics.h"

#include <array>
#include <limits>
#include <numeric>

#include "derive/derived_row.h"

namespace reveal::derive {
namespace {

using model::Scope;
using model::Subsystem;
using Inputs = std::string_view;
using Values = std::span<const double>;

constexpr std::string_view kTurbostat = "https://man7.org/linux/man-pages/man8/turbostat.8.html";
constexpr std::string_view kPerfStat = "https://man7.org/linux/man-pages/man1/perf-stat.1.html";
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A clock that stood still divides nothing: undefined, not zero.
double ratio(Values v) {
  return v[1] > 0.0 ? v[0] / v[1] : kNan;
}
double scaled(Values v) {
  return v[2] > 0.0 ? v[0] * v[1] / v[2] : kNan;
}
double identity(Values v) {
  return v[0];
}
double per_thousand(Values v) {
  return v[1] > 0.0 ? 1000.0 * v[0] / v[1] : kNan;
}
double part(Values v) {
  return v[0] + v[1] > 0.0 ? v[0] / (v[0] + v[1]) : kNan;
}
double add(Values v) {
  return std::accumulate(v.begin(), v.end(), 0.0);
}
double mean(Values v) {
  return add(v) / static_cast<double>(v.size());
}

template <std::size_t N>
constexpr DerivedMetric derived(const model::MetricDescriptor& descriptor,
                                const std::array<Inputs, N>& inputs, double (*compute)(Values)) {
  return {descriptor, inputs, Shape::kPerInstance, compute};
}

constexpr std::array<Inputs, 2> kOfCpuUnhaltedRatio{"cpu_mperf_cycles_total",
                                                    "cpu_tsc_cycles_total"};
constexpr std::array<Inputs, 3> kOfCpuBusyFrequencyHertz{
    "cpu_tsc_cycles_total", "cpu_aperf_cycles_total", "cpu_mperf_cycles_total"};
constexpr std::array<Inputs, 1> kOfCpuAverageFrequencyHertz{"cpu_aperf_cycles_total"};
constexpr std::array<Inputs, 1> kOfCpuTscHertz{"cpu_tsc_cycles_total"};
constexpr std::array<Inputs, 2> kOfCpuProductiveRatio{"cpu_pperf_cycles_total",
                                                      "cpu_aperf_cycles_total"};
constexpr std::array<Inputs, 2> kOfCpuIpcRatio{"cpu_instructions_total", "cpu_cycles_total"};
constexpr std::array<Inputs, 2> kOfCpuBranchMissRatio{"cpu_branch_misses_total",
                                                      "cpu_branches_total"};
constexpr std::array<Inputs, 2> kOfMemoryCacheMissRatio{"memory_cache_misses_total",
                                                        "memory_cache_references_total"};
constexpr std::array<Inputs, 2> kOfMemoryCacheMissesPer1000Instructions{"memory_cache_misses_total",
                                                                        "cpu_instructions_total"};
constexpr std::array<Inputs, 2> kOfMemoryL3StallRatio{"memory_l3_stall_cycles_total",
                                                      "cpu_turn_cycles_total"};
constexpr std::array<Inputs, 2> kOfCpuStallRatio{"cpu_stall_cycles_total", "cpu_turn_cycles_total"};
constexpr std::array<Inputs, 2> kOfCpuFrontendStallRatio{"cpu_frontend_stall_cycles_total",
                                                         "cpu_turn_cycles_total"};
constexpr std::array<Inputs, 2> kOfCpuBackendStallRatio{"cpu_backend_stall_cycles_total",
                                                        "cpu_turn_cycles_total"};
constexpr std::array<Inputs, 2> kOfMemoryBackendStallRatio{"memory_backend_stall_cycles_total",
                                                           "cpu_turn_cycles_total"};
constexpr std::array<Inputs, 2> kOfMemoryOffcoreOccupancyRatio{
    "memory_offcore_reads_outstanding_total", "cpu_turn_cycles_total"};
constexpr std::array<Inputs, 2> kOfMemoryRemoteDramRatio{"memory_remote_dram_loads_total",
                                                         "memory_local_dram_loads_total"};
constexpr std::array<Inputs, 2> kOfMemoryRemoteFillRatio{"memory_remote_dram_fills_total",
                                                         "memory_local_dram_fills_total"};
constexpr std::array<Inputs, 2> kOfCpuCoreC1Ratio{"cpu_core_c1_cycles_total",
                                                  "cpu_tsc_cycles_total"};
constexpr std::array<Inputs, 2> kOfCpuCoreC3Ratio{"cpu_core_c3_cycles_total",
                                                  "cpu_tsc_cycles_total"};
constexpr std::array<Inputs, 2> kOfCpuCoreC6Ratio{"cpu_core_c6_cycles_total",
                                                  "cpu_tsc_cycles_total"};
constexpr std::array<Inputs, 2> kOfCpuCoreC7Ratio{"cpu_core_c7_cycles_total",
                                                  "cpu_tsc_cycles_total"};
constexpr std::array<Inputs, 2> kOfCpuPackageC2Ratio{"cpu_package_c2_cycles_total",
                                                     "cpu_package_tsc_cycles_total"};
constexpr std::array<Inputs, 2> kOfCpuPackageC3Ratio{"cpu_package_c3_cycles_total",
                                                     "cpu_package_tsc_cycles_total"};
constexpr std::array<Inputs, 2> kOfCpuPackageC6Ratio{"cpu_package_c6_cycles_total",
                                                     "cpu_package_tsc_cycles_total"};
constexpr std::array<Inputs, 2> kOfCpuPackageC7Ratio{"cpu_package_c7_cycles_total",
                                                     "cpu_package_tsc_cycles_total"};
constexpr std::array<Inputs, 1> kOfCpuPackagePowerWatts{"cpu_package_energy_joules_total"};
constexpr std::array<Inputs, 1> kOfCpuCoresPowerWatts{"cpu_cores_energy_joules_total"};
constexpr std::array<Inputs, 1> kOfMemoryDramPowerWatts{"memory_dram_energy_joules_total"};
constexpr std::array<Inputs, 1> kOfCpuPlatformPowerWatts{"cpu_platform_energy_joules_total"};
constexpr std::array<Inputs, 2> kOfMemoryDramBandwidthBytesPerSecond{
    "memory_dram_read_bytes_total", "memory_dram_written_bytes_total"};
constexpr std::array<Inputs, 2> kOfMemoryUmcBandwidthBytesPerSecond{
    "memory_umc_read_bytes_total", "memory_umc_written_bytes_total"};
constexpr std::array<Inputs, 8> kOfMemoryDramChannelsBandwidthBytesPerSecond{
    "memory_dram_channel_0_bytes_total", "memory_dram_channel_1_bytes_total",
    "memory_dram_channel_2_bytes_total", "memory_dram_channel_3_bytes_total",
    "memory_dram_channel_4_bytes_total", "memory_dram_channel_5_bytes_total",
    "memory_dram_channel_6_bytes_total", "memory_dram_channel_7_bytes_total"};

constexpr std::array<Inputs, 1> kOfCpuHostBusyFrequencyHertz{"cpu_busy_frequency_hertz"};
constexpr std::array<Inputs, 1> kOfCpuHostFrequencyHertz{"cpu_frequency_hertz"};

constexpr std::array kRows{
    derived(derived_row("cpu_unhalted_ratio", "Time not halted", "ratio", Subsystem::kCpu,
                        Scope::kCore, "derived: mperf / tsc", "Busy%", kTurbostat,
                        "Share of time in which the core was not idle, by its own clocks.", 10),
            kOfCpuUnhaltedRatio, ratio),
    derived(derived_row("cpu_busy_frequency_hertz", "Frequency while busy", "hertz",
                        Subsystem::kCpu, Scope::kCore, "derived: tsc * aperf / mperf", "Bzy_MHz",
                        kTurbostat, "Mean frequency of the core while it was not idle.", 10),
            kOfCpuBusyFrequencyHertz, scaled),
    DerivedMetric{
        derived_row("cpu_host_busy_frequency_hertz", "Frequency of all cores while busy", "hertz",
                    Subsystem::kCpu, Scope::kHost,
                    "derived: mean of cpu_busy_frequency_hertz over cores", "", kTurbostat,
                    "Mean over the cores of their frequency while not idle.", 15),
        kOfCpuHostBusyFrequencyHertz, Shape::kAcrossInstances, mean},
    DerivedMetric{
        derived_row("cpu_host_frequency_hertz", "Frequency of all cores", "hertz", Subsystem::kCpu,
                    Scope::kHost, "derived: mean of cpu_frequency_hertz over cores", "",
                    "https://docs.kernel.org/admin-guide/pm/cpufreq.html",
                    "Mean over the cores of their frequency as the driver knows it.", 25),
        kOfCpuHostFrequencyHertz, Shape::kAcrossInstances, mean},
    derived(derived_row("cpu_average_frequency_hertz", "Mean frequency", "hertz", Subsystem::kCpu,
                        Scope::kCore, "derived: aperf per second", "Avg_MHz", kTurbostat,
                        "Mean frequency of the core, idle time counted as none.", 40),
            kOfCpuAverageFrequencyHertz, identity),
    derived(derived_row(
                "cpu_tsc_hertz", "Time stamp counter rate", "hertz", Subsystem::kCpu, Scope::kCore,
                "derived: tsc per second", "TSC_MHz", kTurbostat,
                "Rate of the constant clock; a change means that time itself was disturbed.", 120),
            kOfCpuTscHertz, identity),
    derived(
        derived_row("cpu_productive_ratio", "Productive share of busy cycles", "ratio",
                    Subsystem::kCpu, Scope::kCore, "derived: pperf / aperf", "", kTurbostat,
                    "Share of the busy cycles in which the core was not stalled for memory.", 40),
        kOfCpuProductiveRatio, ratio),
    derived(derived_row("cpu_ipc_ratio", "Instructions per cycle", "ratio", Subsystem::kCpu,
                        Scope::kCore, "derived: instructions / cycles", "IPC", kPerfStat,
                        "Instructions that the core completed per cycle.", 10),
            kOfCpuIpcRatio, ratio),
    derived(derived_row("cpu_branch_miss_ratio", "Branch miss share", "ratio", Subsystem::kCpu,
                        Scope::kCore, "derived: branch-misses / branches", "branch-miss-rate",
                        kPerfStat, "Share of branches that were mispredicted.", 20),
            kOfCpuBranchMissRatio, ratio),
    derived(derived_row("memory_cache_miss_ratio", "Last-level cache miss share", "ratio",
                        Subsystem::kMemory, Scope::kCore,
                        "derived: cache-misses / cache-references", "cache-miss-rate", kPerfStat,
                        "Share of accesses to the last cache that missed it.", 20),
            kOfMemoryCacheMissRatio, ratio),
    derived(derived_row("memory_cache_misses_per_1000_instructions",
                        "Last-level cache misses per 1000 instructions", "misses/1000 instructions",
                        Subsystem::kMemory, Scope::kCore,
                        "derived: 1000 * cache-misses / instructions", "MPKI", kPerfStat,
                        "How often a thousand instructions missed the last cache.", 20),
            kOfMemoryCacheMissesPer1000Instructions, per_thousand),
    derived(derived_row("memory_l3_stall_ratio", "L3 miss stall share", "ratio", Subsystem::kMemory,
                        Scope::kCore, "derived: stalls_l3_miss / cycles", "L3 stall ratio",
                        kPerfStat, "Share of cycles in which the core waited for memory.", 10),
            kOfMemoryL3StallRatio, ratio),
    derived(derived_row("cpu_stall_ratio", "Stall share", "ratio", Subsystem::kCpu, Scope::kCore,
                        "derived: stalls_total / cycles", "StallRatio", kPerfStat,
                        "Share of cycles in which the core executed nothing.", 10),
            kOfCpuStallRatio, ratio),
    derived(
        derived_row(
            "cpu_frontend_stall_ratio", "Frontend stall share", "ratio", Subsystem::kCpu,
            Scope::kCore, "derived: stalled-cycles-frontend / cycles", "frontend cycles idle",
            kPerfStat,
            "Share of cycles in which an AMD, Arm or RISC-V core got no instruction to run.", 20),
        kOfCpuFrontendStallRatio, ratio),
    derived(
        derived_row(
            "cpu_backend_stall_ratio", "Backend stall share", "ratio", Subsystem::kCpu,
            Scope::kCore, "derived: stalled-cycles-backend / cycles", "backend cycles idle",
            kPerfStat,
            "Share of cycles in which instructions of an AMD (Zen 1), Arm or RISC-V core waited "
            "for memory or units.",
            10),
        kOfCpuBackendStallRatio, ratio),
    derived(derived_row("memory_backend_stall_ratio", "Memory stall share", "ratio",
                        Subsystem::kMemory, Scope::kCore, "derived: stall_backend_mem / cycles", "",
                        kPerfStat, "Share of cycles in which an Arm core waited for memory.", 10),
            kOfMemoryBackendStallRatio, ratio),
    derived(derived_row("memory_offcore_occupancy_ratio", "Outstanding reads per cycle", "ratio",
                        Subsystem::kMemory, Scope::kCore,
                        "derived: offcore reads outstanding / cycles", "OccupancyRatio", kPerfStat,
                        "Mean number of reads that waited outside the core.", 20),
            kOfMemoryOffcoreOccupancyRatio, ratio),
    derived(derived_row("memory_remote_dram_ratio", "Remote DRAM share of loads", "ratio",
                        Subsystem::kMemory, Scope::kCore,
                        "derived: remote / (local + remote) DRAM loads", "", kPerfStat,
                        "Share of the loads from memory that another socket answered.", 10),
            kOfMemoryRemoteDramRatio, part),
    derived(derived_row("memory_remote_fill_ratio", "Remote DRAM share of fills", "ratio",
                        Subsystem::kMemory, Scope::kCore,
                        "derived: remote / (local + remote) DRAM fills", "", kPerfStat,
                        "Share of the fills from memory that another node answered.", 10),
            kOfMemoryRemoteFillRatio, part),
    derived(derived_row("cpu_core_c1_ratio", "Time in core idle state C1", "ratio", Subsystem::kCpu,
                        Scope::kCore, "derived: c1-residency / tsc", "CPU%c1", kTurbostat,
                        "Share of time that the core spent in C1.", 60),
            kOfCpuCoreC1Ratio, ratio),
    derived(derived_row("cpu_core_c3_ratio", "Time in core idle state C3", "ratio", Subsystem::kCpu,
                        Scope::kCore, "derived: c3-residency / tsc", "CPU%c3", kTurbostat,
                        "Share of time that the core spent in C3.", 60),
            kOfCpuCoreC3Ratio, ratio),
    derived(derived_row("cpu_core_c6_ratio", "Time in core idle state C6", "ratio", Subsystem::kCpu,
                        Scope::kCore, "derived: c6-residency / tsc", "CPU%c6", kTurbostat,
                        "Share of time that the core spent in C6.", 20),
            kOfCpuCoreC6Ratio, ratio),
    derived(derived_row("cpu_core_c7_ratio", "Time in core idle state C7", "ratio", Subsystem::kCpu,
                        Scope::kCore, "derived: c7-residency / tsc", "CPU%c7", kTurbostat,
                        "Share of time that the core spent in C7.", 60),
            kOfCpuCoreC7Ratio, ratio),
    derived(derived_row("cpu_package_c2_ratio", "Time in package idle state PC2", "ratio",
                        Subsystem::kCpu, Scope::kDevice, "derived: package c2-residency / tsc",
                        "Pkg%pc2", kTurbostat, "Share of time that the whole package spent in PC2.",
                        60),
            kOfCpuPackageC2Ratio, ratio),
    derived(derived_row("cpu_package_c3_ratio", "Time in package idle state PC3", "ratio",
                        Subsystem::kCpu, Scope::kDevice, "derived: package c3-residency / tsc",
                        "Pkg%pc3", kTurbostat, "Share of time that the whole package spent in PC3.",
                        60),
            kOfCpuPackageC3Ratio, ratio),
    derived(derived_row("cpu_package_c6_ratio", "Time in package idle state PC6", "ratio",
                        Subsystem::kCpu, Scope::kDevice, "derived: package c6-residency / tsc",
                        "Pkg%pc6", kTurbostat, "Share of time that the whole package spent in PC6.",
                        20),
            kOfCpuPackageC6Ratio, ratio),
    derived(derived_row("cpu_package_c7_ratio", "Time in package idle state PC7", "ratio",
                        Subsystem::kCpu, Scope::kDevice, "derived: package c7-residency / tsc",
                        "Pkg%pc7", kTurbostat, "Share of time that the whole package spent in PC7.",
                        60),
            kOfCpuPackageC7Ratio, ratio),
    derived(derived_row("cpu_package_power_watts", "Package power", "watts", Subsystem::kCpu,
                        Scope::kDevice, "derived: energy per second", "PkgWatt", kTurbostat,
                        "Mean power, from the energy that was counted.", 10),
            kOfCpuPackagePowerWatts, identity),
    derived(derived_row("cpu_cores_power_watts", "Cores' power", "watts", Subsystem::kCpu,
                        Scope::kDevice, "derived: energy per second", "CorWatt", kTurbostat,
                        "Mean power, from the energy that was counted.", 50),
            kOfCpuCoresPowerWatts, identity),
    derived(derived_row("memory_dram_power_watts", "DRAM power", "watts", Subsystem::kMemory,
                        Scope::kDevice, "derived: energy per second", "RAMWatt", kTurbostat,
                        "Mean power, from the energy that was counted.", 20),
            kOfMemoryDramPowerWatts, identity),
    derived(derived_row("cpu_platform_power_watts", "Platform power", "watts", Subsystem::kCpu,
                        Scope::kDevice, "derived: energy per second", "SysWatt", kTurbostat,
                        "Mean power, from the energy that was counted.", 50),
            kOfCpuPlatformPowerWatts, identity),
    derived(derived_row("memory_dram_bandwidth_bytes_per_second", "DRAM bandwidth", "bytes/s",
                        Subsystem::kMemory, Scope::kDevice,
                        "derived: bytes read and written per second", "", kPerfStat,
                        "Bytes that the package's memory controllers moved.", 10),
            kOfMemoryDramBandwidthBytesPerSecond, add),
    derived(
        derived_row("memory_umc_bandwidth_bytes_per_second", "DRAM bandwidth of AMD controllers",
                    "bytes/s", Subsystem::kMemory, Scope::kDevice,
                    "derived: bytes read and written per second by amd_umc", "", kPerfStat,
                    "Bytes that the package's memory controllers moved (Zen 4).", 10),
        kOfMemoryUmcBandwidthBytesPerSecond, add),
    derived(derived_row("memory_dram_channels_bandwidth_bytes_per_second",
                        "DRAM bandwidth of AMD channels", "bytes/s", Subsystem::kMemory,
                        Scope::kDevice, "derived: bytes moved per second by amd_df", "", kPerfStat,
                        "Bytes that the package's memory channels moved (Zen 1 to Zen 3).", 10),
            kOfMemoryDramChannelsBandwidthBytesPerSecond, add),
};

}  // namespace

std::span<const DerivedMetric> derived_perf_metrics() {
  return kRows;
}

}  // namespace reveal::derive
