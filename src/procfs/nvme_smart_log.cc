#include "procfs/nvme_smart_log.h"

#include <algorithm>

namespace reveal::procfs {
namespace {

using Page = std::span<const std::uint8_t, kNvmeSmartLogSize>;

std::uint64_t little_endian(Page page, std::size_t at, std::size_t bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < bytes; ++i) out |= std::uint64_t{page[at + i]} << (8 * i);
  return out;
}

Value counter128(Page page, std::size_t at) {
  if (little_endian(page, at + 8, 8) != 0) return std::nullopt;
  return little_endian(page, at, 8);
}

Value unless_zero(std::uint64_t value) {
  return value == 0 ? Value() : Value(value);
}

bool all_are(Page page, std::uint8_t byte) {
  return std::all_of(page.begin(), page.end(), [byte](std::uint8_t b) { return b == byte; });
}

}  // namespace

std::optional<NvmeSmartLog> parse_nvme_smart_log(Page page) {
  if (all_are(page, 0) || all_are(page, 0xff)) return std::nullopt;
  NvmeSmartLog out;
  out.critical_warning = page[0];
  out.temperature_kelvin = unless_zero(little_endian(page, 1, 2));
  out.available_spare_percent = page[3];
  out.spare_threshold_percent = page[4];
  out.percentage_used = page[5];
  out.data_units_read = counter128(page, 32);
  out.data_units_written = counter128(page, 48);
  out.host_reads = counter128(page, 64);
  out.host_writes = counter128(page, 80);
  out.busy_minutes = counter128(page, 96);
  out.power_cycles = counter128(page, 112);
  out.power_on_hours = counter128(page, 128);
  out.unsafe_shutdowns = counter128(page, 144);
  out.media_errors = counter128(page, 160);
  out.error_log_entries = counter128(page, 176);
  out.warning_temperature_minutes = little_endian(page, 192, 4);
  out.critical_temperature_minutes = little_endian(page, 196, 4);
  out.throttle1_transitions = little_endian(page, 216, 4);
  out.throttle2_transitions = little_endian(page, 220, 4);
  out.throttle1_seconds = little_endian(page, 224, 4);
  out.throttle2_seconds = little_endian(page, 228, 4);
  return out;
}

}  // namespace reveal::procfs
