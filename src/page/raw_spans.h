// Every sample of chosen channels in chosen spans of a run, as a page shows them around a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/frame.h"

namespace reveal::page {

// A channel by name, and a span of wall time since the epoch.
struct ChannelSpan {
  std::string channel;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

// Joins spans of a channel that overlap or touch, each in the place of its first part.
std::vector<ChannelSpan> joined(const std::vector<ChannelSpan>& spans);

// Takes derived frames: samples are doubles. Memory is bounded: spans are taken in their order
// while the samples are at most kMaxSamples.
class RawSpans : public model::FrameSink {
 public:
  static constexpr std::uint64_t kMaxSamples = 4'000'000;

  // Ticks are counted from the run's first frame.
  struct RawSpan {
    std::string channel;
    std::size_t channel_index = 0;  // ChannelId; known once there is a sample
    std::uint64_t first_tick = 0;
    std::vector<double> samples;  // by tick; NaN where there is none
    bool any = false;
  };

  // `spans` are joined.
  explicit RawSpans(std::vector<ChannelSpan> spans) : spans_(std::move(spans)) {}

  base::Result<void> begin(const model::RunFacts& facts) override;
  base::Result<void> write(const model::ChannelTable& channels, const model::Frame& frame) override;
  // Drops what has no sample, and ticks after the last frame.
  base::Result<void> finish() override;

  // In the order of the spans; once finish() was called.
  const std::vector<RawSpan>& raw_spans() const { return raw_spans_; }

 private:
  void lay_out(std::int64_t begin_ns);

  std::vector<ChannelSpan> spans_;
  std::int64_t interval_ns_ = 0;
  std::uint64_t first_sequence_ = 0;
  std::uint64_t ticks_ = 0;
  std::vector<RawSpan> raw_spans_;
  std::size_t channels_known_ = 0;
  std::vector<std::vector<std::size_t>> raw_spans_of_;  // by ChannelId
  std::vector<std::size_t> watched_;                    // channels that have any
};

}  // namespace reveal::page
