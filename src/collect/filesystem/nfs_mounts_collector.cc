// /proc/self/mountstats: each NFS mount by itself, how long its server takes to answer and how many
// requests had to be sent again. Reading the file asks no server.
//
// A mount goes by where it is mounted: one export may be mounted several times, with connections
// and numbers of its own each time (nosharecache, another server address). Where
// /proc/self/mountinfo says that mounts are one file system, as pods have that share a volume, they
// have the same numbers and are told once, at the mount that was there first.
//
// Reads and writes are told apart, as are all operations together: "op=read", "op=write", "op=all".
//
// Mounts that are gone are kept, for one may come back; once there are many, each change of what is
// mounted has them give their channels and their places back.
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/fnv.h"
#include "collect/collector.h"
#include "collect/filesystem/nfs_mounts_rows.h"
#include "collect/parts/device_files.h"
#include "collect/parts/instance_channels.h"
#include "procfs/mount_text.h"
#include "procfs/mountinfo.h"
#include "procfs/mountstats.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using procfs::NfsMount;
using procfs::NfsOperation;

constexpr std::size_t kMaxMounts = 4096;
constexpr std::size_t kMaxTold = 64;  // at once

constexpr std::size_t kFirstOperationRow = std::size(kNfsMountRows);

std::vector<MetricDescriptor> nfs_mounts_metrics() {
  auto out = metrics_of(kNfsMountRows);
  for (const auto& row : kNfsOperationRows) out.push_back(row.metric);
  return out;
}

// Returns what names a mount in channels: its path or, if that cannot be seen whole in a name, as
// much of it as can, and a hash.
std::string mount_name(const std::string& point) {
  constexpr std::size_t kLongestStart = 48;
  std::string shown = instance_text(point);
  if (shown == point) return shown;
  if (shown.size() < point.size()) shown.resize(kLongestStart);
  return fmt::format("{}#{:08x}", shown, static_cast<std::uint32_t>(base::fnv1a(point)));
}

class MountChannels {
 public:
  // REQUIRES: `metrics` outlives this.
  MountChannels(std::span<const MetricDescriptor> metrics, const std::string& name)
      : whole_(metrics, fmt::format("mount={}", name)),
        operations_{InstanceChannels(metrics, fmt::format("mount={},op=read", name)),
                    InstanceChannels(metrics, fmt::format("mount={},op=write", name)),
                    InstanceChannels(metrics, fmt::format("mount={},op=all", name))} {}

  // `fresh_start`: the numbers do not go on from those before.
  void set(FrameWriter& writer, const NfsMount& mount, bool fresh_start) {
    whole_.forget();
    for (std::size_t i = 0; i < std::size(kNfsMountRows); ++i) {
      whole_.set(writer, i, mount.*kNfsMountRows[i].key);
    }
    if (fresh_start) whole_.mark_reset(writer);
    const std::array<const NfsOperation*, 3> operations = {&mount.read, &mount.write, &mount.all};
    for (std::size_t i = 0; i < operations.size(); ++i) {
      set_operations(writer, operations_[i], *operations[i], fresh_start);
    }
  }

  // Gives all channels back, as the mount is gone.
  void release(FrameWriter& writer) {
    whole_.release(writer);
    for (InstanceChannels& channels : operations_) channels.release(writer);
  }

 private:
  static void set_operations(FrameWriter& writer, InstanceChannels& to, const NfsOperation& from,
                             bool fresh_start) {
    to.forget();
    for (std::size_t i = 0; i < std::size(kNfsOperationRows); ++i) {
      to.set(writer, kFirstOperationRow + i, from.*kNfsOperationRows[i].key);
    }
    if (fresh_start) to.mark_reset(writer);
  }

  InstanceChannels whole_;
  std::array<InstanceChannels, 3> operations_;
};

class NfsMountsCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    file_ = procfs::TextFile(root.proc_path("self/mountstats"));
    systems_file_ = procfs::TextFile(root.proc_path("self/mountinfo"));
    if (auto text = file_.read(); !text) return base::pass(text);
    add_channels_of(*this, channels);
    if (!mounts_.empty()) return {};
    return base::fail(base::ErrorKind::kAbsent, "no NFS file system is mounted", file_.path(), "");
  }

  void collect(FrameWriter& writer) override {
    const auto text = file_.read();
    if (!text) return;
    procfs::parse_mountstats(*text, read_);
    if (match()) {
      if (mounts_.size() > kMaxTold) release_gone(writer);
      choose_told();
    }
    for (Mount& mount : mounts_) {
      if (mount.now == nullptr || !mount.told) continue;
      if (!mount.channels) mount.channels.emplace(metrics_, mount_name(mount.point));
      mount.channels->set(writer, *mount.now, std::exchange(mount.replaced, false));
    }
  }

 private:
  struct Mount {
    std::string point;              // as a path
    std::string device;             // as the kernel writes it
    const NfsMount* now = nullptr;  // in read_
    bool was_there = false;         // in the reading before
    bool told = false;
    bool replaced = false;  // by another file system at the same place
    std::optional<MountChannels> channels{};
  };

  // Finds the mounts that were read. Returns whether they are others than before.
  bool match() {
    bool changed = false;
    for (Mount& mount : mounts_) mount.was_there = std::exchange(mount.now, nullptr) != nullptr;
    for (const NfsMount& mount : read_) {
      Mount* known = find_or_add(mount);
      if (known == nullptr) continue;
      known->now = &mount;  // of two at one place the later hides the earlier
      if (known->device == mount.device) continue;
      known->device = mount.device;
      known->replaced = known->channels.has_value() || forgot_;
      changed = true;
    }
    return changed || std::any_of(mounts_.begin(), mounts_.end(), [](const Mount& mount) {
             return mount.was_there != (mount.now != nullptr);
           });
  }

  Mount* find_or_add(const NfsMount& mount) {
    const auto at = by_point_.find(mount.point);
    if (at != by_point_.end()) return &*at->second;
    if (mounts_.size() >= kMaxMounts) return nullptr;
    mounts_.push_back(Mount{.point = procfs::unescaped_path(mount.point), .device = ""});
    by_point_.emplace(mount.point, std::prev(mounts_.end()));
    return &mounts_.back();
  }

  void release_gone(FrameWriter& writer) {
    std::erase_if(by_point_, [&](const auto& place) {
      Mount& mount = *place.second;
      if (mount.now != nullptr) return false;
      if (mount.channels) mount.channels->release(writer);
      mounts_.erase(place.second);
      forgot_ = true;
      return true;
    });
  }

  // Of mounts that are one file system one is told.
  void choose_told() {
    const auto text = systems_file_.read();
    std::map<std::string, std::string> systems;
    for (auto& mount : procfs::parse_mountinfo(text.value_or(std::string_view()))) {
      systems[std::move(mount.point)] = std::move(mount.device);
    }
    std::set<std::string> seen;
    auto told = static_cast<std::size_t>(
        std::count_if(mounts_.begin(), mounts_.end(),
                      [](const Mount& mount) { return mount.channels.has_value(); }));
    for (Mount& mount : mounts_) {
      if (mount.now == nullptr) continue;
      const auto system = systems.find(mount.point);
      mount.told = system == systems.end() || seen.insert(system->second).second;
      mount.told = mount.told && (mount.channels || told < kMaxTold);
      if (mount.told && !mount.channels) ++told;
    }
  }

  std::vector<MetricDescriptor> metrics_ = nfs_mounts_metrics();
  procfs::TextFile file_;
  procfs::TextFile systems_file_;
  std::vector<NfsMount> read_;
  std::list<Mount> mounts_;  // as they came; those that are gone, too
  std::map<std::string, std::list<Mount>::iterator, std::less<>> by_point_;
  bool forgot_ = false;  // mounts, of which any that comes may be one
};

std::unique_ptr<Collector> make_nfs_mounts() {
  return std::make_unique<NfsMountsCollector>();
}

}  // namespace

extern const CollectorDescriptor kNfsMountsCollector = {
    .name = "nfs_mounts",
    .help = "answers, retransmissions and waits per NFS mount",
    .make = make_nfs_mounts,
    .metrics = nfs_mounts_metrics,
    .poll_class = PollClass::kMedium,
    .may_block = true,
};

}  // namespace reveal::collect
