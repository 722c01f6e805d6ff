#include "derive/derived_gpu_metrics.h"

#include <algorithm>
#include <array>
#include <limits>

#include "derive/derived_row.h"

namespace reveal::derive {
namespace {

using Inputs = std::string_view;
using Values = std::span<const double>;

constexpr std::string_view kNvmlDoc =
    "https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceQueries.html";
constexpr std::string_view kAmdDoc = "https://docs.kernel.org/gpu/amdgpu/thermal.html";
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr std::array<Inputs, 1> kBusy{"gpu_busy_ratio"};
double spread(Values gpus) {
  if (gpus.size() < 2) return kNan;
  const auto [least, most] = std::minmax_element(gpus.begin(), gpus.end());
  return *most - *least;
}

constexpr std::array<Inputs, 1> kEnergy{"gpu_energy_joules_total"};
double identity(Values v) {
  return v[0];
}

constexpr std::array<Inputs, 2> kAmdPowerLimit{"gpu_amd_power_limit_ticks_total",
                                               "gpu_amd_firmware_ticks_total"};
// Several causes hold at once; a tick of each is not two.
constexpr std::array<Inputs, 5> kAmdHeat{
    "gpu_amd_prochot_ticks_total", "gpu_amd_socket_heat_ticks_total",
    "gpu_amd_regulator_heat_ticks_total", "gpu_amd_memory_heat_ticks_total",
    "gpu_amd_firmware_ticks_total"};
double largest_of_last(Values v) {
  return v.back() > 0.0 ? *std::max_element(v.begin(), v.end() - 1) / v.back() : kNan;
}

constexpr std::array kRows{
    DerivedMetric{
        derived_row("gpu_busy_spread_ratio", "Spread of GPU use", "ratio", model::Subsystem::kGpu,
                    model::Scope::kHost, "derived: largest less smallest gpu_busy_ratio", "",
                    kNvmlDoc, "How much busier the busiest GPU is than the idlest.", 20),
        kBusy, Shape::kAcrossInstances, spread},
    DerivedMetric{
        derived_row("gpu_metered_power_watts", "GPU power by its energy meter", "watts",
                    model::Subsystem::kGpu, model::Scope::kGpu,
                    "derived: total energy consumption per second", "", kNvmlDoc,
                    "Mean power since the reading before, from the energy that the GPU counted.",
                    40),
        kEnergy, Shape::kPerInstance, identity},
    DerivedMetric{
        derived_row("gpu_amd_power_limited_ratio", "AMD GPU time at the power limit", "ratio",
                    model::Subsystem::kGpu, model::Scope::kGpu,
                    "derived: ppt residency / accumulation counter", "PPT violation", kAmdDoc,
                    "Share of time in which the firmware lowered the clocks to stay below the "
                    "power limit (MI300).",
                    20),
        kAmdPowerLimit, Shape::kPerInstance, largest_of_last},
    DerivedMetric{
        derived_row("gpu_amd_heat_limited_ratio", "AMD GPU time slowed for heat", "ratio",
                    model::Subsystem::kGpu, model::Scope::kGpu,
                    "derived: largest of prochot, socket, vr and hbm residency / accumulation "
                    "counter",
                    "thermal violation", kAmdDoc,
                    "Share of time in which the firmware lowered the clocks because the GPU, its "
                    "memory, its regulators or the board was hot: of these the largest (MI300).",
                    10),
        kAmdHeat, Shape::kPerInstance, largest_of_last},
};

}  // namespace

std::span<const DerivedMetric> derived_gpu_metrics() {
  return kRows;
}

}  // namespace reveal::derive
