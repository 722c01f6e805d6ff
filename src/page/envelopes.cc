#include "page/envelopes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace reveal::page {
namespace {

using Envelope = Envelopes::Envelope;

constexpr double kFarthest = std::numeric_limits<float>::max();

// Makes room for the bucket; what had not moved until now was at `first`.
void grow(Envelope& envelope, std::size_t buckets) {
  if (envelope.counts.size() < buckets) envelope.counts.resize(buckets, 0);
  if (!envelope.moved()) return;
  for (auto* distances : {&envelope.lows, &envelope.highs, &envelope.means}) {
    distances->resize(envelope.counts.size(), 0.0F);
  }
}

// Adds to a bucket, which may have samples, others. Means are weighted, so that the order in which
// buckets become one does not matter.
void add(Envelope& envelope, std::size_t bucket, std::uint32_t count, float low, float high,
         double mean) {
  std::uint32_t& before = envelope.counts[bucket];
  if (envelope.moved()) {
    const double total = static_cast<double>(before) + count;
    const bool none = before == 0;
    envelope.lows[bucket] = none ? low : std::min(low, envelope.lows[bucket]);
    envelope.highs[bucket] = none ? high : std::max(high, envelope.highs[bucket]);
    envelope.means[bucket] = static_cast<float>(
        none ? mean : envelope.means[bucket] * (before / total) + mean * (count / total));
  }
  before += count;
}

void halve_envelope(Envelope& envelope) {
  Envelope old;
  std::swap(old.counts, envelope.counts);
  std::swap(old.lows, envelope.lows);
  std::swap(old.highs, envelope.highs);
  std::swap(old.means, envelope.means);
  grow(envelope, (old.counts.size() + 1) / 2);
  for (std::size_t i = 0; i < old.counts.size(); ++i) {
    if (old.counts[i] == 0) continue;
    if (envelope.moved()) {
      add(envelope, i / 2, old.counts[i], old.lows[i], old.highs[i], old.means[i]);
    } else {
      add(envelope, i / 2, old.counts[i], 0, 0, 0);
    }
  }
}

void vote(Envelope& envelope, std::uint64_t step) {
  if (envelope.votes == 0) envelope.step = step;
  if (envelope.step == step) {
    ++envelope.votes;
  } else {
    --envelope.votes;
  }
}

}  // namespace

double Envelope::missing(std::uint64_t frames) const {
  const auto expected = static_cast<double>(frames) / static_cast<double>(step);
  return std::clamp(1 - static_cast<double>(samples) / std::max(expected, 1.0), 0.0, 1.0);
}

double Envelope::value(const std::vector<float>& distances, std::size_t bucket) const {
  if (bucket >= counts.size() || counts[bucket] == 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return first + distances[bucket];
}

base::Result<void> Envelopes::begin(const model::RunFacts& facts) {
  host_ = facts.host;
  interval_ns_ = facts.interval_ns;
  return {};
}

base::Result<void> Envelopes::write(const model::ChannelTable& channels,
                                    const model::Frame& frame) {
  if (frames_ == 0) {
    first_sequence_ = frame.sequence;
    begin_ns_ = frame.wall_ns;
  }
  by_channel_.resize(channels.channel_count());
  open_.resize(channels.channel_count());
  const std::uint64_t tick = frame.sequence - first_sequence_;
  if (tick / bucket_ticks_ != bucket_) close_bucket();
  while (tick / bucket_ticks_ >= kMaxBuckets) halve();
  bucket_ = static_cast<std::size_t>(tick / bucket_ticks_);
  for (std::size_t i = 0; i < frame.bits.size(); ++i) {
    if (frame.validity[i] == model::Validity::kMissing) continue;
    take(i, tick, std::bit_cast<double>(frame.bits[i]));
  }
  ++frames_open_;
  ++frames_;
  ticks_ = tick + 1;
  return {};
}

void Envelopes::take(std::size_t channel, std::uint64_t tick, double value) {
  if (!std::isfinite(value)) return;
  Envelope& envelope = by_channel_[channel];
  Open& open = open_[channel];
  if (envelope.samples > 0) vote(envelope, tick - envelope.last_tick);
  envelope.last_tick = tick;
  if (envelope.samples++ == 0) {
    envelope.first_tick = tick;
    envelope.first = envelope.low = envelope.high = value;
  }
  envelope.low = std::min(envelope.low, value);
  envelope.high = std::max(envelope.high, value);
  const auto distance =
      static_cast<float>(std::clamp(value - envelope.first, -kFarthest, kFarthest));
  open.low = open.count == 0 ? distance : std::min(open.low, distance);
  open.high = open.count == 0 ? distance : std::max(open.high, distance);
  open.sum += distance;
  ++open.count;
}

void Envelopes::close_bucket() {
  if (frames_open_ == 0) return;
  if (frames_in_.size() <= bucket_) frames_in_.resize(bucket_ + 1, 0);
  frames_in_[bucket_] += frames_open_;
  frames_open_ = 0;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    Open& open = open_[i];
    if (open.count == 0) continue;
    grow(by_channel_[i], bucket_ + 1);
    add(by_channel_[i], bucket_, open.count, open.low, open.high, open.sum / open.count);
    open = {};
  }
}

base::Result<void> Envelopes::finish() {
  close_bucket();
  return {};
}

void Envelopes::halve() {
  for (Envelope& envelope : by_channel_) halve_envelope(envelope);
  std::vector<std::uint32_t> halved((frames_in_.size() + 1) / 2, 0);
  for (std::size_t i = 0; i < frames_in_.size(); ++i) halved[i / 2] += frames_in_[i];
  frames_in_ = std::move(halved);
  bucket_ticks_ *= 2;
  bucket_ /= 2;
}

}  // namespace reveal::page
