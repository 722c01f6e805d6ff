// /proc/diskstats: I/O per whole disk.
//
// Whole disks are those that /sys/block lists; partitions are left out, their I/O is counted in
// their disk. Loop, ram and zram devices, which exist in numbers and are mostly unused, get their
// channels with their first I/O. Those of disks that are gone are given back once there is no room
// for another one.
//
// The kernel takes several us for each line, those of partitions and of unused loop devices too.
// Where they are many, /sys/block/*/stat of each disk is read instead, which has the same numbers,
// and the file once a second: then a disk that appears gets its channels within a second.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "collect/collector.h"
#include "collect/parts/device_files.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_rows.h"
#include "collect/tick_clock.h"
#include "procfs/attribute_file.h"
#include "procfs/diskstats.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using procfs::DiskField;
using procfs::DiskStats;

constexpr std::size_t kMaxDisks = 256;          // at once
constexpr std::uint64_t kReadingsPerLook = 50;  // for those that are gone

constexpr MetricRow<DiskField> row(DiskField field, std::string_view source, std::string_view alias,
                                   std::string_view unit, std::string_view name,
                                   std::string_view label, std::string_view help,
                                   std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = Kind::kCounter;
  out.subsystem = model::Subsystem::kStorage;
  out.scope = model::Scope::kDisk;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/admin-guide/iostats.html";
  out.help = help;
  out.rank = rank;
  return {field, out};
}

// Times are counted in ms, in 32 bits.
constexpr MetricRow<DiskField> ms(MetricRow<DiskField> out) {
  out.metric.scale = 1e-3;
  out.metric.counter_bits = 32;
  return out;
}

// The kernel prints it with 32 bits, also if it is below zero for a moment.
constexpr MetricRow<DiskField> gauge(MetricRow<DiskField> out) {
  out.metric.kind = Kind::kGauge;
  out.metric.counter_bits = 32;
  return out;
}

constexpr MetricRow<DiskField> kRows[] = {
    row(DiskField::kReads, "/proc/diskstats field 4", "reads_completed_successfully", "reads",
        "storage_reads_total", "Disk reads", "Reads completed.", 20),
    row(DiskField::kReadsMerged, "/proc/diskstats field 5", "reads_merged", "reads",
        "storage_reads_merged_total", "Merged disk reads",
        "Reads joined with a neighbor before they were sent to the disk.", 40),
    row(DiskField::kSectorsRead, "/proc/diskstats field 6", "sectors_read", "sectors",
        "storage_read_sectors_total", "Disk read sectors", "Sectors of 512 bytes read.", 10),
    ms(row(DiskField::kReadMs, "/proc/diskstats field 7", "time_spent_reading", "seconds",
           "storage_read_seconds_total", "Disk read time",
           "Time that all reads took, each counted for itself.", 20)),
    row(DiskField::kWrites, "/proc/diskstats field 8", "writes_completed", "writes",
        "storage_writes_total", "Disk writes", "Writes completed.", 50),
    row(DiskField::kWritesMerged, "/proc/diskstats field 9", "writes_merged", "writes",
        "storage_writes_merged_total", "Merged disk writes",
        "Writes joined with a neighbor before they were sent to the disk.", 40),
    row(DiskField::kSectorsWritten, "/proc/diskstats field 10", "sectors_written", "sectors",
        "storage_written_sectors_total", "Disk written sectors", "Sectors of 512 bytes written.",
        15),
    ms(row(DiskField::kWriteMs, "/proc/diskstats field 11", "time_spent_writing", "seconds",
           "storage_write_seconds_total", "Disk write time",
           "Time that all writes took, each counted for itself.", 50)),
    gauge(row(DiskField::kInFlight, "/proc/diskstats field 12", "in_flight", "requests",
              "storage_in_flight_requests", "Disk requests in flight",
              "Requests sent to the disk and not completed.", 60)),
    ms(row(DiskField::kBusyMs, "/proc/diskstats field 13", "io_ticks", "seconds",
           "storage_busy_seconds_total", "Disk busy time",
           "Time with at least one request in flight.", 30)),
    ms(row(DiskField::kQueueMs, "/proc/diskstats field 14", "time_in_queue", "seconds",
           "storage_queue_seconds_total", "Disk queue time",
           "Time of all requests in flight added up; its rate is the queue's mean length.", 60)),
    row(DiskField::kDiscards, "/proc/diskstats field 15", "discards_completed", "discards",
        "storage_discards_total", "Disk discards", "Discards completed (Linux 4.18)."),
    row(DiskField::kDiscardsMerged, "/proc/diskstats field 16", "discards_merged", "discards",
        "storage_discards_merged_total", "Merged disk discards",
        "Discards joined with a neighbor (Linux 4.18).", 150),
    row(DiskField::kSectorsDiscarded, "/proc/diskstats field 17", "sectors_discarded", "sectors",
        "storage_discarded_sectors_total", "Disk discarded sectors",
        "Sectors of 512 bytes discarded (Linux 4.18)."),
    ms(row(DiskField::kDiscardMs, "/proc/diskstats field 18", "time_discarding", "seconds",
           "storage_discard_seconds_total", "Disk discard time",
           "Time that all discards took (Linux 4.18).")),
    row(DiskField::kFlushes, "/proc/diskstats field 19", "flushes_completed", "flushes",
        "storage_flushes_total", "Disk flushes", "Flushes of the disk's cache (Linux 5.5)."),
    ms(row(DiskField::kFlushMs, "/proc/diskstats field 20", "time_flushing", "seconds",
           "storage_flush_seconds_total", "Disk flush time",
           "Time that all flushes took (Linux 5.5).")),
};

