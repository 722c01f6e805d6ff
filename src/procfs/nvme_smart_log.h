// The SMART / health information log page (02h) of an NVMe controller: 512 bytes, little-endian,
// laid out by the NVM Express Base Specification, "SMART / Health Information".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

inline constexpr std::size_t kNvmeSmartLogSize = 512;

// The log's 128-bit counters are nothing if they do not fit 64 bits.
struct NvmeSmartLog {
  Value critical_warning;              // byte 0: bit 0 spare, 1 temperature, 2 reliability, ...
  Value temperature_kelvin;            // 1-2; nothing where the controller does not report it
  Value available_spare_percent;       // 3
  Value spare_threshold_percent;       // 4
  Value percentage_used;               // 5: of the rated life; may exceed 100
  Value data_units_read;               // 32: of 512,000 bytes
  Value data_units_written;            // 48
  Value host_reads;                    // 64
  Value host_writes;                   // 80
  Value busy_minutes;                  // 96
  Value power_cycles;                  // 112
  Value power_on_hours;                // 128
  Value unsafe_shutdowns;              // 144
  Value media_errors;                  // 160
  Value error_log_entries;             // 176
  Value warning_temperature_minutes;   // 192
  Value critical_temperature_minutes;  // 196
  Value throttle1_transitions;         // 216: thermal management temperature 1, by the host
  Value throttle2_transitions;         // 220
  Value throttle1_seconds;             // 224
  Value throttle2_seconds;             // 228
};

// Returns the log, or nothing for a page of zeros or ones, which no controller means.
std::optional<NvmeSmartLog> parse_nvme_smart_log(
    std::span<const std::uint8_t, kNvmeSmartLogSize> page);

}  // namespace reveal::procfs
