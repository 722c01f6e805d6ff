// /proc/self/mountstats: each NFS mount by itself, how long its server takes to answer and how many
// requests had to be sent again. Reading the file asks no server. A file system that is mounted in
// several places is told at the first.
//
// Reads and writes are told apart, as are all operations together: "op=read", "op=write", "op=all".
#include <algorithm>
#include <array>
#include <deque>
#include <string>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/device_files.h"
#include "collect/instance_channels.h"
#include "collect/metric_maker.h"
#include "collect/metric_rows.h"
#include "procfs/mountstats.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using procfs::NfsMount;
using procfs::NfsOperation;
using procfs::Value;

constexpr std::size_t kMaxMounts = 64;

constexpr MetricOrigin kOrigin = {
    .subsystem = model::Subsystem::kStorage,
    .scope = model::Scope::kDevice,
    .doc_url = "https://man7.org/linux/man-pages/man8/nfsiostat.8.html"};

constexpr MetricRow<Value NfsMount::*> kMountRows[] = {
    {&NfsMount::read_bytes, describe(kOrigin, {.name = "storage_nfs_mount_read_bytes_total",
                                               .label = "Bytes read from an NFS server",
                                               .unit = "bytes",
                                               .kind = Kind::kCounter,
                                               .source = "/proc/self/mountstats bytes read",
                                               .alias = "serverreadbytes",
                                               .help = "Bytes that the server sent to the mount.",
                                               .rank = 30})},
    {&NfsMount::written_bytes,
     describe(kOrigin, {.name = "storage_nfs_mount_written_bytes_total",
                        .label = "Bytes written to an NFS server",
                        .unit = "bytes",
                        .kind = Kind::kCounter,
                        .source = "/proc/self/mountstats bytes written",
                        .alias = "serverwritebytes",
                        .help = "Bytes that the mount sent to the server.",
                        .rank = 30})},
    {&NfsMount::connections,
     describe(kOrigin, {.name = "storage_nfs_mount_connections_total",
                        .label = "Connections made to an NFS server",
                        .unit = "connections",
                        .kind = Kind::kEvent,
                        .source = "/proc/self/mountstats xprt connect_count",
                        .alias = "connect_count",
                        .help = "Connections made for the mount; more than it needs were lost.",
                        .rank = 60})},
    {&NfsMount::sent_requests,
     describe(kOrigin, {.name = "storage_nfs_mount_sent_requests_total",
                        .label = "Requests sent to an NFS server",
                        .unit = "requests",
                        .kind = Kind::kCounter,
                        .source = "/proc/self/mountstats xprt sends",
                        .alias = "sends",
                        .help = "Requests sent over the mount's connections, again or not.",
                        .rank = 60})},
    {&NfsMount::unexpected_answers,
     describe(kOrigin, {.name = "storage_nfs_mount_unexpected_answers_total",
                        .label = "Answers of an NFS server to no request",
                        .unit = "answers",
                        .kind = Kind::kEvent,
                        .source = "/proc/self/mountstats xprt bad_xids",
                        .alias = "bad_xids",
                        .help = "Answers that came when nobody waited for them any more.",
                        .rank = 60})},
    {&NfsMount::backlog_requests,
     describe(kOrigin, {.name = "storage_nfs_mount_backlog_requests_total",
                        .label = "Backlog of requests to an NFS server",
                        .unit = "requests",
                        .kind = Kind::kCounter,
                        .source = "/proc/self/mountstats xprt bklog_u",
                        .alias = "rpc bklog",
                        .help = "Requests that waited for a free slot, added up at each request "
                                "sent; by requests sent it is the mean backlog.",
                        .rank = 50})},
};

