// How a GPU is connected and set up: the rows on PCIe, NVLink and state.
#pragma once

#include "gpu/signal_row.h"

namespace reveal::gpu {

constexpr Signal pcie(unsigned field, std::string_view source, std::string_view alias,
                      std::string_view metric, std::string_view label, std::string_view help,
                      std::int16_t rank = 50) {
  return event(row(kSlow, kField, field, source, alias, "errors", metric, label, help, rank));
}

// The driver has counters of 64 bits, but those of PCIe bytes are of type U32 and wrap.
constexpr Signal bytes(Signal out) {
  out.unit = "bytes";
  out.counter_bits = 32;
  return counter(out);
}

inline constexpr Signal kPcie[] = {
    at_most(16, row(kSlow, kPcieGeneration, 0, "nvml nvmlDeviceGetCurrPcieLinkGeneration",
                    "pcie.link.gen.current", "generation", "gpu_pcie_generation",
                    "GPU PCIe generation", "Generation that the PCIe link runs at now.", 30)),
    at_most(64, row(kSlow, kPcieWidth, 0, "nvml nvmlDeviceGetCurrPcieLinkWidth",
                    "pcie.link.width.current", "lanes", "gpu_pcie_width_lanes", "GPU PCIe width",
                    "Lanes that the PCIe link runs with now.", 20)),
    at_most(16, fact(row(kSlow, kMaxPcieGeneration, 0, "nvml nvmlDeviceGetMaxPcieLinkGeneration",
                         "pcie.link.gen.max", "generation", "gpu_pcie_generation_limit",
                         "Highest GPU PCIe generation", "Generation that GPU and slot can do."))),
    at_most(64, fact(row(kSlow, kMaxPcieWidth, 0, "nvml nvmlDeviceGetMaxPcieLinkWidth",
                         "pcie.link.width.max", "lanes", "gpu_pcie_width_limit_lanes",
                         "Highest GPU PCIe width", "Lanes that GPU and slot can do."))),
    bytes(row(kFast, kField, 197, "nvml field 197 PCIE_COUNT_TX_BYTES", "pcie_tx_bytes", "",
              "gpu_pcie_sent_bytes_total", "GPU PCIe sent bytes",
              "Bytes that the GPU sent over PCIe.", 20)),
    bytes(row(kFast, kField, 198, "nvml field 198 PCIE_COUNT_RX_BYTES", "pcie_rx_bytes", "",
              "gpu_pcie_received_bytes_total", "GPU PCIe received bytes",
              "Bytes that the GPU received over PCIe.", 20)),
    pcie(94, "nvml field 94 PCIE_REPLAY_COUNTER", "pcie_replay", "gpu_pcie_replays_total",
         "GPU PCIe replays", "PCIe packets that were sent again.", 20),
    pcie(95, "nvml field 95 PCIE_REPLAY_ROLLOVER_COUNTER", "pcie_replay_rollover",
         "gpu_pcie_replay_rollovers_total", "GPU PCIe replay rollovers",
         "Times that a packet was sent again until the link was trained anew."),
    pcie(169, "nvml field 169 PCIE_L0_TO_RECOVERY_COUNTER", "pcie_l0_to_recovery",
         "gpu_pcie_recoveries_total", "GPU PCIe link recoveries",
         "Times that the link left normal work to recover.", 30),
    pcie(173, "nvml field 173 PCIE_COUNT_CORRECTABLE_ERRORS", "pcie_correctable",
         "gpu_pcie_correctable_errors_total", "GPU PCIe correctable errors",
         "Correctable errors of the PCIe link.", 30),
    pcie(174, "nvml field 174 PCIE_COUNT_NAKS_RECEIVED", "pcie_naks_received",
         "gpu_pcie_received_naks_total", "GPU PCIe NAKs received",
         "Packets that the other side refused."),
    pcie(175, "nvml field 175 PCIE_COUNT_RECEIVER_ERROR", "pcie_receiver_error",
         "gpu_pcie_receiver_errors_total", "GPU PCIe receiver errors",
         "Errors of the physical layer."),
    pcie(176, "nvml field 176 PCIE_COUNT_BAD_TLP", "pcie_bad_tlp", "gpu_pcie_bad_tlps_total",
         "GPU PCIe bad packets", "Transaction packets with a bad checksum."),
    pcie(177, "nvml field 177 PCIE_COUNT_NAKS_SENT", "pcie_naks_sent", "gpu_pcie_sent_naks_total",
         "GPU PCIe NAKs sent", "Packets that the GPU refused."),
    pcie(178, "nvml field 178 PCIE_COUNT_BAD_DLLP", "pcie_bad_dllp", "gpu_pcie_bad_dllps_total",
         "GPU PCIe bad link packets", "Link packets with a bad checksum."),
    pcie(179, "nvml field 179 PCIE_COUNT_NON_FATAL_ERROR", "pcie_non_fatal",
         "gpu_pcie_nonfatal_errors_total", "GPU PCIe non-fatal errors",
         "Uncorrectable errors that the link survived.", 30),
    pcie(180, "nvml field 180 PCIE_COUNT_FATAL_ERROR", "pcie_fatal", "gpu_pcie_fatal_errors_total",
         "GPU PCIe fatal errors", "Uncorrectable errors that the link did not survive.", 20),
    pcie(182, "nvml field 182 PCIE_COUNT_LCRC_ERROR", "pcie_lcrc", "gpu_pcie_lcrc_errors_total",
         "GPU PCIe checksum errors", "Link checksums that were wrong."),
};

inline constexpr Signal kNvlink[] = {
    kibibytes(row(kMedium, kField, 138, "nvml field 138 NVLINK_THROUGHPUT_DATA_TX",
                  "nvlink_data_tx", "bytes", "gpu_nvlink_sent_bytes_total", "NVLink sent bytes",
                  "Bytes of payload sent over all NVLinks.", 15)),
    kibibytes(row(kMedium, kField, 139, "nvml field 139 NVLINK_THROUGHPUT_DATA_RX",
                  "nvlink_data_rx", "bytes", "gpu_nvlink_received_bytes_total",
                  "NVLink received bytes", "Bytes of payload received over all NVLinks.", 15)),
    pcie(38, "nvml field 38 NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL", "nvlink_crc_flit_errors",
         "gpu_nvlink_flit_errors_total", "NVLink flow control errors",
         "Flow control units with a bad checksum, over all NVLinks.", 30),
    pcie(45, "nvml field 45 NVLINK_CRC_DATA_ERROR_COUNT_TOTAL", "nvlink_crc_data_errors",
         "gpu_nvlink_crc_errors_total", "NVLink checksum errors",
         "Data with a bad checksum, over all NVLinks.", 30),
    pcie(52, "nvml field 52 NVLINK_REPLAY_ERROR_COUNT_TOTAL", "nvlink_replay_errors",
         "gpu_nvlink_replays_total", "NVLink replays",
         "Packets that were sent again, over all NVLinks.", 20),
    pcie(59, "nvml field 59 NVLINK_RECOVERY_ERROR_COUNT_TOTAL", "nvlink_recovery_errors",
         "gpu_nvlink_recoveries_total", "NVLink recoveries",
         "Times that an NVLink was trained anew.", 20),
    pcie(160, "nvml field 160 NVLINK_ECC_DATA_ERROR_COUNT_TOTAL", "nvlink_ecc_data_errors",
         "gpu_nvlink_ecc_errors_total", "NVLink ECC errors",
         "Data that ECC found wrong, over all NVLinks.", 30),
    at_most(64, fact(row(kSlow, kField, 91, "nvml field 91 NVLINK_LINK_COUNT", "nvlink_links",
                         "links", "gpu_nvlink_links", "NVLinks", "NVLinks that the GPU has."))),
    scaled(1e6, 1e7,
           row(kSlow, kField, 90, "nvml field 90 NVLINK_SPEED_MBPS_COMMON", "nvlink_speed",
               "bytes/s", "gpu_nvlink_speed_bytes_per_second", "NVLink speed",
               "Speed that all NVLinks have in common.", 40)),
};

// Of each NVLink.
inline constexpr Signal kLinkSignalRows[] = {
    flag(row(kSlow, kLinkState, 0, "nvml nvmlDeviceGetNvLinkState", "nvlink_state", "flag",
             "gpu_nvlink_active", "NVLink state", "1 while the NVLink is up.", 20)),
    pcie(215, "nvml field 215 NVLINK_COUNT_LINK_RECOVERY_EVENTS", "nvlink_recovery_events",
         "gpu_nvlink_recovery_events_total", "Recoveries of an NVLink",
         "Times that this NVLink was trained anew.", 30),
    pcie(221, "nvml field 221 NVLINK_COUNT_SYMBOL_ERRORS", "nvlink_symbol_errors",
         "gpu_nvlink_symbol_errors_total", "Symbol errors of an NVLink",
         "Symbols that this NVLink received wrong.", 40),
    real(at_most(1, row(kSlow, kField, 220, "nvml field 220 NVLINK_COUNT_EFFECTIVE_BER",
                        "nvlink_effective_ber", "ratio", "gpu_nvlink_bit_error_ratio",
                        "Bit error ratio of an NVLink",
                        "Bits of this NVLink that are wrong after correction, of all.", 40))),
};

inline constexpr Signal kState[] = {
    at_most(64,
            row(kSlow, kField, 230, "nvml field 230 GET_GPU_RECOVERY_ACTION", "gpu_recovery_action",
                "action", "gpu_recovery_action_state", "GPU recovery action",
                "What the driver wants done: 0 nothing, 1 reset the GPU, 2 reboot the host, "
                "3 and 4 drain it first.",
                15)),
    event(row(kFast, kEvent, kXidEvent, "nvml event XidCriticalError", "xid", "errors",
              "gpu_xid_errors_total", "GPU errors", "Error reports (XID) of the driver.", 10)),
    event(row(kFast, kEvent, kDoubleBitEvent, "nvml event DoubleBitEccError", "dbe_event", "errors",
              "gpu_double_bit_events_total", "Double-bit error events",
              "Times that the driver told of an uncorrectable memory error.", 20)),
    event(row(kFast, kEvent, kUnavailableEvent, "nvml GPU_IS_LOST or event GpuUnavailableError",
              "gpu_unavailable", "losses", "gpu_losses_total", "GPU losses",
              "Times that the GPU fell off the bus or asked for a reset.", 10)),
    flag(fact(row(kSlow, kPersistence, 0, "nvml nvmlDeviceGetPersistenceMode", "persistence_mode",
                  "flag", "gpu_persistence_mode", "GPU persistence mode",
                  "1 where the driver stays loaded while nobody uses the GPU."))),
    flag(fact(row(kSlow, kEccMode, 0, "nvml nvmlDeviceGetEccMode", "ecc.mode.current", "flag",
                  "gpu_ecc_mode", "GPU ECC mode", "1 where memory errors are corrected."))),
    at_most(16, fact(row(kSlow, kComputeMode, 0, "nvml nvmlDeviceGetComputeMode", "compute_mode",
                         "mode", "gpu_compute_mode", "GPU compute mode",
                         "Who may use the GPU: 0 all, 2 nobody, 3 one process."))),
    flag(fact(row(kSlow, kMigMode, 0, "nvml nvmlDeviceGetMigMode", "mig.mode.current", "flag",
                  "gpu_mig_mode", "GPU partitioning", "1 where the GPU is split (MIG)."))),
    at_most(4096, fact(row(kSlow, kNumaNode, 0, "nvml nvmlDeviceGetNumaNodeId", "numa_node", "node",
                           "gpu_numa_node", "GPU NUMA node",
                           "NUMA node that the GPU's own memory forms or hangs on."))),
    at_most(16, fact(row(kSlow, kFabricState, 0, "nvml nvmlDeviceGetGpuFabricInfoV state",
                         "fabric.state", "state", "gpu_fabric_state", "GPU fabric state",
                         "How far the NVLink fabric knows the GPU: 1 not begun, 2 under way, "
                         "3 done."))),
    real(at_most(1e5, row(kFast, kSweepTime, 0, "nvml time of a reading", "nvml_call_ms", "seconds",
                          "gpu_reading_seconds", "Time to read a GPU",
                          "Time that the driver took to answer the last reading.", 60))),
};

}  // namespace reveal::gpu
