// The envelope of every channel of a run, small enough for a page: the lowest, highest and mean
// sample of at most kMaxBuckets equal spans of ticks. Neighboring buckets become one whenever
// there would be more, so memory does not grow with the run: 16 bytes a bucket for a channel that
// moves, 4 for one that does not.
//
// Ticks are counted from the first frame. Samples are kept as distances from a channel's first one,
// as float: exact to 2^-24 of the channel's range, and none is farther away than 3.4e38.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/frame.h"

namespace reveal::page {

inline constexpr std::size_t kMaxBuckets = 1200;

// Takes derived frames: samples are doubles.
class Envelopes : public model::FrameSink {
 public:
  // What is known of one channel.
  struct Envelope {
    std::uint64_t samples = 0;
    // Ticks from one sample to the next, as more than half of the time (Boyer and Moore's vote).
    std::uint64_t step = 1;
    std::uint64_t first_tick = 0;  // of the first sample
    std::uint64_t last_tick = 0;   // and of the latest
    std::uint32_t votes = 0;       // for `step`
    double first = 0;
    double low = 0;
    double high = 0;
    // By bucket, up to the last one with a sample: samples, and, once the channel has moved, their
    // distances from `first`.
    std::vector<std::uint32_t> counts;
    std::vector<float> lows;
    std::vector<float> highs;
    std::vector<float> means;

    bool moved() const { return low < high; }
    // Returns which share of the samples is missing that a channel of its step has in so many
    // frames.
    double missing(std::uint64_t frames) const;
    // Return values of the bucket; NaN if it has no sample. REQUIRES: moved().
    double low_of(std::size_t bucket) const { return value(lows, bucket); }
    double high_of(std::size_t bucket) const { return value(highs, bucket); }
    double mean_of(std::size_t bucket) const { return value(means, bucket); }

   private:
    double value(const std::vector<float>& distances, std::size_t bucket) const;
  };

  base::Result<void> begin(const model::RunFacts& facts) override;
  base::Result<void> write(const model::ChannelTable& channels, const model::Frame& frame) override;
  base::Result<void> finish() override;

  // Makes every two buckets one. REQUIRES: finish() was called.
  void halve();

  // What follows holds once finish() was called.
  const std::string& host() const { return host_; }
  std::int64_t interval_ns() const { return interval_ns_; }
  std::int64_t begin_ns() const { return begin_ns_; }  // wall time of the first frame
  std::uint64_t frames() const { return frames_; }
  std::uint64_t ticks() const { return ticks_; }  // from the first frame's to the last one's
  std::uint64_t bucket_ticks() const { return bucket_ticks_; }
  std::size_t buckets() const { return frames_in_.size(); }
  std::uint32_t frames_in(std::size_t bucket) const { return frames_in_[bucket]; }
  // By ChannelId.
  const std::vector<Envelope>& by_channel() const { return by_channel_; }

 private:
  // The samples of the bucket that is being filled.
  struct Open {
    std::uint32_t count = 0;
    float low = 0;
    float high = 0;
    double sum = 0;
  };

  void take(std::size_t channel, std::uint64_t tick, double value);
  void close_bucket();

  std::string host_;
  std::int64_t interval_ns_ = 0;
  std::int64_t begin_ns_ = 0;
  std::uint64_t first_sequence_ = 0;
  std::uint64_t frames_ = 0;
  std::uint64_t ticks_ = 0;
  std::uint64_t bucket_ticks_ = 1;
  std::size_t bucket_ = 0;  // the one that is being filled
  std::uint32_t frames_open_ = 0;
  std::vector<std::uint32_t> frames_in_;  // by bucket
  std::vector<Envelope> by_channel_;
  std::vector<Open> open_;  // by ChannelId
};

}  // namespace reveal::page