constexpr MetricRow<Value NfsOperation::*> kOperationRows[] = {
    {&NfsOperation::operations,
     describe(kOrigin, {.name = "storage_nfs_mount_operations_total",
                        .label = "Operations on an NFS mount",
                        .unit = "operations",
                        .kind = Kind::kCounter,
                        .source = "/proc/self/mountstats per-op ops",
                        .alias = "ops",
                        .help = "Operations that the server has completed.",
                        .rank = 40})},
    {&NfsOperation::retransmissions,
     describe(
         kOrigin,
         {.name = "storage_nfs_mount_retransmits_total",
          .label = "Operations on an NFS mount sent again",
          .unit = "requests",
          .kind = Kind::kEvent,
          .source = "/proc/self/mountstats per-op ntrans - ops",
          .alias = "retrans",
          .help = "Requests sent again because no answer came. The kernel counts them when the "
                  "operation ends, so all of an outage at its end.",
          .rank = 20})},
    {&NfsOperation::timeouts,
     describe(kOrigin, {.name = "storage_nfs_mount_timeouts_total",
                        .label = "Timeouts of an NFS mount",
                        .unit = "timeouts",
                        .kind = Kind::kEvent,
                        .source = "/proc/self/mountstats per-op timeouts",
                        .alias = "timeouts",
                        .help = "Times that the server did not answer any attempt for so long that "
                                "the client called it not responding.",
                        .rank = 20})},
    {&NfsOperation::errors,
     describe(kOrigin, {.name = "storage_nfs_mount_errors_total",
                        .label = "Failed operations on an NFS mount",
                        .unit = "operations",
                        .kind = Kind::kEvent,
                        .source = "/proc/self/mountstats per-op errors",
                        .alias = "errors",
                        .help = "Operations that ended with an error, a file that is not there "
                                "among them (Linux 5.4).",
                        .rank = 60})},
    {&NfsOperation::queue_ms,
     describe(kOrigin, {.name = "storage_nfs_mount_queue_seconds_total",
                        .label = "Wait before NFS operations are sent",
                        .unit = "seconds",
                        .kind = Kind::kCounter,
                        .scale = 1e-3,
                        .source = "/proc/self/mountstats per-op queue",
                        .alias = "avg queue",
                        .help = "Time that operations waited to be sent, each counted for itself.",
                        .rank = 50})},
    {&NfsOperation::round_trip_ms,
     describe(kOrigin, {.name = "storage_nfs_mount_round_trip_seconds_total",
                        .label = "Round trip time of NFS operations",
                        .unit = "seconds",
                        .kind = Kind::kCounter,
                        .scale = 1e-3,
                        .source = "/proc/self/mountstats per-op rtt",
                        .alias = "avg RTT",
                        .help = "Time from sending to the answer, each operation counted for "
                                "itself.",
                        .rank = 30})},
    {&NfsOperation::execution_ms,
     describe(kOrigin, {.name = "storage_nfs_mount_execution_seconds_total",
                        .label = "Time that NFS operations took",
                        .unit = "seconds",
                        .kind = Kind::kCounter,
                        .scale = 1e-3,
                        .source = "/proc/self/mountstats per-op execute",
                        .alias = "avg exe",
                        .help = "Time that operations took in all, each counted for itself.",
                        .rank = 30})},
};

constexpr std::size_t kFirstOperationRow = std::size(kMountRows);

std::vector<MetricDescriptor> nfs_mounts_metrics() {
  auto out = metrics_of(kMountRows);
  for (const auto& row : kOperationRows) out.push_back(row.metric);
  return out;
}

class NfsMountsCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    file_ = procfs::TextFile(root.proc_path("self/mountstats"));
    if (auto text = file_.read(); !text) return base::pass(text);
    add_channels_of(*this, channels);
    if (!mounts_.empty()) return {};
    return base::fail(base::ErrorKind::kAbsent, "no NFS file system is mounted", file_.path(), "");
  }

  void collect(FrameWriter& writer) override {
    const auto text = file_.read();
    if (!text) return;
    procfs::parse_mountstats(*text, read_);
    for (Mount& mount : mounts_) mount.told = false;
    for (const NfsMount& mount : read_) {
      Mount* known = find_or_add(mount);
      if (known == nullptr || std::exchange(known->told, true)) continue;
      set(writer, *known, mount);
    }
  }

 private:
  struct Mount {
    std::string device;
    bool told;
    InstanceChannels whole;
    std::array<InstanceChannels, 3> operations;
  };

  Mount* find_or_add(const NfsMount& mount) {
    const auto at = std::find_if(mounts_.begin(), mounts_.end(),
                                 [&](const Mount& known) { return known.device == mount.device; });
    if (at != mounts_.end()) return &*at;
    if (mounts_.size() >= kMaxMounts) return nullptr;
    const auto of = [&](std::string_view operation) {
      return InstanceChannels(metrics_,
                              fmt::format("mount={}{}", instance_text(mount.point), operation));
    };
    return &mounts_.emplace_back(Mount{std::string(mount.device),
                                       false,
                                       of(""),
                                       {of(",op=read"), of(",op=write"), of(",op=all")}});
  }

  static void set(FrameWriter& writer, Mount& to, const NfsMount& mount) {
    for (std::size_t i = 0; i < std::size(kMountRows); ++i) {
      to.whole.set(writer, i, mount.*kMountRows[i].key);
    }
    const std::array<const NfsOperation*, 3> operations = {&mount.read, &mount.write, &mount.all};
    for (std::size_t operation = 0; operation < operations.size(); ++operation) {
      for (std::size_t i = 0; i < std::size(kOperationRows); ++i) {
        to.operations[operation].set(writer, kFirstOperationRow + i,
                                     operations[operation]->*kOperationRows[i].key);
      }
    }
  }

  std::vector<MetricDescriptor> metrics_ = nfs_mounts_metrics();
  procfs::TextFile file_;
  std::vector<NfsMount> read_;
  std::deque<Mount> mounts_;  // all that were ever there
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
