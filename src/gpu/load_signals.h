// What a GPU does: the rows on its load, its processes and, if the chip can tell, on its units.
#pragma once

#include "gpu/signal_row.h"

namespace reveal::gpu {

inline constexpr double kMaxMemory = 1e15;  // bytes

constexpr Signal video(Cadence cadence, Call call, VideoPart part, std::string_view source,
                       std::string_view alias, std::string_view unit, std::string_view name,
                       std::string_view label, std::string_view help) {
  return at_most(1e9, row(cadence, call, part, source, alias, unit, name, label, help, 150));
}

// The library counts microseconds.
constexpr Signal latency(Signal out) {
  out.scale = 1e-6;
  return out;
}

inline constexpr Signal kLoad[] = {
    percent(row(kFast, kUtilization, 0, "nvml nvmlDeviceGetUtilizationRates gpu", "utilization.gpu",
                "ratio", "gpu_busy_ratio", "GPU utilization",
                "Share of time with a kernel on the GPU, which the driver averages over a sixth of "
                "a second to a second.",
                10)),
    percent(row(kFast, kUtilization, 1, "nvml nvmlDeviceGetUtilizationRates memory",
                "utilization.memory", "ratio", "gpu_memory_busy_ratio", "GPU memory utilization",
                "Share of time in which GPU memory was read or written.", 15)),
    at_most(kMaxMemory,
            row(kMedium, kMemory, 3, "nvml nvmlDeviceGetMemoryInfo used", "memory.used", "bytes",
                "gpu_memory_used_bytes", "Used GPU memory", "GPU memory that programs hold.", 15)),
    at_most(kMaxMemory,
            row(kMedium, kMemory, 2, "nvml nvmlDeviceGetMemoryInfo free", "memory.free", "bytes",
                "gpu_memory_free_bytes", "Free GPU memory", "GPU memory that nobody holds.")),
    at_most(kMaxMemory,
            row(kSlow, kMemory, 1, "nvml nvmlDeviceGetMemoryInfo_v2 reserved", "memory.reserved",
                "bytes", "gpu_memory_reserved_bytes", "Reserved GPU memory",
                "GPU memory that driver and firmware keep for themselves.")),
    at_most(kMaxMemory, fact(row(kSlow, kMemory, 0, "nvml nvmlDeviceGetMemoryInfo total",
                                 "memory.total", "bytes", "gpu_memory_installed_bytes",
                                 "Installed GPU memory", "GPU memory that there is."))),
    at_most(kMaxMemory, row(kSlow, kBar1, 0, "nvml nvmlDeviceGetBAR1MemoryInfo bar1Used",
                            "bar1.used", "bytes", "gpu_bar1_used_bytes", "Used BAR1 space",
                            "Part of the PCIe window that is mapped, for example for RDMA.")),
    megahertz(row(kFast, kClock, 1, "nvml nvmlDeviceGetClockInfo SM", "clocks.sm", "hertz",
                  "gpu_sm_clock_hertz", "GPU clock", "Clock of the streaming multiprocessors.",
                  10)),
    megahertz(row(kMedium, kClock, 2, "nvml nvmlDeviceGetClockInfo MEM", "clocks.mem", "hertz",
                  "gpu_memory_clock_hertz", "GPU memory clock", "Clock of the GPU's memory.", 20)),
    megahertz(row(kMedium, kClock, 0, "nvml nvmlDeviceGetClockInfo GRAPHICS", "clocks.gr", "hertz",
                  "gpu_graphics_clock_hertz", "Graphics clock", "Clock of the graphics engine.")),
    megahertz(row(kSlow, kClock, 3, "nvml nvmlDeviceGetClockInfo VIDEO", "clocks.video", "hertz",
                  "gpu_video_clock_hertz", "Video clock", "Clock of the video engines.", 150)),
    megahertz(fact(row(kSlow, kMaxClock, 1, "nvml nvmlDeviceGetMaxClockInfo SM", "clocks.max.sm",
                       "hertz", "gpu_sm_clock_limit_hertz", "Highest GPU clock",
                       "Highest clock that the chip may run at."))),
    megahertz(fact(row(kSlow, kApplicationClock, 0, "nvml nvmlDeviceGetApplicationsClock GRAPHICS",
                       "clocks.applications.gr", "hertz", "gpu_application_clock_hertz",
                       "Application clock", "Clock that was asked for on behalf of programs."))),
    percent(row(kMedium, kEncoder, 0, "nvml nvmlDeviceGetEncoderUtilization", "utilization.encoder",
                "ratio", "gpu_encoder_busy_ratio", "Encoder utilization",
                "Share of time in which video was encoded.")),
    percent(row(kMedium, kDecoder, 0, "nvml nvmlDeviceGetDecoderUtilization", "utilization.decoder",
                "ratio", "gpu_decoder_busy_ratio", "Decoder utilization",
                "Share of time in which video was decoded.")),
    percent(row(kSlow, kJpeg, 0, "nvml nvmlDeviceGetJpgUtilization", "utilization.jpeg", "ratio",
                "gpu_jpeg_busy_ratio", "JPEG decoder utilization",
                "Share of time in which images were decoded.", 150)),
    percent(row(kSlow, kOpticalFlow, 0, "nvml nvmlDeviceGetOfaUtilization", "utilization.ofa",
                "ratio", "gpu_optical_flow_busy_ratio", "Optical flow utilization",
                "Share of time in which the optical flow engine worked.", 150)),
    video(kMedium, kEncoding, kSessions, "nvml nvmlDeviceGetEncoderStats sessionCount",
          "encoder.stats.sessionCount", "sessions", "gpu_encoder_sessions", "Encoder sessions",
          "Sessions in which video is being encoded."),
    video(kMedium, kEncoding, kFrames, "nvml nvmlDeviceGetEncoderStats averageFps",
          "encoder.stats.averageFps", "frames/s", "gpu_encoder_frames_per_second",
          "Encoded frames a second", "Frames a second of all encoder sessions, over a second."),
    latency(video(kMedium, kEncoding, kLatency, "nvml nvmlDeviceGetEncoderStats averageLatency",
                  "encoder.stats.averageLatency", "seconds", "gpu_encoder_latency_seconds",
                  "Encoder latency", "Mean time that the encoder takes for a frame.")),
    video(kSlow, kCapture, kSessions, "nvml nvmlDeviceGetFBCStats sessionsCount",
          "fbc.stats.sessionCount", "sessions", "gpu_capture_sessions", "Frame capture sessions",
          "Sessions in which the frame buffer is captured."),
    video(kSlow, kCapture, kFrames, "nvml nvmlDeviceGetFBCStats averageFPS", "fbc.stats.averageFps",
          "frames/s", "gpu_capture_frames_per_second", "Captured frames a second",
          "Frames a second of all capture sessions, over a second."),
    latency(video(kSlow, kCapture, kLatency, "nvml nvmlDeviceGetFBCStats averageLatency",
                  "fbc.stats.averageLatency", "seconds", "gpu_capture_latency_seconds",
                  "Frame capture latency", "Mean time that a captured frame takes.")),
    at_most(1e6, row(kMedium, kProcesses, 0, "nvml nvmlDeviceGetComputeRunningProcesses count",
                     "compute_procs", "processes", "gpu_compute_processes", "GPU processes",
                     "Processes with a compute context on the GPU.", 60)),
    at_most(kMaxMemory,
            row(kMedium, kProcesses, 1, "nvml nvmlDeviceGetComputeRunningProcesses usedGpuMemory",
                "used_gpu_memory", "bytes", "gpu_process_memory_bytes", "GPU memory of processes",
                "GPU memory of all compute processes together.", 60)),
    percent(row(kSlow, kProcessShares, 0, "nvml nvmlDeviceGetProcessUtilization smUtil", "sm_util",
                "ratio", "gpu_process_sm_busy_ratio", "SM utilization of processes",
                "Share of SM time of all processes together, by the driver's samples.", 100)),
};

constexpr Signal gpm_share(unsigned metric, std::string_view source, std::string_view alias,
                           std::string_view name, std::string_view label, std::string_view help,
                           std::int16_t rank = 30, Cadence cadence = kMedium) {
  return share(row(cadence, kGpm, metric, source, alias, "ratio", name, label, help, rank));
}

constexpr Signal gpm_rate(unsigned metric, std::string_view source, std::string_view alias,
                          std::string_view name, std::string_view label, std::string_view help,
                          Cadence cadence = kFast, std::int16_t rank = 40) {
  return mebibytes_per_second(
      row(cadence, kGpm, metric, source, alias, "bytes/s", name, label, help, rank));
}

inline constexpr Signal kGpmSignals[] = {
    gpm_share(2, "nvml_gpm 2 SM_UTIL", "sm_util", "gpu_sm_busy_ratio", "SM utilization",
              "Share of SMs with at least one warp, between two samples.", 12, kFast),
    gpm_share(3, "nvml_gpm 3 SM_OCCUPANCY", "sm_occupancy", "gpu_sm_occupancy_ratio",
              "SM occupancy", "Warps on the SMs, of the most that fit.", 15),
    gpm_share(1, "nvml_gpm 1 GRAPHICS_UTIL", "graphics_util", "gpu_graphics_busy_ratio",
              "Graphics engine utilization", "Share of time with any program on the GPU.", 60),
    gpm_share(5, "nvml_gpm 5 ANY_TENSOR_UTIL", "tensor_util", "gpu_tensor_busy_ratio",
              "Tensor core utilization", "Share of time in which tensor cores worked.", 12, kFast),
    gpm_share(10, "nvml_gpm 10 DRAM_BW_UTIL", "dram_bw_util", "gpu_dram_bandwidth_ratio",
              "GPU memory bandwidth", "Memory bandwidth used, of the highest.", 12, kFast),
    gpm_share(11, "nvml_gpm 11 FP64_UTIL", "fp64_util", "gpu_fp64_busy_ratio", "FP64 utilization",
              "Share of time in which FP64 units worked, tensor cores apart."),
    gpm_share(12, "nvml_gpm 12 FP32_UTIL", "fp32_util", "gpu_fp32_busy_ratio", "FP32 utilization",
              "Share of time in which FP32 units worked, tensor cores apart."),
    gpm_share(13, "nvml_gpm 13 FP16_UTIL", "fp16_util", "gpu_fp16_busy_ratio", "FP16 utilization",
              "Share of time in which FP16 units worked, tensor cores apart."),
    gpm_share(4, "nvml_gpm 4 INTEGER_UTIL", "integer_util", "gpu_integer_busy_ratio",
              "Integer utilization", "Share of time in which integer units worked."),
    gpm_rate(20, "nvml_gpm 20 PCIE_TX_PER_SEC", "pcie_tx_per_sec", "gpu_pcie_sent_bytes_per_second",
             "GPU PCIe send rate", "Rate at which the GPU sends over PCIe."),
    gpm_rate(21, "nvml_gpm 21 PCIE_RX_PER_SEC", "pcie_rx_per_sec",
             "gpu_pcie_received_bytes_per_second", "GPU PCIe receive rate",
             "Rate at which the GPU receives over PCIe."),
    gpm_rate(61, "nvml_gpm 61 NVLINK_TOTAL_TX_PER_SEC", "nvlink_tx_per_sec",
             "gpu_nvlink_sent_bytes_per_second", "NVLink send rate",
             "Rate at which the GPU sends over all NVLinks."),
    gpm_rate(60, "nvml_gpm 60 NVLINK_TOTAL_RX_PER_SEC", "nvlink_rx_per_sec",
             "gpu_nvlink_received_bytes_per_second", "NVLink receive rate",
             "Rate at which the GPU receives over all NVLinks."),
    gpm_rate(100, "nvml_gpm 100 C2C_TOTAL_TX_PER_SEC", "c2c_tx_per_sec",
             "gpu_c2c_sent_bytes_per_second", "Chip-to-chip send rate",
             "Rate at which the GPU sends to its own CPU chip.", kMedium),
    gpm_rate(101, "nvml_gpm 101 C2C_TOTAL_RX_PER_SEC", "c2c_rx_per_sec",
             "gpu_c2c_received_bytes_per_second", "Chip-to-chip receive rate",
             "Rate at which the GPU receives from its own CPU chip.", kMedium),
};

}  // namespace reveal::gpu
