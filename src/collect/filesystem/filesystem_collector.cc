// How full the host's local file systems are, by statvfs() on where they are mounted.
//
// A server that does not answer makes statvfs() hang in the kernel, where nothing can end it:
// remote file systems are never asked. Which types are asked is a list of those that keep their
// data on this host's disks, with /dev/shm, which data loaders fill, and the root of a container.
// The mounts are those of the recorder's own mount namespace. A captured tree has mounts, but their
// paths here would be another host's file systems: it has no such metrics.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>
#include <sys/statvfs.h>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "procfs/mountinfo.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using model::Repr;

constexpr std::size_t kMaxFileSystems = 64;

constexpr MetricDescriptor row(std::string_view source, std::string_view alias,
                               std::string_view unit, std::string_view name, std::string_view label,
                               std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.subsystem = model::Subsystem::kStorage;
  out.scope = model::Scope::kDevice;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://man7.org/linux/man-pages/man3/statvfs.3.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor ratio(MetricDescriptor out) {
  out.repr = Repr::kF64;
  return out;
}

constexpr MetricDescriptor kMetrics[] = {
    row("statvfs f_blocks - f_bfree", "used", "bytes", "storage_filesystem_used_bytes",
        "Used space of a file system", "Space of the file system that holds something.", 100),
    row("statvfs f_files - f_ffree", "iused", "inodes", "storage_filesystem_used_inodes",
        "Used inodes of a file system", "Files that the file system has.", 100),
    ratio(row("statvfs used / (used + f_bavail)", "use%", "ratio", "storage_filesystem_used_ratio",
              "Used share of a file system",
              "Share of the space that programs without privileges may use and that is used.", 60)),
};
enum Row : std::uint8_t { kUsedBytes, kUsedInodes, kUsedRatio };

constexpr std::array<std::string_view, 12> kLocalTypes = {"bcachefs", "btrfs", "exfat", "ext2",
                                                          "ext3",     "ext4",  "f2fs",  "jfs",
                                                          "ntfs3",    "vfat",  "xfs",   "zfs"};

bool is_asked(const procfs::Mount& mount) {
  if (mount.type == "tmpfs") return mount.point == "/dev/shm";
  if (mount.type == "overlay") return mount.point == "/";
  return std::find(kLocalTypes.begin(), kLocalTypes.end(), mount.type) != kLocalTypes.end();
}

class FilesystemCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (!root.is_live()) {
      return base::fail(base::ErrorKind::kAbsent,
                        "statvfs() would ask this machine, whose proc this is not", root.proc);
    }
    mounts_file_ = procfs::TextFile(root.proc_path("self/mountinfo"));
    if (auto text = mounts_file_.read(); !text) return base::pass(text);
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    refresh(writer);
    for (FileSystem& system : systems_) {
      if (system.mounted) read(writer, system);
    }
  }

  base::Error why_absent(const MetricDescriptor&) const override {
    return {base::ErrorKind::kAbsent, "no local file system is mounted", mounts_file_.path(), ""};
  }

 private:
  struct FileSystem {
    procfs::Mount mount;
    bool mounted;
    InstanceChannels channels;
  };

  // The text is the same from reading to reading unless something was mounted.
  void refresh(FrameWriter& writer) {
    const auto text = mounts_file_.read();
    if (text && *text == mounts_text_) return;
    mounts_text_ = text.value_or("");
    for (FileSystem& system : systems_) system.mounted = false;
    std::vector<std::string> devices;
    for (const auto& mount : procfs::parse_mountinfo(mounts_text_)) {
      if (!is_asked(mount)) continue;
      // A file system that is mounted in several places is asked at the first.
      if (std::find(devices.begin(), devices.end(), mount.device) != devices.end()) continue;
      devices.push_back(mount.device);
      mark_mounted(writer, mount);
    }
  }

  void mark_mounted(FrameWriter& writer, const procfs::Mount& mount) {
    const auto it = std::find_if(systems_.begin(), systems_.end(), [&](const FileSystem& known) {
      return known.mount.point == mount.point;
    });
    if (it != systems_.end()) {
      it->mounted = true;
      return;
    }
    if (systems_.size() >= kMaxFileSystems) release_unmounted(writer);
    if (systems_.size() < kMaxFileSystems) {
      systems_.push_back(
          {mount, true, InstanceChannels(kMetrics, fmt::format("mount={}", mount.point))});
    }
  }

  // Of those that are mounted now, some may not be marked yet: they get their channels back.
  void release_unmounted(FrameWriter& writer) {
    std::erase_if(systems_, [&](FileSystem& system) {
      if (!system.mounted) system.channels.release(writer);
      return !system.mounted;
    });
  }

  static void read(FrameWriter& writer, FileSystem& system) {
    struct statvfs status {};
    if (::statvfs(system.mount.point.c_str(), &status) != 0) return;
    if (status.f_blocks == 0 || status.f_bfree > status.f_blocks) return;
    const std::uint64_t used = status.f_blocks - status.f_bfree;
    system.channels.set(writer, kUsedBytes, procfs::Value(used * status.f_frsize));
    if (status.f_files > 0 && status.f_ffree <= status.f_files) {  // btrfs counts none
      system.channels.set(writer, kUsedInodes, procfs::Value(status.f_files - status.f_ffree));
    }
    const double open_to_all = static_cast<double>(used) + static_cast<double>(status.f_bavail);
    if (open_to_all > 0) {
      system.channels.set(writer, kUsedRatio,
                          std::optional(static_cast<double>(used) / open_to_all));
    }
  }

  procfs::TextFile mounts_file_;
  std::string mounts_text_;
  std::vector<FileSystem> systems_;
};

std::vector<MetricDescriptor> filesystem_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_filesystem() {
  return std::make_unique<FilesystemCollector>();
}

}  // namespace

extern const CollectorDescriptor kFilesystemCollector = {
    .name = "filesystem",
    .help = "how full local file systems are",
    .make = make_filesystem,
    .metrics = filesystem_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
