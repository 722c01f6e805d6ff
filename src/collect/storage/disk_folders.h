// The folders of whole disks below /sys/block, looked at anew at each reading: disks come and go.
//
// Loop, ram and zram devices are left out. They exist in numbers, are mostly unused, and have no
// queue that could be set wrongly.
//
// Disks that are gone are kept, for one may come back, until there is no room for another one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "collect/frame_writer.h"
#include "procfs/folder.h"

namespace reveal::collect {

inline constexpr std::size_t kMaxDiskFolders = 256;

bool is_virtual_disk(std::string_view name);

// Disk: made from the name of a disk, and has it as `name`; release(FrameWriter&) gives its
// channels back and ends what was said of it.
template <typename Disk>
class DiskFolders {
 public:
  explicit DiskFolders(std::string folder = {}) : folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }

  // Calls see(Disk&) for every disk that is there. Returns false if the kernel shows no disks.
  template <typename See>
  bool for_each(FrameWriter& writer, See see) {
    if (lacks_room_) release_gone(writer);
    lacks_room_ = false;
    return procfs::for_each_name(folder_, kMaxNames, [&](std::string_view name) {
      if (is_virtual_disk(name)) return;
      if (Disk* disk = find_or_add(name)) see(*disk);
    });
  }

  // Calls see(Disk&) for every disk that is there or was.
  template <typename See>
  void for_each_known(See see) {
    for (Disk& disk : disks_) see(disk);
  }

 private:
  static constexpr std::size_t kMaxNames = 4096;  // what is left out may come first

  void release_gone(FrameWriter& writer) {
    std::set<std::string, std::less<>> names;
    procfs::for_each_name(folder_, kMaxNames, [&](std::string_view name) { names.emplace(name); });
    std::erase_if(disks_, [&](Disk& disk) {
      const bool is_there = names.contains(disk.name);
      if (!is_there) disk.release(writer);
      return !is_there;
    });
  }

  Disk* find_or_add(std::string_view name) {
    for (Disk& disk : disks_) {
      if (disk.name == name) return &disk;
    }
    lacks_room_ = lacks_room_ || disks_.size() >= kMaxDiskFolders;
    if (disks_.size() >= kMaxDiskFolders) return nullptr;
    return &disks_.emplace_back(folder_, std::string(name));
  }

  std::string folder_;
  std::deque<Disk> disks_;
  bool lacks_room_ = false;  // for a disk that is there
};

// Returns the instance of a disk: "cciss!c0d0" of sysfs is "dev=cciss/c0d0" as in /proc/diskstats.
std::string disk_instance(std::string_view name);

}  // namespace reveal::collect
