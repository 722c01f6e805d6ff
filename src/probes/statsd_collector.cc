#include "probes/statsd_collector.h"

#include <utility>

#include <fmt/format.h>

namespace reveal::probes {
namespace {

// Whether a sample can be one of a metric that is declared so.
bool suits(StatsdType type, model::Kind kind) {
  const bool is_sum = kind == model::Kind::kCounter || kind == model::Kind::kEvent;
  return is_sum == (type == StatsdType::kCount);
}

}  // namespace

StatsdCollector::StatsdCollector(LoopbackAddress address,
                                 std::shared_ptr<const DeclaredMetrics> metrics)
    : address_(std::move(address)),
      buffer_(LoopbackSocket::kLongest),
      channels_(std::move(metrics), "statsd") {}

base::Result<void> StatsdCollector::open(const procfs::HostRoot& /*root*/,
                                         model::ChannelTable& /*channels*/) {
  auto socket = LoopbackSocket::open(address_);
  if (!socket) return base::pass(socket);
  socket_ = std::move(*socket);
  return {};
}

void StatsdCollector::collect(collect::FrameWriter& writer) {
  now_ = Clock::now();
  channels_.begin(now_);
  take_datagrams();
  std::erase_if(series_, [this](const auto& each) {
    return now_ - each.second.sampled_at >= SeriesChannels::kKept;
  });
  for (auto& each : series_) tell(each.first, each.second, writer);
  remark(writer);
  channels_.end(writer);
}

void StatsdCollector::take_datagrams() {
  datagram_.refused = 0;
  datagram_.refusal = nullptr;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kMostDatagrams && bytes < kMostBytes; ++i) {
    const auto text = socket_->next(buffer_.data());
    if (!text) break;
    bytes += text->size();
    datagram_.samples.clear();
    read_datagram(*text, datagram_);
    for (const auto& sample : datagram_.samples) take(sample);
  }
  if (datagram_.refusal != nullptr) refuse(datagram_.refusal);
}

void StatsdCollector::take(const StatsdSample& sample) {
  const auto* metric = channels_.metric(sample.metric);
  if (metric == nullptr) return;
  if (!suits(sample.type, metric->kind)) {
    return refuse("a metric comes as another type than it is declared as");
  }
  Key key(metric->name, sample.instance);
  auto found = series_.find(key);
  if (found == series_.end()) {
    // Beyond them a series has no channel, but the rest of this may be said of one.
    if (series_.size() > SeriesChannels::kMost) return;
    found = series_.emplace(std::move(key), Series{}).first;
    found->second.metric = metric;
  }
  add(sample, found->second);
}

void StatsdCollector::add(const StatsdSample& sample, Series& series) {
  series.is_new = true;
  series.sampled_at = now_;
  series.is_timing = sample.type == StatsdType::kTiming;
  if (series.is_timing) {
    series.sum += sample.value;
    ++series.count;
  } else if (sample.type == StatsdType::kLevel) {
    series.total = sample.value;
  } else {
    series.total += sample.value;
  }
}

void StatsdCollector::tell(const Key& key, Series& series, collect::FrameWriter& writer) {
  if (series.is_timing) return tell_mean(key, series, writer);
  const bool is_level = !suits(StatsdType::kCount, series.metric->kind);
  const bool stands = is_level && !series.is_new;
  // A sum begins at 0, so that what makes it begin is not lost: a rate needs two readings.
  const double value = is_level || series.is_begun ? series.total : 0.0;
  series.is_begun = true;
  series.is_new = false;
  channels_.set(writer, *series.metric, key.second, value,
                stands ? model::Validity::kStale : model::Validity::kFresh);
}

void StatsdCollector::tell_mean(const Key& key, Series& series, collect::FrameWriter& writer) {
  if (series.count > 0) series.total = series.sum / static_cast<double>(series.count);
  const bool is_new = series.count > 0;
  series.sum = 0;
  series.count = 0;
  series.is_new = false;
  if (!is_new && now_ - series.sampled_at > kMeanStands) return;
  channels_.set(writer, *series.metric, key.second, series.total,
                is_new ? model::Validity::kFresh : model::Validity::kStale);
}

void StatsdCollector::remark(collect::FrameWriter& writer) {
  if (refusal_ != nullptr) channels_.say(writer, "statsd: lines that are not read", refusal_);
  if (socket_->dropped() > 0) {
    channels_.say(writer, "statsd: datagrams lost",
                  "more came between two readings than the kernel keeps (net.core.rmem_max)");
  }
}

}  // namespace reveal::probes
