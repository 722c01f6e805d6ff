#include "page/detail.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

namespace reveal::page {
namespace {

bool touch(const DetailSpan& a, const DetailSpan& b) {
  return a.channel == b.channel && a.begin_ns <= b.end_ns && b.begin_ns <= a.end_ns;
}

// Far from overflow, whatever a file says.
std::int64_t sane(std::int64_t wall_ns) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;
  return std::clamp(wall_ns, -kMost, kMost);
}

}  // namespace

std::vector<DetailSpan> joined(const std::vector<DetailSpan>& spans) {
  std::vector<DetailSpan> out;
  for (DetailSpan span : spans) {
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

base::Result<void> Details::begin(const model::RunFacts& facts) {
  interval_ns_ = facts.interval_ns;
  return {};
}

void Details::lay_out(std::int64_t begin_ns) {
  std::uint64_t samples = 0;
  for (const DetailSpan& span : spans_) {
    const std::int64_t from_ns = std::max<std::int64_t>(0, sane(span.begin_ns) - sane(begin_ns));
    const std::int64_t to_ns = sane(span.end_ns) - sane(begin_ns);
    if (to_ns < from_ns) continue;
    const auto first = static_cast<std::uint64_t>(from_ns / interval_ns_);
    const auto last = static_cast<std::uint64_t>(to_ns / interval_ns_);
    samples += last - first + 1;
    if (samples > kMostSamples) return;
    Detail detail;
    detail.channel = span.channel;
    detail.first_tick = first;
    detail.samples.assign(last - first + 1, std::numeric_limits<double>::quiet_NaN());
    details_.push_back(std::move(detail));
  }
}

base::Result<void> Details::write(const model::ChannelTable& channels, const model::Frame& frame) {
  if (ticks_ == 0) {
    first_sequence_ = frame.sequence;
    if (interval_ns_ > 0) lay_out(frame.wall_ns);
  }
  const std::uint64_t tick = frame.sequence - first_sequence_;
  ticks_ = tick + 1;
  for (; channels_known_ < channels.channel_count(); ++channels_known_) {
    const auto name = channels.name(model::ChannelId(channels_known_));
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < details_.size(); ++i) {
      if (details_[i].channel == name) wanted.push_back(i);
    }
    if (!wanted.empty()) watched_.push_back(channels_known_);
    details_of_.push_back(std::move(wanted));
  }
  for (const std::size_t channel : watched_) {
    if (channel >= frame.bits.size() || frame.validity[channel] == model::Validity::kMissing) {
      continue;
    }
    const auto value = std::bit_cast<double>(frame.bits[channel]);
    if (!std::isfinite(value)) continue;
    for (const std::size_t i : details_of_[channel]) {
      Detail& detail = details_[i];
      if (tick < detail.first_tick || tick - detail.first_tick >= detail.samples.size()) continue;
      detail.samples[tick - detail.first_tick] = value;
      detail.channel_index = channel;
      detail.any = true;
    }
  }
  return {};
}

base::Result<void> Details::finish() {
  std::erase_if(details_, [](const Detail& detail) { return !detail.any; });
  for (Detail& detail : details_) {
    const std::uint64_t there = ticks_ - detail.first_tick;
    if (detail.samples.size() > there) detail.samples.resize(there);
  }
  return {};
}

}  // namespace reveal::page
