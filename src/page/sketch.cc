#include "page/sketch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace reveal::page {
namespace {

using Course = Sketch::Course;

constexpr double kFarthest = std::numeric_limits<float>::max();

// Makes room for the bucket; what had not moved until now was at `first`.
void grow(Course& course, std::size_t buckets) {
  if (course.counts.size() < buckets) course.counts.resize(buckets, 0);
  if (!course.moved()) return;
  for (auto* distances : {&course.lows, &course.highs, &course.means}) {
    distances->resize(course.counts.size(), 0.0F);
  }
}

// Adds to a bucket, which may have samples, others. Means are weighted, so that the order in which
// buckets become one does not matter.
void add(Course& course, std::size_t bucket, std::uint32_t count, float low, float high,
         double mean) {
  std::uint32_t& before = course.counts[bucket];
  if (course.moved()) {
    const double total = static_cast<double>(before) + count;
    const bool none = before == 0;
    course.lows[bucket] = none ? low : std::min(low, course.lows[bucket]);
    course.highs[bucket] = none ? high : std::max(high, course.highs[bucket]);
    course.means[bucket] = static_cast<float>(
        none ? mean : course.means[bucket] * (before / total) + mean * (count / total));
  }
  before += count;
}

void halve_course(Course& course) {
  Course old;
  std::swap(old.counts, course.counts);
  std::swap(old.lows, course.lows);
  std::swap(old.highs, course.highs);
  std::swap(old.means, course.means);
  grow(course, (old.counts.size() + 1) / 2);
  for (std::size_t i = 0; i < old.counts.size(); ++i) {
    if (old.counts[i] == 0) continue;
    if (course.moved()) {
      add(course, i / 2, old.counts[i], old.lows[i], old.highs[i], old.means[i]);
    } else {
      add(course, i / 2, old.counts[i], 0, 0, 0);
    }
  }
}

void vote(Course& course, std::uint64_t step) {
  if (course.votes == 0) course.step = step;
  if (course.step == step) {
    ++course.votes;
  } else {
    --course.votes;
  }
}

}  // namespace

double Course::missing(std::uint64_t frames) const {
  const auto expected = static_cast<double>(frames) / static_cast<double>(step);
  return std::clamp(1 - static_cast<double>(samples) / std::max(expected, 1.0), 0.0, 1.0);
}

double Course::value(const std::vector<float>& distances, std::size_t bucket) const {
  if (bucket >= counts.size() || counts[bucket] == 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return first + distances[bucket];
}

base::Result<void> Sketch::begin(const model::RunFacts& facts) {
  host_ = facts.host;
  interval_ns_ = facts.interval_ns;
  return {};
}

base::Result<void> Sketch::write(const model::ChannelTable& channels, const model::Frame& frame) {
  if (frames_ == 0) {
    first_sequence_ = frame.sequence;
    begin_ns_ = frame.wall_ns;
  }
  courses_.resize(channels.channel_count());
  open_.resize(channels.channel_count());
  const std::uint64_t tick = frame.sequence - first_sequence_;
  if (tick / bucket_ticks_ != bucket_) close_bucket();
  while (tick / bucket_ticks_ >= kMostBuckets) halve();
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

void Sketch::take(std::size_t channel, std::uint64_t tick, double value) {
  if (!std::isfinite(value)) return;
  Course& course = courses_[channel];
  Open& open = open_[channel];
  if (course.samples > 0) vote(course, tick - course.last_tick);
  course.last_tick = tick;
  if (course.samples++ == 0) {
    course.first_tick = tick;
    course.first = course.low = course.high = value;
  }
  course.low = std::min(course.low, value);
  course.high = std::max(course.high, value);
  const auto distance = static_cast<float>(std::clamp(value - course.first, -kFarthest, kFarthest));
  open.low = open.count == 0 ? distance : std::min(open.low, distance);
  open.high = open.count == 0 ? distance : std::max(open.high, distance);
  open.sum += distance;
  ++open.count;
}

void Sketch::close_bucket() {
  if (frames_open_ == 0) return;
  if (frames_in_.size() <= bucket_) frames_in_.resize(bucket_ + 1, 0);
  frames_in_[bucket_] += frames_open_;
  frames_open_ = 0;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    Open& open = open_[i];
    if (open.count == 0) continue;
    grow(courses_[i], bucket_ + 1);
    add(courses_[i], bucket_, open.count, open.low, open.high, open.sum / open.count);
    open = {};
  }
}

base::Result<void> Sketch::finish() {
  close_bucket();
  return {};
}

void Sketch::halve() {
  for (Course& course : courses_) halve_course(course);
  std::vector<std::uint32_t> halved((frames_in_.size() + 1) / 2, 0);
  for (std::size_t i = 0; i < frames_in_.size(); ++i) halved[i / 2] += frames_in_[i];
  frames_in_ = std::move(halved);
  bucket_ticks_ *= 2;
  bucket_ /= 2;
}

}  // namespace reveal::page
