#include "procfs/amdgpu_metrics.h"

#include <string>

#include <gtest/gtest.h>

namespace reveal::procfs {
namespace {

// A table of zeros with a header and a status.
std::string table(unsigned size, unsigned format, unsigned content, std::size_t status_at,
                  std::uint64_t status) {
  std::string out(size, '\0');
  out[0] = static_cast<char>(size & 0xff);
  out[1] = static_cast<char>(size >> 8);
  out[2] = static_cast<char>(format);
  out[3] = static_cast<char>(content);
  for (std::size_t i = 0; i < 8 && status_at + i < size; ++i) {
    out[status_at + i] = static_cast<char>(status >> 8 * i);
  }
  return out;
}

TEST(AmdgpuMetrics, StatusIsSixteenBitsAReason) {
  const auto of = [](std::uint64_t status) {
    return parse_amdgpu_throttle(table(120, 1, 3, 112, status)).value();
  };
  EXPECT_TRUE(of(1).power);
  EXPECT_TRUE(of(1ULL << 15).power);
  EXPECT_FALSE(of(1ULL << 16).power);
  EXPECT_TRUE(of(1ULL << 16).current);
  EXPECT_TRUE(of(1ULL << 36).temperature);
  EXPECT_TRUE(of(1ULL << 56).other);
  const auto none = of(0);
  EXPECT_FALSE(none.power || none.current || none.temperature || none.other);
}

TEST(AmdgpuMetrics, TableBesideACpuHasItElsewhere) {
  EXPECT_TRUE(parse_amdgpu_throttle(table(128, 2, 2, 120, 1ULL << 33)).value().temperature);
}

TEST(AmdgpuMetrics, OtherTablesSayNothing) {
  EXPECT_FALSE(parse_amdgpu_throttle(""));
  EXPECT_FALSE(parse_amdgpu_throttle(table(96, 1, 1, 88, 1)));
  EXPECT_FALSE(parse_amdgpu_throttle(table(200, 1, 5, 112, 1)));
  EXPECT_FALSE(parse_amdgpu_throttle(table(112, 1, 3, 112, 1)));      // too short for its revision
  EXPECT_FALSE(parse_amdgpu_throttle(table(120, 1, 3, 112, ~0ULL)));  // not reported
  const std::string whole = table(120, 1, 3, 112, 1);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(parse_amdgpu_throttle(std::string_view(whole).substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace reveal::procfs
