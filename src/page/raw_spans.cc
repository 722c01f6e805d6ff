#include "page/raw_spans.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

namespace reveal::page {
namespace {

bool touch(const ChannelSpan& a, const ChannelSpan& b) {
  return a.channel == b.channel && a.begin_ns <= b.end_ns && b.begin_ns <= a.end_ns;
}

// Far from overflow, whatever a file says.
std::int64_t sane(std::int64_t wall_ns) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max() / 4;
  return std::clamp(wall_ns, -kMax, kMax);
}

}  // namespace

std::vector<ChannelSpan> joined(const std::vector<ChannelSpan>& spans) {
  std::vector<ChannelSpan> out;
  for (ChannelSpan span : spans) {
    // What it joins may now touch others, which came before it as well.
    std::size_t place = out.size();
    for (std::size_t i = out.size(); i > 0; --i) {
      if (!touch(out[i - 1], span)) continue;
      span.begin_ns = std::min(span.begin_ns, out[i - 1].begin_ns);
      span.end_ns = std::max(span.end_ns, out[i - 1].end_ns);
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(i - 1));
      place = std::min(place, i - 1);
      i = out.size() + 1;
    }
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(std::min(place, out.size())), span);
  }
  return out;
}

base::Result<void> RawSpans::begin(const model::RunFacts& facts) {
  interval_ns_ = facts.interval_ns;
  return {};
}

void RawSpans::lay_out(std::int64_t begin_ns) {
  std::uint64_t samples = 0;
  for (const ChannelSpan& span : spans_) {
    const std::int64_t from_ns = std::max<std::int64_t>(0, sane(span.begin_ns) - sane(begin_ns));
    const std::int64_t to_ns = sane(span.end_ns) - sane(begin_ns);
    if (to_ns < from_ns) continue;
    const auto first = static_cast<std::uint64_t>(from_ns / interval_ns_);
    const auto last = static_cast<std::uint64_t>(to_ns / interval_ns_);
    samples += last - first + 1;
    if (samples > kMaxSamples) return;
    RawSpan raw_span;
    raw_span.channel = span.channel;
    raw_span.first_tick = first;
    raw_span.samples.assign(last - first + 1, std::numeric_limits<double>::quiet_NaN());
    raw_spans_.push_back(std::move(raw_span));
  }
}

base::Result<void> RawSpans::write(const model::ChannelTable& channels, const model::Frame& frame) {
  if (ticks_ == 0) {
    first_sequence_ = frame.sequence;
    if (interval_ns_ > 0) lay_out(frame.wall_ns);
  }
  const std::uint64_t tick = frame.sequence - first_sequence_;
  ticks_ = tick + 1;
  for (; channels_known_ < channels.channel_count(); ++channels_known_) {
    const auto name = channels.name(model::ChannelId(channels_known_));
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < raw_spans_.size(); ++i) {
      if (raw_spans_[i].channel == name) wanted.push_back(i);
    }
    if (!wanted.empty()) watched_.push_back(channels_known_);
    raw_spans_of_.push_back(std::move(wanted));
  }
  for (const std::size_t channel : watched_) {
    if (channel >= frame.bits.size() || frame.validity[channel] == model::Validity::kMissing) {
      continue;
    }
    const auto value = std::bit_cast<double>(frame.bits[channel]);
    if (!std::isfinite(value)) continue;
    for (const std::size_t i : raw_spans_of_[channel]) {
      RawSpan& raw_span = raw_spans_[i];
      if (tick < raw_span.first_tick || tick - raw_span.first_tick >= raw_span.samples.size())
        continue;
      raw_span.samples[tick - raw_span.first_tick] = value;
      raw_span.channel_index = channel;
      raw_span.any = true;
    }
  }
  return {};
}

base::Result<void> RawSpans::finish() {
  std::erase_if(raw_spans_, [](const RawSpan& raw_span) { return !raw_span.any; });
  for (RawSpan& raw_span : raw_spans_) {
    const std::uint64_t there = ticks_ - raw_span.first_tick;
    if (raw_span.samples.size() > there) raw_span.samples.resize(there);
  }
  return {};
}

}  // namespace reveal::page