bool is_sysfs(const std::string& folder) {
  struct ::statfs fs {};
  return ::statfs(folder.c_str(), &fs) == 0 && fs.f_type == SYSFS_MAGIC;
}

bool is_mostly_unused(std::string_view name) {
  return name.starts_with("loop") || name.starts_with("ram") || name.starts_with("zram");
}

bool has_done_io(const DiskStats& disk) {
  const auto reads = disk[DiskField::kReads].value_or(0);
  return reads != 0 || disk[DiskField::kWrites].value_or(0) != 0;
}

// cciss/c0d0 is cciss!c0d0 in sysfs.
std::string entry_of(std::string_view name) {
  std::string entry(name);
  std::replace(entry.begin(), entry.end(), '/', '!');
  return entry;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Returns whether `name` reads as a partition of `disk`: sda1 of sda, nvme0n1p2 of nvme0n1.
bool is_partition_of(std::string_view name, std::string_view disk) {
  if (!name.starts_with(disk) || name.size() == disk.size()) return false;
  auto rest = name.substr(disk.size());
  if (is_digit(disk.back())) {
    if (rest.front() != 'p') return false;
    rest.remove_prefix(1);
  }
  return !rest.empty() && std::all_of(rest.begin(), rest.end(), is_digit);
}

class DiskstatsCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    file_ = procfs::TextFile(root.proc_path("diskstats"));
    if (auto text = file_.read(); !text) return base::pass(text);
    sys_block_ = root.sys_path("block");
    on_this_host_ = file_.is_of_kernel() && is_sysfs(sys_block_);
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
    if (has_many_others_ && now < next_all_ns_ && read_disks(writer)) return;
    const auto text = file_.read();
    if (!text) return;
    next_all_ns_ = now + kBetweenAllNs;
    procfs::parse_diskstats(*text, disks_);
    ++readings_;
    if (lacks_room_ && readings_ >= next_look_) make_room(writer);
    for (std::size_t place = 0; place < disks_.size(); ++place) set(writer, place);
    choose_files();
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    if (devices_.empty()) {
      return {base::ErrorKind::kAbsent, "no whole disk in " + file_.path(), "", ""};
    }
    return Collector::why_absent(metric);
  }

 private:
  enum class Role { kDisk, kPartition, kLeftOut };  // the last: a disk without room

  struct Device {
    std::string name;
    Role role;
    InstanceChannels channels;
    std::optional<procfs::AttributeFile> file{};  // of its own, open
  };

  // Chooses whether disks are read from their own files until the next reading of all.
  void choose_files() {
    has_many_others_ = false;
    if (!on_this_host_) return;
    const auto is_read = [](const Device& device) {
      return device.role == Role::kDisk && device.channels.any();
    };
    const auto count =
        static_cast<std::size_t>(std::count_if(devices_.begin(), devices_.end(), is_read));
    if (3 * count > 2 * disks_.size() || share_of_descriptors(count) < count) return;
    has_many_others_ = true;
    for (Device& device : devices_) {
      if (device.file || !is_read(device)) continue;
      device.file.emplace(fmt::format("{}/{}/stat", sys_block_, entry_of(device.name)),
                          procfs::AttributeFile::Keep::kOpen);
    }
  }

  // Returns false if one cannot be read: it is gone, perhaps.
  bool read_disks(FrameWriter& writer) {
    std::array<char, 1024> buffer{};
    std::array<procfs::Value, procfs::kDiskFieldCount> fields;
    for (Device& device : devices_) {
      if (!device.file) continue;
      const auto text = device.file->read(buffer);
      if (!text || !procfs::parse_disk_stat(*text, fields)) return false;
      for (std::size_t row = 0; row < std::size(kRows); ++row) {
        device.channels.set(writer, row, fields[static_cast<std::size_t>(kRows[row].key)]);
      }
    }
    return true;
  }

  void set(FrameWriter& writer, std::size_t place) {
    const DiskStats& disk = disks_[place];
    Device* device = find(disk.name, place);
    if (device == nullptr) device = add(disk.name);
    if (device == nullptr || device->role != Role::kDisk) return;
    if (!device->channels.any() && is_mostly_unused(disk.name) && !has_done_io(disk)) return;
    for (std::size_t row = 0; row < std::size(kRows); ++row) {
      device->channels.set(writer, row, disk[kRows[row].key]);
    }
  }

  // The file keeps its order from tick to tick, so the device is nearly always at its place.
  Device* find(std::string_view name, std::size_t place) {
    if (place < devices_.size() && devices_[place].name == name) return &devices_[place];
    const auto it = std::find_if(devices_.begin(), devices_.end(),
                                 [&](const Device& device) { return device.name == name; });
    return it == devices_.end() ? nullptr : &*it;
  }

  Device* add(std::string_view name) {
    if (devices_.size() >= kMaxDevices) {
      lacks_room_ = true;
      return nullptr;
    }
    const Role role = role_of(name);
    lacks_room_ = lacks_room_ || role == Role::kLeftOut;
    devices_.push_back(
        {std::string(name), role, InstanceChannels(metrics_, fmt::format("dev={}", name))});
    return &devices_.back();
  }

  Role role_of(std::string_view name) const {
    if (!is_whole(name)) return Role::kPartition;
    const auto disks = std::count_if(devices_.begin(), devices_.end(), [](const Device& device) {
      return device.role == Role::kDisk;
    });
    return static_cast<std::size_t>(disks) < kMaxDisks ? Role::kDisk : Role::kLeftOut;
  }

  // Forgets devices that are gone, and those that were left out: these may have room now.
  void make_room(FrameWriter& writer) {
    next_look_ = readings_ + kReadingsPerLook;
    lacks_room_ = false;
    std::set<std::string_view> names;
    for (const DiskStats& disk : disks_) names.insert(disk.name);
    std::erase_if(devices_, [&](Device& device) {
      const bool is_there = names.contains(device.name);
      if (!is_there) device.channels.release(writer);
      return !is_there || device.role == Role::kLeftOut;
    });
  }

  // Asks /sys/block, and if there is none (a tree captured without it) goes by the names.
  bool is_whole(std::string_view name) const {
    if (::access(sys_block_.c_str(), F_OK) == 0) {
      return ::access((sys_block_ + "/" + entry_of(name)).c_str(), F_OK) == 0;
    }
    return std::none_of(disks_.begin(), disks_.end(),
                        [&](const DiskStats& other) { return is_partition_of(name, other.name); });
  }

  static constexpr std::int64_t kBetweenAllNs = 1'000'000'000;
  static constexpr std::size_t kMaxDevices = 4096;  // partitions among them

  std::vector<MetricDescriptor> metrics_ = metrics_of(kRows);
  std::vector<Device> devices_;
  std::string sys_block_;
  procfs::TextFile file_;
  std::vector<DiskStats> disks_;
  std::uint64_t readings_ = 0;
  std::uint64_t next_look_ = 0;  // for devices that are gone, once there is no room
  bool lacks_room_ = false;      // for a device that is there
  bool on_this_host_ = false;
  bool has_many_others_ = false;  // beside the disks that are read
  std::int64_t next_all_ns_ = 0;
};

std::vector<MetricDescriptor> diskstats_metrics() {
  return metrics_of(kRows);
}

std::unique_ptr<Collector> make_diskstats() {
  return std::make_unique<DiskstatsCollector>();
}

}  // namespace

extern const CollectorDescriptor kDiskstatsCollector = {
    .name = "diskstats",
    .help = "I/O per disk",
    .make = make_diskstats,
    .metrics = diskstats_metrics,
};

}  // namespace reveal::collect
