// How the queue of each disk is set, and whether a RAID array runs with disks missing. What differs
// here between hosts of one kind is often why one of them is slower.
#include <array>
#include <string>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/storage/disk_folders.h"
#include "procfs/chosen_word.h"
#include "procfs/small_file.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr MetricDescriptor row(std::string_view source, Kind kind, std::string_view unit,
                               std::string_view name, std::string_view label, std::string_view help,
                               std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = model::Subsystem::kStorage;
  out.scope = model::Scope::kDisk;
  out.source = source;
  out.alias = source.substr(source.rfind('/') + 1);
  out.doc_url = "https://docs.kernel.org/admin-guide/abi-stable.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor kib(MetricDescriptor out) {
  out.scale = 1024.0;
  return out;
}

constexpr MetricDescriptor of_raid(MetricDescriptor out) {
  out.doc_url = "https://docs.kernel.org/admin-guide/md.html";
  return out;
}

constexpr MetricDescriptor kMetrics[] = {
    row("/sys/block/*/queue/nr_requests", Kind::kStatic, "requests", "storage_queue_limit_requests",
        "Disk queue limit", "Requests that may wait in the disk's queue before a task has to."),
    kib(row("/sys/block/*/queue/read_ahead_kb", Kind::kStatic, "bytes", "storage_read_ahead_bytes",
            "Disk read-ahead", "How far the kernel reads ahead of a task on this disk.")),
    row("/sys/block/*/queue/rotational", Kind::kStatic, "flag", "storage_rotational_flag",
        "Rotating disk", "Whether the kernel takes the disk for one with moving parts."),
    of_raid(row("/sys/block/*/md/degraded", Kind::kGauge, "disks", "storage_raid_missing_disks",
                "Disks missing from a RAID array",
                "Disks that the array should have and has not, or that do not work.", 30)),
};
constexpr std::string_view kFolder = "/sys/block/*/";

struct Disk {
  Disk(const std::string& folder, std::string disk)
      : name(std::move(disk)),
        channels(kMetrics, disk_instance(name)),
        scheduler(fmt::format("{}/{}/queue/scheduler", folder, name)) {
    for (const auto& metric : kMetrics) {
      files.emplace_back(
          fmt::format("{}/{}/{}", folder, name, metric.source.substr(kFolder.size())));
    }
  }

  void release(FrameWriter& writer) {
    channels.release(writer);
    say(writer, "");
  }

  // The kernel's word for its scheduler; empty if the disk is gone.
  void say(FrameWriter& writer, std::string_view now) {
    if (now == said_scheduler) return;
    said_scheduler = now;
    writer.note_fact(fmt::format("I/O scheduler of {}", name), now);
  }

  std::string name;
  InstanceChannels channels;
  std::vector<std::string> files;  // by metric
  std::string scheduler;
  std::string said_scheduler;
  bool is_there = false;
};

class DiskQueueCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    disks_ = DiskFolders<Disk>(root.sys_path("block"));
    const auto before = channels.channel_count();
    add_channels_of(*this, channels);
    if (channels.channel_count() == before) {
      return base::fail(base::ErrorKind::kAbsent, "no disk shows its queue settings",
                        disks_.folder());
    }
    // What was said into that thrown-away frame is yet to be said.
    disks_.for_each_known([](Disk& disk) { disk.said_scheduler.clear(); });
    return {};
  }

  void collect(FrameWriter& writer) override {
    disks_.for_each_known([](Disk& disk) { disk.is_there = false; });
    disks_.for_each(writer, [&](Disk& disk) {
      disk.is_there = true;
      for (std::size_t i = 0; i < disk.files.size(); ++i) {
        disk.channels.set(writer, i, procfs::read_number(disk.files[i]));
      }
    });
    disks_.for_each_known([&](Disk& disk) { say_scheduler(writer, disk); });
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    const auto file = metric.source.substr(kFolder.size());
    return {base::ErrorKind::kAbsent, fmt::format("no disk has {}", file), disks_.folder(), ""};
  }

 private:
  static void say_scheduler(FrameWriter& writer, Disk& disk) {
    std::array<char, 512> buffer{};
    // That of a disk that has gone is gone as well: the fact ends.
    const auto text = procfs::read_small_file(disk.scheduler, buffer);
    disk.say(writer, disk.is_there ? procfs::chosen_word(text) : std::string_view());
  }

  DiskFolders<Disk> disks_;
};

std::vector<MetricDescriptor> disk_queue_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_disk_queue() {
  return std::make_unique<DiskQueueCollector>();
}

}  // namespace

extern const CollectorDescriptor kDiskQueueCollector = {
    .name = "disk_queue",
    .help = "how each disk's queue is set, and RAID",
    .make = make_disk_queue,
    .metrics = disk_queue_metrics,
    .poll_class = PollClass::kSlow,
};

}  // namespace reveal::collect
