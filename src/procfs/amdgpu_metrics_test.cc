#include "procfs/amdgpu_metrics.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

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

// Sizes and places are those that a compiler gives the kernel's structs.
struct Revision {
  unsigned size;
  unsigned content;
  std::size_t at;
};
constexpr Revision kCounting[] = {{384, 6, 104}, {1664, 6, 32}, {2208, 7, 40}, {3360, 8, 40}};

// A table of ones with a header and six counters.
std::string counting_table(const Revision& revision, std::uint32_t first) {
  auto out = table(revision.size, 1, revision.content, revision.size, 0);
  std::fill(out.begin() + 4, out.end(), '\xff');
  for (std::size_t i = 0; i < 6; ++i) {
    const auto value = static_cast<std::uint32_t>(first + 1000 * i);
    for (std::size_t byte = 0; byte < 4; ++byte) {
      out[revision.at + 4 * i + byte] = static_cast<char>(value >> 8 * byte & 0xff);
    }
  }
  return out;
}

TEST(AmdgpuMetrics, InstinctAcceleratorsCountWhatHoldsTheirClocksDown) {
  for (const auto& revision : kCounting) {
    const auto got = parse_amdgpu_residency(counting_table(revision, 4'000'000'000));
    ASSERT_TRUE(got) << revision.size;
    EXPECT_EQ(got->ticks, 4'000'000'000);
    EXPECT_EQ(got->prochot, 4'000'001'000);
    EXPECT_EQ(got->power, 4'000'002'000);
    EXPECT_EQ(got->socket_heat, 4'000'003'000);
    EXPECT_EQ(got->regulator_heat, 4'000'004'000);
    EXPECT_EQ(got->memory_heat, 4'000'005'000);
    EXPECT_FALSE(parse_amdgpu_throttle(counting_table(revision, 7)));
  }
}

TEST(AmdgpuMetrics, TablesThatDoNotCountSayNothing) {
  EXPECT_FALSE(parse_amdgpu_residency(""));
  EXPECT_FALSE(parse_amdgpu_residency(table(120, 1, 3, 112, 1)));
  EXPECT_FALSE(parse_amdgpu_residency(table(1664, 2, 6, 40, 1))) << "of another format";
  EXPECT_FALSE(parse_amdgpu_residency(table(1664, 1, 9, 40, 1))) << "of a revision to come";
  EXPECT_FALSE(parse_amdgpu_residency(table(1660, 1, 6, 40, 1))) << "of a size that is not known";
  for (const auto& revision : kCounting) {
    EXPECT_FALSE(parse_amdgpu_residency(counting_table(revision, 0xffffffff))) << "not reported";
    const auto whole = counting_table(revision, 1);
    for (std::size_t size = 0; size < whole.size(); size += 7) {
      EXPECT_FALSE(parse_amdgpu_residency(std::string_view(whole).substr(0, size))) << size;
    }
  }
}

const ParserCase kFuzzed("sys/devices/pci0000:80/0000:80:01.1/0000:83:00.0/gpu_metrics",
                         [](std::string_view table) {
                           // A table has either what holds the clocks down or for how long it did.
                           require(!parse_amdgpu_throttle(table) || !parse_amdgpu_residency(table));
                         });

}  // namespace
}  // namespace reveal::procfs
