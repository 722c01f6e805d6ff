#include "record/free_space.h"

#include <cstdint>

#include <gtest/gtest.h>
#include <sys/statvfs.h>

#include "base/temp_dir.h"

namespace reveal::record {
namespace {

using settings::FreeSpace;
using Unit = FreeSpace::Kind;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr DiskBytes kDisk = 100 * kGiB;

TEST(FreeBytes, AreThoseThatAreAskedForWhateverTheDisk) {
  EXPECT_EQ(free_bytes_of({Unit::kBytes, 5 * kMiB}, kDisk), 5 * kMiB);
  EXPECT_EQ(free_bytes_of({Unit::kBytes, 5 * kMiB}, 0), 5 * kMiB);
  EXPECT_EQ(free_bytes_of({Unit::kBytes, 0}, kDisk), 0U);
  EXPECT_EQ(free_bytes_of({}, kDisk), 64 * kMiB);
}

TEST(FreeBytes, AreAShareOfTheDisk) {
  EXPECT_EQ(free_bytes_of({Unit::kPercent, 25}, 400), 100U);
  EXPECT_EQ(free_bytes_of({Unit::kPercent, 0}, kDisk), 0U);
  EXPECT_EQ(free_bytes_of({Unit::kPercent, 25}, 0), 64 * kMiB) << "its size is not known";
}

TEST(FreeBytes, OfAServiceAreATenthOrTwoGibibytesTheLargerButHalfOfASmallDisk) {
  const FreeSpace usual{Unit::kUsualOfService, 0};
  EXPECT_EQ(free_bytes_of(usual, 1000 * kGiB), 100 * kGiB);
  EXPECT_EQ(free_bytes_of(usual, 10 * kGiB), 2 * kGiB);
  EXPECT_EQ(free_bytes_of(usual, 4 * kGiB), 2 * kGiB);
  EXPECT_EQ(free_bytes_of(usual, kGiB), kGiB / 2);
  EXPECT_EQ(free_bytes_of(usual, 0), 64 * kMiB);
}

TEST(FreeBytes, AreOfTheDiskOnWhichTheFolderWillBe) {
  const base::TempDir dir;
  struct statvfs disk {};
  ASSERT_EQ(::statvfs(dir.path().c_str(), &disk), 0);
  const auto size = std::uint64_t{disk.f_blocks} * disk.f_frsize;
  EXPECT_EQ(disk_bytes(dir.path()), size);
  EXPECT_EQ(disk_bytes(dir.path() / "not/there/yet"), size);
  EXPECT_EQ(free_bytes_on({Unit::kPercent, 50}, dir.path() / "r"), size / 100 * 50);
}

}  // namespace
}  // namespace reveal::record
