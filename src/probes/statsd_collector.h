// A UDP socket to which programs of this host send StatsD's samples. It is emptied at each reading:
//
//   counts     are added up, and told as what they are declared: a counter, or an event;
//   levels     stand until the next sample;
//   timings    are told as the mean of those since the reading before; if there were none, the mean
//              before stands for ten seconds.
//
// Anything can be sent by anybody of this host, so a reading takes a bounded number of datagrams,
// and there is a bounded number of series.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collect/collector.h"
#include "probes/loopback_socket.h"
#include "probes/series_channels.h"
#include "probes/statsd.h"

namespace reveal::probes {

class StatsdCollector final : public collect::Collector {
 public:
  // In a reading.
  static constexpr std::size_t kMostDatagrams = 5000;
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  static constexpr std::chrono::seconds kMeanStands{10};

  StatsdCollector(LoopbackAddress address, std::shared_ptr<const DeclaredMetrics> metrics);

  // Fails if it cannot have the port.
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override;
  void collect(collect::FrameWriter& writer) override;

 private:
  struct Series {
    const model::MetricDescriptor* metric = nullptr;
    double total = 0;  // of counts, or the level
    double sum = 0;    // of timings since the last reading
    std::uint64_t count = 0;
    bool is_timing = false;
    bool is_begun = false;  // a value was told
    bool is_new = false;    // there was a sample since the last reading
    Clock::time_point sampled_at;
  };
  using Key = std::pair<std::string_view, std::string>;  // the metric's name is the table's

  void take_datagrams();
  void take(const StatsdSample& sample);
  void add(const StatsdSample& sample, Series& series);
  void tell(const Key& key, Series& series, collect::FrameWriter& writer);
  void tell_mean(const Key& key, Series& series, collect::FrameWriter& writer);
  void remark(collect::FrameWriter& writer);
  void refuse(const char* why) {
    if (refusal_ == nullptr) refusal_ = why;
  }

  LoopbackAddress address_;
  std::optional<LoopbackSocket> socket_;
  std::vector<char> buffer_;
  Datagram datagram_;
  std::map<Key, Series> series_;
  SeriesChannels channels_;
  Clock::time_point now_;
  const char* refusal_ = nullptr;  // the first of the run
};

}  // namespace reveal::probes
