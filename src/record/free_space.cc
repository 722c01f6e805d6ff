#include "record/free_space.h"

#include <algorithm>
#include <system_error>

#include <sys/statvfs.h>

namespace reveal::record {
namespace {

using Kind = settings::FreeSpace::Kind;

constexpr std::uint64_t kUsualBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kServiceBytes = std::uint64_t{2} << 30;
constexpr std::uint64_t kServicePercent = 10;

std::uint64_t percent_of(DiskBytes disk, std::uint64_t percent) {
  return disk / 100 * percent;
}

}  // namespace

DiskBytes disk_bytes(const std::filesystem::path& path) {
  std::error_code failed;
  auto there = std::filesystem::absolute(path, failed);
  while (!failed && !std::filesystem::exists(there, failed) && there.has_relative_path()) {
    there = there.parent_path();
  }
  struct statvfs disk {};
  if (::statvfs(there.c_str(), &disk) != 0) return 0;
  return std::uint64_t{disk.f_blocks} * disk.f_frsize;
}

std::uint64_t free_bytes_of(const settings::FreeSpace& space, DiskBytes disk) {
  if (space.kind == Kind::kBytes) return space.amount;
  if (space.kind == Kind::kUsual || disk == 0) return kUsualBytes;
  if (space.kind == Kind::kPercent) return percent_of(disk, space.amount);
  return std::min(std::max(percent_of(disk, kServicePercent), kServiceBytes), disk / 2);
}

std::uint64_t free_bytes_on(const settings::FreeSpace& space, const std::filesystem::path& path) {
  return free_bytes_of(space, disk_bytes(path));
}

}  // namespace reveal::record
