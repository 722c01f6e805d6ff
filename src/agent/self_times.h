// How recorder and judge keep up, as the judge sees it: what a frame tells of its own tick and of
// the recorder, and when the verdict on a window came. What the channels of the last frame are
// like.
//
// Only what was recorded since the judge began is timed; the past, which it reads at first, was
// timed by the judge before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "http/histogram.h"
#include "live/history.h"
#include "model/frame.h"
#include "serve/agent_state.h"

namespace reveal::agent {

class SelfTimes {
 public:
  // `now_ns` is wall time.
  explicit SelfTimes(std::int64_t now_ns) : since_ns_(now_ns), judged_to_ns_(now_ns) {}

  void take(const model::ChannelTable& channels, const model::Frame& frame);
  // To be called once what was read has been judged, at `now_ns`.
  void judged(const live::History& history, std::int64_t now_ns);

  // Nothing before the first value.
  std::optional<http::Histogram> lateness_s() const { return told(lateness_s_); }
  std::optional<http::Histogram> tick_s() const { return told(tick_s_); }
  std::optional<http::Histogram> latency_s() const { return told(latency_s_); }
  // Returns how many channels of the last frame are in which state; nothing before the first frame.
  // A channel is constant if no frame that the judge read has it otherwise.
  std::optional<serve::ChannelCounts> channels() const;

  // Return what the recorder told of itself last; nothing before.
  std::optional<std::uint64_t> written_bytes() const { return value_of(written_); }
  std::optional<std::uint64_t> dropped_frames() const { return value_of(dropped_); }
  // Returns how many seconds each source's readings took so far, by its name.
  std::vector<serve::NamedValue> read_s() const;

 private:
  // A counter of the recorder's own, as it was last.
  struct Own {
    std::string name = {};  // of a source
    model::ChannelId id = {};
    std::optional<std::uint64_t> bits = {};
  };

  static std::optional<std::uint64_t> value_of(const std::optional<Own>& own) {
    return own ? own->bits : std::nullopt;
  }
  static void take(const model::Frame& frame, Own& own);
  static std::optional<http::Histogram> told(const http::Histogram& histogram);
  void find_own(const model::ChannelTable& channels);

  std::int64_t since_ns_;
  std::int64_t judged_to_ns_;
  std::size_t known_ = 0;  // channels
  std::optional<model::ChannelId> lateness_;
  std::optional<model::ChannelId> tick_;
  std::optional<Own> written_;
  std::optional<Own> dropped_;
  std::vector<Own> sources_;
  http::Histogram lateness_s_{serve::kTickBounds_s};
  http::Histogram tick_s_{serve::kTickBounds_s};
  http::Histogram latency_s_{serve::kVerdictBounds_s};
  // By channel.
  std::vector<std::uint64_t> first_;
  std::vector<bool> is_known_;
  std::vector<bool> has_moved_;
  std::vector<model::Validity> last_;
};

}  // namespace reveal::agent
