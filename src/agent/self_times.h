// How recorder and judge keep up, as the judge sees it: what a frame tells of its own tick, and
// when the verdict on a window came. What the channels of the last frame are like.
//
// Only what was recorded since the judge began is timed; the past, which it reads at first, was
// timed by the judge before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "live/history.h"
#include "model/frame.h"
#include "serve/agent_state.h"
#include "serve/histogram.h"

namespace reveal::agent {

class SelfTimes {
 public:
  // `now_ns` is wall time.
  explicit SelfTimes(std::int64_t now_ns) : since_ns_(now_ns), judged_to_ns_(now_ns) {}

  void take(const model::ChannelTable& channels, const model::Frame& frame);
  // To be called once what was read has been judged, at `now_ns`.
  void judged(const live::History& history, std::int64_t now_ns);

  // Nothing before the first value.
  std::optional<serve::Histogram> lateness_s() const { return told(lateness_s_); }
  std::optional<serve::Histogram> tick_s() const { return told(tick_s_); }
  std::optional<serve::Histogram> latency_s() const { return told(latency_s_); }
  // Returns how many channels of the last frame are in which state; nothing before the first frame.
  // A channel is constant if no frame that the judge read has it otherwise.
  std::optional<serve::ChannelCounts> channels() const;

 private:
  static std::optional<serve::Histogram> told(const serve::Histogram& histogram);
  void find_own(const model::ChannelTable& channels);

  std::int64_t since_ns_;
  std::int64_t judged_to_ns_;
  std::size_t known_ = 0;  // channels
  std::optional<model::ChannelId> lateness_;
  std::optional<model::ChannelId> tick_;
  serve::Histogram lateness_s_{serve::kTickBounds_s};
  serve::Histogram tick_s_{serve::kTickBounds_s};
  serve::Histogram latency_s_{serve::kVerdictBounds_s};
  // By channel.
  std::vector<std::uint64_t> first_;
  std::vector<bool> is_known_;
  std::vector<bool> has_moved_;
  std::vector<model::Validity> last_;
};

}  // namespace reveal::agent
