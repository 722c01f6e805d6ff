"""Which number of nvidia-smi is which metric of Reveal, and how far the two may be apart.

Both ask the same library, at different moments and one of them through averages, so a number that moves may differ
by what it moves meanwhile.
"""

import dataclasses

MIB, MHZ = 1 << 20, 1e6
WORDS = {"enabled": 1.0, "disabled": 0.0, "active": 1.0, "not active": 0.0, "yes": 1.0, "no": 0.0,
         "default": 0.0, "prohibited": 2.0, "exclusive_process": 3.0,
         "not started": 1.0, "in progress": 2.0, "completed": 3.0}


@dataclasses.dataclass(frozen=True)
class Field:
    """The field's number times `scale` is the metric's, within `apart` (absolute) or `share` of the larger."""
    name: str
    metric: str
    scale: float = 1.0
    apart: float = 0.0
    share: float = 0.0
    raw_scale: float = 0.0  # of a counter, whose raw numbers are compared: what one of them is worth


def counter(name: str, metric: str, raw_scale: float = 1.0, scale: float = 1.0, apart: float = 0.0) -> Field:
    return Field(name, metric, scale=scale, raw_scale=raw_scale, apart=apart)


def reason(name: str, metric: str) -> Field:
    return Field(f"clocks_event_reasons.{name}", metric, apart=0.34)


LOAD = (
    Field("utilization.gpu", "gpu_busy_ratio", 0.01, apart=0.08),
    Field("utilization.memory", "gpu_memory_busy_ratio", 0.01, apart=0.08),
    Field("utilization.encoder", "gpu_encoder_busy_ratio", 0.01, apart=0.02),
    Field("utilization.decoder", "gpu_decoder_busy_ratio", 0.01, apart=0.02),
    Field("utilization.jpeg", "gpu_jpeg_busy_ratio", 0.01, apart=0.02),
    Field("utilization.ofa", "gpu_optical_flow_busy_ratio", 0.01, apart=0.02),
    Field("encoder.stats.sessionCount", "gpu_encoder_sessions"),
    Field("encoder.stats.averageFps", "gpu_encoder_frames_per_second", share=0.1),
    Field("encoder.stats.averageLatency", "gpu_encoder_latency_seconds", 1e-6, share=0.1),
    Field("memory.total", "gpu_memory_installed_bytes", MIB, apart=MIB),
    Field("memory.reserved", "gpu_memory_reserved_bytes", MIB, apart=MIB),
    Field("memory.used", "gpu_memory_used_bytes", MIB, apart=2 * MIB),
    Field("memory.free", "gpu_memory_free_bytes", MIB, apart=2 * MIB),
)

CLOCKS_AND_POWER = (
    Field("clocks.current.sm", "gpu_sm_clock_hertz", MHZ, share=0.03),
    Field("clocks.current.memory", "gpu_memory_clock_hertz", MHZ, share=0.01),
    Field("clocks.current.graphics", "gpu_graphics_clock_hertz", MHZ, share=0.03),
    Field("clocks.current.video", "gpu_video_clock_hertz", MHZ, share=0.05),
    Field("clocks.max.sm", "gpu_sm_clock_limit_hertz", MHZ),
    Field("clocks.applications.graphics", "gpu_application_clock_hertz", MHZ),
    reason("gpu_idle", "gpu_clock_idle_active"),
    reason("applications_clocks_setting", "gpu_clock_setting_active"),
    reason("sw_power_cap", "gpu_throttle_power_cap_active"),
    reason("hw_slowdown", "gpu_throttle_hardware_active"),
    reason("hw_thermal_slowdown", "gpu_throttle_hardware_heat_active"),
    reason("hw_power_brake_slowdown", "gpu_throttle_power_brake_active"),
    reason("sw_thermal_slowdown", "gpu_throttle_heat_active"),
    reason("sync_boost", "gpu_throttle_sync_boost_active"),
    counter("clocks_event_reasons_counters.sw_power_cap", "gpu_throttled_by_power_seconds_total", 1e-9, 1e-6, 1.5),
    counter("clocks_event_reasons_counters.sw_thermal_slowdown", "gpu_throttled_by_heat_seconds_total", 1e-9, 1e-6, 1.5),
    counter("clocks_event_reasons_counters.sync_boost", "gpu_throttled_by_group_seconds_total", 1e-9, 1e-6, 1.5),
    Field("pstate", "gpu_performance_state"),
    Field("power.draw.instant", "gpu_power_watts", apart=3, share=0.1),
    Field("power.draw.average", "gpu_average_power_watts", apart=3, share=0.06),
    Field("enforced.power.limit", "gpu_power_limit_watts", apart=0.01),
    Field("power.default_limit", "gpu_power_default_limit_watts", apart=0.01),
    Field("temperature.gpu", "gpu_temperature_celsius", apart=2),
    Field("temperature.memory", "gpu_memory_temperature_celsius", apart=2),
    Field("temperature.gpu.tlimit", "gpu_temperature_margin_celsius", apart=2),
    Field("fan.speed", "gpu_fan_speed_ratio", 0.01, apart=0.05),
)

