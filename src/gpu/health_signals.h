// How a GPU fares: the rows on clocks and what holds them down, power, heat and memory errors.
#pragma once

#include "gpu/signal_row.h"

namespace reveal::gpu {

constexpr Signal throttle(unsigned bit, std::string_view source, std::string_view alias,
                          std::string_view metric, std::string_view label, std::string_view help,
                          std::int16_t rank = 20) {
  return flag(row(kMedium, kThrottle, bit, source, alias, "flag", metric, label, help, rank));
}

constexpr Signal held(unsigned field, std::string_view source, std::string_view alias,
                      std::string_view metric, std::string_view label, std::string_view help,
                      std::int16_t rank = 30) {
  return nanoseconds(
      row(kMedium, kField, field, source, alias, "seconds", metric, label, help, rank));
}

inline constexpr Signal kClocks[] = {
    throttle(0x1, "nvml clocks event reason GpuIdle", "clocks_event_reasons.gpu_idle",
             "gpu_clock_idle_active", "GPU idle clocks",
             "1 while clocks are low because nothing runs.", 80),
    throttle(0x2, "nvml clocks event reason ApplicationsClocksSetting",
             "clocks_event_reasons.applications_clocks_setting", "gpu_clock_setting_active",
             "GPU clocks held by setting", "1 while the clock is held at the one that was set.",
             60),
    throttle(0x4, "nvml clocks event reason SwPowerCap", "clocks_event_reasons.sw_power_cap",
             "gpu_throttle_power_cap_active", "GPU throttled by power cap",
             "1 while the clock is lowered to stay below the power limit."),
    throttle(0x8, "nvml clocks event reason HwSlowdown", "clocks_event_reasons.hw_slowdown",
             "gpu_throttle_hardware_active", "GPU throttled by hardware",
             "1 while hardware halves the clock or more, for heat or power.", 10),
    throttle(0x10, "nvml clocks event reason SyncBoost", "clocks_event_reasons.sync_boost",
             "gpu_throttle_sync_boost_active", "GPU throttled by its group",
             "1 while the clock follows a slower GPU of the same group."),
    throttle(0x20, "nvml clocks event reason SwThermalSlowdown",
             "clocks_event_reasons.sw_thermal_slowdown", "gpu_throttle_heat_active",
             "GPU throttled by heat", "1 while the driver lowers the clock for heat."),
    throttle(0x40, "nvml clocks event reason HwThermalSlowdown",
             "clocks_event_reasons.hw_thermal_slowdown", "gpu_throttle_hardware_heat_active",
             "GPU throttled by heat in hardware", "1 while hardware lowers the clock for heat.",
             10),
    throttle(0x80, "nvml clocks event reason HwPowerBrakeSlowdown",
             "clocks_event_reasons.hw_power_brake_slowdown", "gpu_throttle_power_brake_active",
             "GPU throttled by power brake",
             "1 while the power supply's brake signal lowers the clock.", 10),
    held(74, "nvml field 74 PERF_POLICY_POWER", "violation.power",
         "gpu_throttled_by_power_seconds_total", "Time throttled by power",
         "Time in which the power limit held the clock down.", 20),
    held(75, "nvml field 75 PERF_POLICY_THERMAL", "violation.thermal",
         "gpu_throttled_by_heat_seconds_total", "Time throttled by heat",
         "Time in which heat held the clock down.", 20),
    held(76, "nvml field 76 PERF_POLICY_SYNC_BOOST", "violation.sync_boost",
         "gpu_throttled_by_group_seconds_total", "Time throttled by the group",
         "Time in which a slower GPU of the group held the clock down."),
    held(77, "nvml field 77 PERF_POLICY_BOARD_LIMIT", "violation.board_limit",
         "gpu_throttled_by_board_seconds_total", "Time throttled by the board",
         "Time in which the board's voltage or current limit held the clock down."),
    held(78, "nvml field 78 PERF_POLICY_LOW_UTILIZATION", "violation.low_util",
         "gpu_clock_low_use_seconds_total", "Time at clocks of low use",
         "Time in which little use held the clock down.", 60),
    held(79, "nvml field 79 PERF_POLICY_RELIABILITY", "violation.reliability",
         "gpu_throttled_by_reliability_seconds_total", "Time throttled for reliability",
         "Time in which the board's reliability limit held the clock down."),
    held(80, "nvml field 80 PERF_POLICY_TOTAL_APP_CLOCKS", "violation.app_clocks",
         "gpu_below_application_clock_seconds_total", "Time below application clocks",
         "Time in which anything held the clock below the one for programs."),
    held(81, "nvml field 81 PERF_POLICY_TOTAL_BASE_CLOCKS", "violation.base_clocks",
         "gpu_below_base_clock_seconds_total", "Time below base clocks",
         "Time in which anything held the clock below the chip's base clock.", 20),
    at_most(15, row(kMedium, kPerformanceState, 0, "nvml nvmlDeviceGetPerformanceState", "pstate",
                    "state", "gpu_performance_state", "GPU performance state",
                    "Performance state, 0 the fastest and 15 the slowest.", 60)),
};

inline constexpr Signal kPowerAndHeat[] = {
    milliwatts(row(kFast, kField, 186, "nvml field 186 POWER_INSTANT", "power.draw.instant",
                   "watts", "gpu_power_watts", "GPU power", "Power that the board draws now.", 10)),
    milliwatts(row(kMedium, kPower, 0, "nvml nvmlDeviceGetPowerUsage", "power.draw", "watts",
                   "gpu_average_power_watts", "Average GPU power",
                   "Power that the board draws, since Ampere an average over a second.", 20)),
    milliwatts(fact(row(kSlow, kPowerLimit, 0, "nvml nvmlDeviceGetEnforcedPowerLimit",
                        "enforced.power.limit", "watts", "gpu_power_limit_watts", "GPU power limit",
                        "Power limit in force."))),
    milliwatts(fact(row(kSlow, kField, 189, "nvml field 189 POWER_DEFAULT_LIMIT",
                        "power.default_limit", "watts", "gpu_power_default_limit_watts",
                        "Default GPU power limit", "Power limit that the board starts with."))),
    // A call takes the driver 3 to 5 ms of a core: with every sweep that would be all the cost.
    counter(scaled(1e-3, 0,
                   row(kSlow, kEnergy, 0, "nvml nvmlDeviceGetTotalEnergyConsumption",
                       "total_energy_consumption", "joules", "gpu_energy_joules_total",
                       "GPU energy", "Energy used since the driver was loaded.", 15))),
    celsius(row(kMedium, kTemperature, 0, "nvml nvmlDeviceGetTemperature GPU", "temperature.gpu",
                "celsius", "gpu_temperature_celsius", "GPU temperature", "Temperature of the chip.",
                15)),
    celsius(row(kMedium, kField, 82, "nvml field 82 MEMORY_TEMP", "temperature.memory", "celsius",
                "gpu_memory_temperature_celsius", "GPU memory temperature",
                "Temperature of the GPU's memory.", 20)),
    real(celsius(row(kSlow, kMargin, 0, "nvml nvmlDeviceGetMarginTemperature",
                     "temperature.gpu.tlimit", "celsius", "gpu_temperature_margin_celsius",
                     "GPU temperature margin", "Degrees left before the clock is lowered.", 40))),
    celsius(
        fact(row(kSlow, kThreshold, 1, "nvml nvmlDeviceGetTemperatureThreshold SLOWDOWN",
                 "temperature.slowdown", "celsius", "gpu_slowdown_temperature_celsius",
                 "GPU slowdown temperature", "Temperature at which hardware lowers the clock."))),
    at_most(200, scaled(0.01, 200,
                        row(kSlow, kFan, 0, "nvml nvmlDeviceGetFanSpeed", "fan.speed", "ratio",
                            "gpu_fan_speed_ratio", "GPU fan speed",
                            "Speed that the fan is meant to have, of its highest.", 60))),
};

constexpr Signal ecc(Cadence cadence, unsigned field, std::string_view source,
                     std::string_view alias, std::string_view metric, std::string_view label,
                     std::string_view help, std::int16_t rank = 40) {
  return event(row(cadence, kField, field, source, alias, "errors", metric, label, help, rank));
}

constexpr Signal pages(Signal out) {
  out.unit = "pages";
  return out;
}
constexpr Signal rows(Signal out) {
  out.unit = "rows";
  return out;
}

inline constexpr Signal kMemoryErrors[] = {
    ecc(kMedium, 3, "nvml field 3 ECC_SBE_VOL_TOTAL", "ecc.errors.corrected.volatile.total",
        "gpu_ecc_corrected_volatile_errors_total", "Corrected GPU memory errors",
        "Single-bit errors since the driver was loaded.", 15),
    ecc(kMedium, 4, "nvml field 4 ECC_DBE_VOL_TOTAL", "ecc.errors.uncorrected.volatile.total",
        "gpu_ecc_uncorrected_volatile_errors_total", "Uncorrected GPU memory errors",
        "Double-bit errors since the driver was loaded.", 10),
    ecc(kMedium, 5, "nvml field 5 ECC_SBE_AGG_TOTAL", "ecc.errors.corrected.aggregate.total",
        "gpu_ecc_corrected_lifetime_errors_total", "Corrected GPU memory errors of a lifetime",
        "Single-bit errors over the life of the board."),
    ecc(kMedium, 6, "nvml field 6 ECC_DBE_AGG_TOTAL", "ecc.errors.uncorrected.aggregate.total",
        "gpu_ecc_uncorrected_lifetime_errors_total", "Uncorrected GPU memory errors of a lifetime",
        "Double-bit errors over the life of the board."),
    ecc(kSlow, 7, "nvml field 7 ECC_SBE_VOL_L1", "ecc.errors.corrected.volatile.l1_cache",
        "gpu_ecc_corrected_volatile_l1_errors_total", "Corrected L1 errors",
        "Single-bit errors of the L1 cache since the driver was loaded."),
    ecc(kSlow, 8, "nvml field 8 ECC_DBE_VOL_L1", "ecc.errors.uncorrected.volatile.l1_cache",
        "gpu_ecc_uncorrected_volatile_l1_errors_total", "Uncorrected L1 errors",
        "Double-bit errors of the L1 cache since the driver was loaded."),
    ecc(kSlow, 9, "nvml field 9 ECC_SBE_VOL_L2", "ecc.errors.corrected.volatile.l2_cache",
        "gpu_ecc_corrected_volatile_l2_errors_total", "Corrected L2 errors",
        "Single-bit errors of the L2 cache since the driver was loaded."),
    ecc(kSlow, 10, "nvml field 10 ECC_DBE_VOL_L2", "ecc.errors.uncorrected.volatile.l2_cache",
        "gpu_ecc_uncorrected_volatile_l2_errors_total", "Uncorrected L2 errors",
        "Double-bit errors of the L2 cache since the driver was loaded."),
    ecc(kSlow, 11, "nvml field 11 ECC_SBE_VOL_DEV", "ecc.errors.corrected.volatile.device_memory",
        "gpu_ecc_corrected_volatile_dram_errors_total", "Corrected GPU DRAM errors",
        "Single-bit errors of device memory since the driver was loaded."),
    ecc(kSlow, 12, "nvml field 12 ECC_DBE_VOL_DEV", "ecc.errors.uncorrected.volatile.device_memory",
        "gpu_ecc_uncorrected_volatile_dram_errors_total", "Uncorrected GPU DRAM errors",
        "Double-bit errors of device memory since the driver was loaded."),
    ecc(kSlow, 13, "nvml field 13 ECC_SBE_VOL_REG", "ecc.errors.corrected.volatile.register_file",
        "gpu_ecc_corrected_volatile_register_errors_total", "Corrected register errors",
        "Single-bit errors of the register file since the driver was loaded."),
    ecc(kSlow, 14, "nvml field 14 ECC_DBE_VOL_REG", "ecc.errors.uncorrected.volatile.register_file",
        "gpu_ecc_uncorrected_volatile_register_errors_total", "Uncorrected register errors",
        "Double-bit errors of the register file since the driver was loaded."),
    ecc(kSlow, 21, "nvml field 21 ECC_DBE_AGG_L2", "ecc.errors.uncorrected.aggregate.l2_cache",
        "gpu_ecc_uncorrected_lifetime_l2_errors_total", "Uncorrected L2 errors of a lifetime",
        "Double-bit errors of the L2 cache over the life of the board."),
    ecc(kSlow, 22, "nvml field 22 ECC_SBE_AGG_DEV", "ecc.errors.corrected.aggregate.device_memory",
        "gpu_ecc_corrected_lifetime_dram_errors_total", "Corrected GPU DRAM errors of a lifetime",
        "Single-bit errors of device memory over the life of the board."),
    ecc(kSlow, 23, "nvml field 23 ECC_DBE_AGG_DEV",
        "ecc.errors.uncorrected.aggregate.device_memory",
        "gpu_ecc_uncorrected_lifetime_dram_errors_total",
        "Uncorrected GPU DRAM errors of a lifetime",
        "Double-bit errors of device memory over the life of the board."),
    ecc(kSlow, 25, "nvml field 25 ECC_DBE_AGG_REG",
        "ecc.errors.uncorrected.aggregate.register_file",
        "gpu_ecc_uncorrected_lifetime_register_errors_total",
        "Uncorrected register errors of a lifetime",
        "Double-bit errors of the register file over the life of the board."),
    pages(ecc(kSlow, 29, "nvml field 29 RETIRED_SBE", "retired_pages.single_bit_ecc.count",
              "gpu_retired_single_bit_pages_total", "GPU pages retired for corrected errors",
              "Memory pages given up after several single-bit errors, before Ampere.", 30)),
    pages(ecc(kSlow, 30, "nvml field 30 RETIRED_DBE", "retired_pages.double_bit.count",
              "gpu_retired_double_bit_pages_total", "GPU pages retired for uncorrected errors",
              "Memory pages given up after a double-bit error, before Ampere.", 30)),
    flag(row(kSlow, kField, 31, "nvml field 31 RETIRED_PENDING", "retired_pages.pending", "flag",
             "gpu_retired_pages_pending_active", "GPU pages waiting to be retired",
             "1 while pages are to be given up with the next reboot.", 30)),
    rows(ecc(kSlow, 142, "nvml field 142 REMAPPED_COR", "remapped_rows.correctable",
             "gpu_remapped_corrected_rows_total", "GPU rows remapped for corrected errors",
             "Memory rows replaced by spare ones after single-bit errors.", 30)),
    rows(ecc(kSlow, 143, "nvml field 143 REMAPPED_UNC", "remapped_rows.uncorrectable",
             "gpu_remapped_uncorrected_rows_total", "GPU rows remapped for uncorrected errors",
             "Memory rows replaced by spare ones after double-bit errors.", 30)),
    flag(row(kSlow, kField, 144, "nvml field 144 REMAPPED_PENDING", "remapped_rows.pending", "flag",
             "gpu_remapped_rows_pending_active", "GPU rows waiting to be remapped",
             "1 while rows are to be replaced with the next reset.", 30)),
    flag(row(kSlow, kField, 145, "nvml field 145 REMAPPED_FAILURE", "remapped_rows.failure", "flag",
             "gpu_remapped_rows_failure_active", "Failed remapping of GPU rows",
             "1 when a row could not be replaced: the board is worn out.", 20)),
};

}  // namespace reveal::gpu
