// stats of the Lustre client's mounts: bytes that programs read and wrote through it. They are in
// debugfs, which only root can read unless it is mounted otherwise.
#include <deque>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_rows.h"
#include "procfs/folder.h"
#include "procfs/lustre_stats.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using procfs::LustreStats;

constexpr std::size_t kMaxMounts = 64;

constexpr MetricRow<procfs::Value LustreStats::*> row(procfs::Value LustreStats::*member,
                                                      std::string_view source,
                                                      std::string_view alias, std::string_view name,
                                                      std::string_view label,
                                                      std::string_view help) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "bytes";
  out.kind = model::Kind::kCounter;
  out.subsystem = model::Subsystem::kStorage;
  out.scope = model::Scope::kDevice;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://wiki.lustre.org/Lustre_Monitoring_and_Statistics_Guide";
  out.help = help;
  out.rank = 40;
  return {member, out};
}

constexpr MetricRow<procfs::Value LustreStats::*> kRows[] = {
    row(&LustreStats::read_bytes, "/sys/kernel/debug/lustre/llite/*/stats read_bytes", "read_bytes",
        "storage_lustre_read_bytes_total", "Lustre bytes read",
        "Bytes that programs read through the mount."),
    row(&LustreStats::written_bytes, "/sys/kernel/debug/lustre/llite/*/stats write_bytes",
        "write_bytes", "storage_lustre_written_bytes_total", "Lustre bytes written",
        "Bytes that programs wrote through the mount."),
};

class LustreCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    folder_ = root.sys_path("kernel/debug/lustre/llite");
    const std::string debug = root.sys_path("kernel/debug");
    if (::access(debug.c_str(), F_OK) == 0 && ::access(debug.c_str(), X_OK) != 0) {
      return base::fail(base::ErrorKind::kPermission, "cannot be entered", debug,
                        "run as root, or mount debugfs with a mode that this user may enter");
    }
    if (!procfs::for_each_name(folder_, kMaxMounts, [](std::string_view) {})) {
      return base::fail(base::ErrorKind::kAbsent, "no Lustre client has a mount", folder_);
    }
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    procfs::for_each_name(folder_, kMaxMounts, [&](std::string_view name) {
      if (Mount* mount = find_or_add(name)) read(writer, *mount);
    });
  }

 private:
  struct Mount {
    std::string name;
    procfs::TextFile file;
    InstanceChannels channels;
  };

  Mount* find_or_add(std::string_view name) {
    for (Mount& mount : mounts_) {
      if (mount.name == name) return &mount;
    }
    if (mounts_.size() >= kMaxMounts) return nullptr;
    mounts_.push_back({std::string(name),
                       procfs::TextFile(fmt::format("{}/{}/stats", folder_, name)),
                       InstanceChannels(metrics_, fmt::format("mount={}", name))});
    return &mounts_.back();
  }

  static void read(FrameWriter& writer, Mount& mount) {
    const auto text = mount.file.read();
    if (!text) return;
    const LustreStats stats = procfs::parse_lustre_stats(*text);
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
      mount.channels.set(writer, i, stats.*kRows[i].key);
    }
  }

  std::vector<MetricDescriptor> metrics_ = metrics_of(kRows);
  std::string folder_;
  std::deque<Mount> mounts_;
};

std::vector<MetricDescriptor> lustre_metrics() {
  return metrics_of(kRows);
}

std::unique_ptr<Collector> make_lustre() {
  return std::make_unique<LustreCollector>();
}

}  // namespace

extern const CollectorDescriptor kLustreCollector = {
    .name = "lustre",
    .help = "bytes through the Lustre client",
    .make = make_lustre,
    .metrics = lustre_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
    .opt_in = true,
};

}  // namespace reveal::collect
