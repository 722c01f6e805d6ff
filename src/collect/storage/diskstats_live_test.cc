// The collector against the running kernel: what it reads from the files of disks lies between what
// /proc/diskstats says before and after.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "collect/registry.h"
#include "procfs/diskstats.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using procfs::DiskField;
using procfs::DiskStats;

constexpr std::pair<DiskField, const char*> kCounters[] = {
    {DiskField::kReads, "storage_reads_total"},
    {DiskField::kSectorsRead, "storage_read_sectors_total"},
    {DiskField::kWrites, "storage_writes_total"},
    {DiskField::kSectorsWritten, "storage_written_sectors_total"},
    {DiskField::kFlushes, "storage_flushes_total"},
};

// Returns how many files of single disks this process has open.
std::size_t open_disk_files() {
  std::size_t out = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const auto target = std::filesystem::read_symlink(entry.path(), gone).string();
    if (target.starts_with("/sys/devices/") && target.ends_with("/stat")) ++out;
  }
  return out;
}

TEST(DiskstatsLive, FilesOfDisksSayWhatTheFileOfAllSays) {
  const auto collector = find_collector("diskstats")->make();
  model::ChannelTable channels;
  if (!collector->open({}, channels)) GTEST_SKIP() << "no /proc/diskstats";
  model::Frame frame;
  FrameWriter writer(channels, frame);
  procfs::TextFile files[2]{procfs::TextFile("/proc/diskstats"),
                            procfs::TextFile("/proc/diskstats")};
  std::vector<DiskStats> before;
  std::vector<DiskStats> after;
  std::size_t compared = 0;
  for (int reading = 0; reading < 4; ++reading) {
    frame.validity.assign(frame.validity.size(), model::Validity::kMissing);
    procfs::parse_diskstats(files[0].read().value(), before);
    collector->collect(writer);
    procfs::parse_diskstats(files[1].read().value(), after);
    if (before.size() != after.size()) continue;  // one came or went
    for (std::size_t i = 0; i < before.size(); ++i) {
      for (const auto& [field, metric] : kCounters) {
        const auto name = fmt::format("{}{{dev={}}}", metric, before[i].name);
        const auto id = channels.find_channel(name);
        if (!id || !before[i][field]) continue;
        EXPECT_TRUE(frame.was_read(*id)) << name;
        EXPECT_GE(frame.bits[id->index()], *before[i][field]) << name;
        EXPECT_LE(frame.bits[id->index()], *after[i][field]) << name;
        ++compared;
      }
    }
  }
  if (open_disk_files() == 0) GTEST_SKIP() << "here all are read from one file";
  EXPECT_GT(compared, 0u);
}

}  // namespace
}  // namespace reveal::collect
