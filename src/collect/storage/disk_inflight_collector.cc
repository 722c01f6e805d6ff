// /sys/block/*/inflight: requests that a disk has not completed, reads and writes apart;
// /proc/diskstats has them added up.
// https://docs.kernel.org/block/stat.html
#include <array>
#include <string>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/storage/disk_folders.h"
#include "procfs/small_file.h"
#include "procfs/text_cursor.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;

constexpr MetricDescriptor row(std::string_view source, std::string_view name,
                               std::string_view label, std::string_view help) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "requests";
  out.counter_bits = 32;  // printed so if it is below zero for a moment
  out.subsystem = model::Subsystem::kStorage;
  out.scope = model::Scope::kDisk;
  out.source = source;
  out.alias = source.substr(source.rfind('/') + 1);
  out.doc_url = "https://docs.kernel.org/block/stat.html";
  out.help = help;
  out.rank = 80;
  return out;
}

// By the place of the number in the file.
constexpr MetricDescriptor kMetrics[] = {
    row("/sys/block/*/inflight reads", "storage_reads_in_flight_requests", "Disk reads in flight",
        "Reads sent to the disk and not completed."),
    row("/sys/block/*/inflight writes", "storage_writes_in_flight_requests",
        "Disk writes in flight", "Writes sent to the disk and not completed."),
};

struct Disk {
  Disk(const std::string& folder, std::string disk)
      : name(std::move(disk)),
        channels(kMetrics, disk_instance(name)),
        file(fmt::format("{}/{}/inflight", folder, name)) {}

  void release(FrameWriter& writer) { channels.release(writer); }

  std::string name;
  InstanceChannels channels;
  std::string file;
};

class DiskInflightCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    disks_ = DiskFolders<Disk>(root.sys_path("block"));
    const auto before = channels.channel_count();
    add_channels_of(*this, channels);
    if (channels.channel_count() == before) {
      return base::fail(base::ErrorKind::kAbsent, "no disk shows its requests in flight",
                        disks_.folder());
    }
    return {};
  }

  void collect(FrameWriter& writer) override {
    disks_.for_each(writer, [&](Disk& disk) {
      std::array<char, 64> buffer{};
      std::string_view line;
      if (!procfs::LineCursor(procfs::read_small_file(disk.file, buffer)).next(line)) return;
      procfs::WordCursor words(line);
      procfs::Value value;
      for (std::size_t i = 0; i < std::size(kMetrics) && words.next(value); ++i) {
        disk.channels.set(writer, i, value);
      }
    });
  }

 private:
  DiskFolders<Disk> disks_;
};

std::vector<MetricDescriptor> disk_inflight_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_disk_inflight() {
  return std::make_unique<DiskInflightCollector>();
}

}  // namespace

extern const CollectorDescriptor kDiskInflightCollector = {
    .name = "disk_inflight",
    .help = "reads and writes in flight per disk",
    .make = make_disk_inflight,
    .metrics = disk_inflight_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