STATE = (
    Field("pcie.link.gen.gpucurrent", "gpu_pcie_generation"),
    Field("pcie.link.gen.max", "gpu_pcie_generation_limit"),
    Field("pcie.link.width.current", "gpu_pcie_width_lanes"),
    Field("pcie.link.width.max", "gpu_pcie_width_limit_lanes"),
    Field("persistence_mode", "gpu_persistence_mode"),
    Field("compute_mode", "gpu_compute_mode"),
    Field("mig.mode.current", "gpu_mig_mode"),
    Field("mig.mode.pending", "gpu_mig_pending_mode"),
    Field("fabric.state", "gpu_fabric_state"),
    Field("ecc.mode.current", "gpu_ecc_mode"),
    counter("ecc.errors.corrected.volatile.total", "gpu_ecc_corrected_volatile_errors_total"),
    counter("ecc.errors.uncorrected.volatile.total", "gpu_ecc_uncorrected_volatile_errors_total"),
    counter("ecc.errors.corrected.aggregate.total", "gpu_ecc_corrected_lifetime_errors_total"),
    counter("ecc.errors.uncorrected.aggregate.total", "gpu_ecc_uncorrected_lifetime_errors_total"),
    counter("ecc.errors.corrected.volatile.dram", "gpu_ecc_corrected_volatile_dram_errors_total"),
    counter("ecc.errors.uncorrected.volatile.dram", "gpu_ecc_uncorrected_volatile_dram_errors_total"),
    counter("ecc.errors.corrected.aggregate.dram", "gpu_ecc_corrected_lifetime_dram_errors_total"),
    counter("ecc.errors.uncorrected.aggregate.dram", "gpu_ecc_uncorrected_lifetime_dram_errors_total"),
    counter("ecc.errors.corrected.volatile.sram", "gpu_ecc_corrected_volatile_sram_errors_total"),
    counter("ecc.errors.uncorrected.volatile.sram", "gpu_ecc_uncorrected_volatile_sram_errors_total"),
    counter("ecc.errors.corrected.aggregate.sram", "gpu_ecc_corrected_lifetime_sram_errors_total"),
    counter("ecc.errors.uncorrected.aggregate.sram", "gpu_ecc_uncorrected_lifetime_sram_errors_total"),
    counter("retired_pages.single_bit_ecc.count", "gpu_retired_single_bit_pages_total"),
    counter("retired_pages.double_bit.count", "gpu_retired_double_bit_pages_total"),
    Field("retired_pages.pending", "gpu_retired_pages_pending_active"),
    counter("remapped_rows.correctable", "gpu_remapped_corrected_rows_total"),
    counter("remapped_rows.uncorrectable", "gpu_remapped_uncorrected_rows_total"),
    Field("remapped_rows.pending", "gpu_remapped_rows_pending_active"),
    Field("remapped_rows.failure", "gpu_remapped_rows_failure_active"),
)

FIELDS = LOAD + CLOCKS_AND_POWER + STATE


def number(text: str) -> float | None:
    """What nvidia-smi printed as a number; nothing for [N/A] and the like."""
    word = text.strip().lower()
    if word in WORDS:
        return WORDS[word]
    if word.startswith("p") and word[1:].isdigit():
        return float(word[1:])
    if word.startswith("0x"):
        return float(int(word, 16))
    try:
        return float(word.split()[0])
    except (ValueError, IndexError):
        return None
