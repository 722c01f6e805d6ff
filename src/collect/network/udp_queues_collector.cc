// /proc/net/udp and udp6: bytes that wait at the UDP sockets of this network namespace. A long
// receive queue is a program that reads too slowly; when it is full, datagrams are dropped
// (network_udp_receive_buffer_errors_total).
#include <array>
#include <string>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_maker.h"
#include "collect/parts/metric_rows.h"
#include "procfs/text_file.h"
#include "procfs/udp_queues.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using procfs::UdpQueues;

constexpr MetricOrigin kOrigin = {
    .subsystem = model::Subsystem::kNetwork,
    .doc_url = "https://docs.kernel.org/networking/proc_net_tcp.html"};

constexpr MetricRow<std::uint64_t UdpQueues::*> kRows[] = {
    {&UdpQueues::receive_bytes,
     describe(kOrigin, {.name = "network_udp_receive_queue_bytes",
                        .label = "Unread bytes at UDP sockets",
                        .unit = "bytes",
                        .source = "/proc/net/{udp,udp6} rx_queue",
                        .alias = "node_udp_queues rx",
                        .help = "Bytes that UDP sockets hold and programs have not read.",
                        .rank = 50})},
    {&UdpQueues::longest_receive_bytes,
     describe(kOrigin, {.name = "network_udp_receive_queue_longest_bytes",
                        .label = "Unread bytes at the fullest UDP socket",
                        .unit = "bytes",
                        .source = "/proc/net/{udp,udp6} largest rx_queue",
                        .alias = "rx_queue",
                        .help = "Bytes of the UDP socket that holds most unread ones.",
                        .rank = 40})},
    {&UdpQueues::send_bytes,
     describe(kOrigin,
              {.name = "network_udp_send_queue_bytes",
               .label = "Unsent bytes at UDP sockets",
               .unit = "bytes",
               .source = "/proc/net/{udp,udp6} tx_queue",
               .alias = "node_udp_queues tx",
               .help = "Bytes that programs sent over UDP and that have not left the host.",
               .rank = 60})},
};

// Holds a socket of udp6 whose numbers have all the digits that they can have. To find that there
// is no further socket the kernel would walk over its whole table once more.
constexpr std::size_t kLongestLine = 256;

class UdpQueuesCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    files_[0] = procfs::TextFile(root.proc_path("net/udp"), kLongestLine);
    files_[1] = procfs::TextFile(root.proc_path("net/udp6"), kLongestLine);
    auto first = files_[0].read();
    if (!first && !files_[1].read()) return base::pass(first);
    add_channels_of(*this, channels);
    return {};
  }

  // A file that is not there is of a family that is off; one that is broken spoils the sums.
  void collect(FrameWriter& writer) override {
    UdpQueues queues;
    bool any = false;
    for (auto& file : files_) {
      const auto text = file.read();
      if (!text && text.error().kind == base::ErrorKind::kAbsent) continue;
      if (!text || !procfs::add_udp_queues(*text, queues)) return;
      any = true;
    }
    if (!any) return;
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
      channels_.set(writer, i, procfs::Value(queues.*kRows[i].key));
    }
  }

 private:
  std::array<procfs::TextFile, 2> files_;
  std::vector<MetricDescriptor> metrics_ = metrics_of(kRows);
  InstanceChannels channels_{metrics_, ""};
};

std::vector<MetricDescriptor> udp_queues_metrics() {
  return metrics_of(kRows);
}

std::unique_ptr<Collector> make_udp_queues() {
  return std::make_unique<UdpQueuesCollector>();
}

}  // namespace

extern const CollectorDescriptor kUdpQueuesCollector = {
    .name = "udp_queues",
    .help = "bytes waiting at UDP sockets",
    .make = make_udp_queues,
    .metrics = udp_queues_metrics,
    .poll_class = PollClass::kMedium,
    // The kernel finds the place of each 4 KiB of the file anew, so ten thousand sockets take a
    // tick.
    .may_block = true,
};

}  // namespace reveal::collect
