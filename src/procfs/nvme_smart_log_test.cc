// Not fuzzed here: a drive gives 512 bytes, of which every value is one.
#include "procfs/nvme_smart_log.h"

#include <array>

#include <gtest/gtest.h>

namespace reveal::procfs {
namespace {

using Page = std::array<std::uint8_t, kNvmeSmartLogSize>;

void put(Page& page, std::size_t at, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) page[at + i] = static_cast<std::uint8_t>(value >> 8 * i);
}

// Offsets are those of the specification's figure, in decimal as it has them.
TEST(NvmeSmartLog, FieldsAreWhereTheSpecificationHasThem) {
  Page page{};
  page[0] = 0x04;
  put(page, 1, 317, 2);  // 44 degrees Celsius
  page[3] = 100;
  page[4] = 10;
  page[5] = 7;
  put(page, 32, 0x0102030405060708, 8);
  put(page, 48, 48, 8);
  put(page, 64, 64, 8);
  put(page, 80, 80, 8);
  put(page, 96, 96, 8);
  put(page, 112, 112, 8);
  put(page, 128, 128, 8);
  put(page, 144, 144, 8);
  put(page, 160, 160, 8);
  put(page, 176, 176, 8);
  put(page, 192, 192, 4);
  put(page, 196, 196, 4);
  put(page, 216, 216, 4);
  put(page, 220, 220, 4);
  put(page, 224, 0xffffffff, 4);
  put(page, 228, 228, 4);
  const auto log = parse_nvme_smart_log(page).value();
  EXPECT_EQ(log.critical_warning, 4u);
  EXPECT_EQ(log.temperature_kelvin, 317u);
  EXPECT_EQ(log.available_spare_percent, 100u);
  EXPECT_EQ(log.spare_threshold_percent, 10u);
  EXPECT_EQ(log.percentage_used, 7u);
  EXPECT_EQ(log.data_units_read, 0x0102030405060708u);
  EXPECT_EQ(log.data_units_written, 48u);
  EXPECT_EQ(log.host_reads, 64u);
  EXPECT_EQ(log.host_writes, 80u);
  EXPECT_EQ(log.busy_minutes, 96u);
  EXPECT_EQ(log.power_cycles, 112u);
  EXPECT_EQ(log.power_on_hours, 128u);
  EXPECT_EQ(log.unsafe_shutdowns, 144u);
  EXPECT_EQ(log.media_errors, 160u);
  EXPECT_EQ(log.error_log_entries, 176u);
  EXPECT_EQ(log.warning_temperature_minutes, 192u);
  EXPECT_EQ(log.critical_temperature_minutes, 196u);
  EXPECT_EQ(log.throttle1_transitions, 216u);
  EXPECT_EQ(log.throttle2_transitions, 220u);
  EXPECT_EQ(log.throttle1_seconds, 0xffffffffu);
  EXPECT_EQ(log.throttle2_seconds, 228u);
}

TEST(NvmeSmartLog, WhatDoesNotFitOrIsNotSaidIsNothing) {
  Page page{};
  EXPECT_FALSE(parse_nvme_smart_log(page));
  page.fill(0xff);
  EXPECT_FALSE(parse_nvme_smart_log(page));
  page.fill(0);
  page[3] = 100;
  page[160 + 8] = 1;  // 2^64 media errors
  const auto log = parse_nvme_smart_log(page).value();
  EXPECT_EQ(log.media_errors, Value());
  EXPECT_EQ(log.temperature_kelvin, Value());
  EXPECT_EQ(log.unsafe_shutdowns, 0u);
}

}  // namespace
}  // namespace reveal::procfs
