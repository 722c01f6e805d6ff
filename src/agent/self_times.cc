#include "agent/self_times.h"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace reveal::agent {
namespace {

constexpr std::string_view kCollector = "collector=";

}  // namespace

void SelfTimes::find_own(const model::ChannelTable& channels) {
  if (known_ == channels.channel_count()) return;
  for (std::size_t i = known_; i < channels.channel_count(); ++i) {
    const model::ChannelId id(i);
    const auto name = channels.metric(id).name;
    if (name == "cpu_recorder_written_bytes_total") written_ = Own{.id = id};
    if (name == "cpu_recorder_dropped_frames_total") dropped_ = Own{.id = id};
    if (name != "cpu_recorder_collector_seconds_total") continue;
    const std::string_view instance = channels.channel(id).instance;
    if (!instance.starts_with(kCollector)) continue;
    sources_.push_back({.name = std::string(instance.substr(kCollector.size())), .id = id});
  }
  known_ = channels.channel_count();
  lateness_ = channels.find_channel("cpu_recorder_lateness_seconds");
  tick_ = channels.find_channel("cpu_recorder_tick_seconds");
  first_.resize(known_);
  is_known_.resize(known_);
  has_moved_.resize(known_);
}

void SelfTimes::take(const model::Frame& frame, Own& own) {
  if (own.id.index() < frame.bits.size() && frame.was_read(own.id)) {
    own.bits = frame.bits[own.id.index()];
  }
}

void SelfTimes::take(const model::ChannelTable& channels, const model::Frame& frame) {
  find_own(channels);
  for (auto* own : {&written_, &dropped_}) {
    if (*own) take(frame, **own);
  }
  for (auto& source : sources_) take(frame, source);
  last_.assign(frame.validity.begin(), frame.validity.end());
  for (std::size_t i = 0; i < frame.bits.size() && i < known_; ++i) {
    if (frame.validity[i] == model::Validity::kMissing) continue;
    if (!is_known_[i]) first_[i] = frame.bits[i];
    is_known_[i] = true;
    if (frame.bits[i] != first_[i]) has_moved_[i] = true;
  }
  if (frame.wall_ns < since_ns_) return;
  const auto add = [&](std::optional<model::ChannelId> id, http::Histogram& to) {
    if (!id || id->index() >= frame.bits.size() || !frame.was_read(*id)) return;
    to.add(static_cast<double>(frame.bits[id->index()]) * 1e-9);  // counted in nanoseconds
  };
  add(lateness_, lateness_s_);
  add(tick_, tick_s_);
}

void SelfTimes::judged(const live::History& history, std::int64_t now_ns) {
  for (auto window = history.windows.rbegin();
       window != history.windows.rend() && window->span.end_ns > judged_to_ns_; ++window) {
    if (!window->judged) continue;
    latency_s_.add(static_cast<double>(now_ns - window->span.end_ns) * 1e-9);
  }
  if (!history.windows.empty()) {
    judged_to_ns_ = std::max(judged_to_ns_, history.windows.back().span.end_ns);
  }
}

std::optional<serve::ChannelCounts> SelfTimes::channels() const {
  if (last_.empty()) return std::nullopt;
  serve::ChannelCounts out;
  for (std::size_t i = 0; i < last_.size(); ++i) {
    if (last_[i] == model::Validity::kMissing) {
      ++out.missing;
    } else if (!has_moved_[i]) {
      ++out.constant;
    } else if (last_[i] == model::Validity::kStale) {
      ++out.stale;
    } else {
      ++out.fresh;
    }
  }
  return out;
}

std::vector<serve::NamedValue> SelfTimes::read_s() const {
  std::vector<serve::NamedValue> out;
  for (const auto& source : sources_) {
    if (!source.bits) continue;
    out.push_back({source.name, static_cast<double>(*source.bits) * 1e-9});  // in nanoseconds
  }
  return out;
}

std::optional<http::Histogram> SelfTimes::told(const http::Histogram& histogram) {
  const auto& counts = histogram.counts();
  if (std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == 0) return std::nullopt;
  return histogram;
}

}  // namespace reveal::agent
