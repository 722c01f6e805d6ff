// /proc/net/rpc/nfsd: the NFS server of this host, where it is one: its threads, its bytes and its
// calls. https://docs.kernel.org/admin-guide/nfs/index.html
//
// All counters have 32 bits before Linux 5.13, and since then the bytes, reply cache and handles
// 64: a number above 2^32 shows that (derive/counter_delta.h). At 400 MB/s bytes of 32 bits go
// round in ten seconds, so they are read every second.
#include "collect/collector.h"
#include "collect/parts/keyed_collector.h"
#include "collect/parts/metric_maker.h"
#include "procfs/rpc_layout.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr MetricOrigin kOrigin = {
    .subsystem = model::Subsystem::kStorage,
    .doc_url = "https://man7.org/linux/man-pages/man8/nfsstat.8.html"};

constexpr MetricDescriptor kMetrics[] = {
    describe(kOrigin, {.name = "storage_nfsd_threads",
                       .label = "NFS server threads",
                       .unit = "threads",
                       .source = "/proc/net/rpc/nfsd th threads",
                       .alias = "nfsd th",
                       .help = "Threads of the NFS server; calls that find none free wait.",
                       .rank = 80}),
    describe(kOrigin, {.name = "storage_nfsd_read_bytes_total",
                       .label = "Bytes read by NFS clients",
                       .unit = "bytes",
                       .kind = Kind::kCounter,
                       .counter_bits = 32,
                       .source = "/proc/net/rpc/nfsd io read",
                       .alias = "nfsd io read",
                       .help = "Bytes that clients read from this host.",
                       .rank = 40}),
    describe(kOrigin, {.name = "storage_nfsd_written_bytes_total",
                       .label = "Bytes written by NFS clients",
                       .unit = "bytes",
                       .kind = Kind::kCounter,
                       .counter_bits = 32,
                       .source = "/proc/net/rpc/nfsd io written",
                       .alias = "nfsd io write",
                       .help = "Bytes that clients wrote to this host.",
                       .rank = 40}),
    describe(kOrigin, {.name = "storage_nfsd_calls_total",
                       .label = "Calls of NFS clients",
                       .unit = "calls",
                       .kind = Kind::kCounter,
                       .counter_bits = 32,
                       .source = "/proc/net/rpc/nfsd rpc calls",
                       .alias = "nfsd calls",
                       .help = "Calls that clients made to this host.",
                       .rank = 50}),
    describe(kOrigin, {.name = "storage_nfsd_bad_calls_total",
                       .label = "Refused calls of NFS clients",
                       .unit = "calls",
                       .kind = Kind::kEvent,
                       .counter_bits = 32,
                       .source = "/proc/net/rpc/nfsd rpc badcalls",
                       .alias = "badcalls",
                       .help = "Calls refused for their form or their credentials.",
                       .rank = 60}),
    describe(kOrigin, {.name = "storage_nfsd_connections_total",
                       .label = "Connections of NFS clients",
                       .unit = "connections",
                       .kind = Kind::kCounter,
                       .counter_bits = 32,
                       .source = "/proc/net/rpc/nfsd net connections",
                       .alias = "nfsd tcpconn",
                       .help = "TCP connections that clients have made."}),
    describe(kOrigin, {.name = "storage_nfsd_repeated_calls_total",
                       .label = "Repeated calls of NFS clients",
                       .unit = "calls",
                       .kind = Kind::kEvent,
                       .counter_bits = 32,
                       .source = "/proc/net/rpc/nfsd rc hits",
                       .alias = "nfsd rc hits",
                       .help = "Calls that came once more and were answered from the reply cache: "
                               "the clients waited too long for the first answer.",
                       .rank = 30}),
    describe(kOrigin, {.name = "storage_nfsd_stale_handles_total",
                       .label = "Stale file handles of NFS clients",
                       .unit = "handles",
                       .kind = Kind::kEvent,
                       .counter_bits = 32,
                       .source = "/proc/net/rpc/nfsd fh stale",
                       .alias = "nfsd fh stale",
                       .help = "Handles of files that are not there any more.",
                       .rank = 80}),
};

std::vector<MetricDescriptor> nfsd_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_nfsd() {
  return std::make_unique<KeyedCollector<procfs::NfsdLayout>>(
      "net/rpc/nfsd", nfsd_metrics(), "nothing to do, unless this host should be an NFS server",
      Restart::kTogether);
}

}  // namespace

extern const CollectorDescriptor kNfsdCollector = {
    .name = "nfsd",
    .help = "the NFS server of this host",
    .make = make_nfsd,
    .metrics = nfsd_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
