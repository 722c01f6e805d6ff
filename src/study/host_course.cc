#include "study/host_course.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reveal::study {
namespace {

constexpr std::uint64_t kMostPoints = 200;  // of a course
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::int64_t length_ns(const Run& run) {
  return run.end_ns - run.begin_ns;
}

std::int64_t offset_ns(const Series& series, std::size_t frame) {
  return static_cast<std::int64_t>(series.ticks[frame]) * series.interval_ns;
}

// Samples of ticks in a row, on their way to a point.
class Gathered {
 public:
  void add_frame(double seconds, double sample) {
    ++frames_;
    if (!std::isfinite(sample)) return;
    ++samples_;
    seconds_ += seconds;
    sum_ += sample;
    low_ = std::min(low_, sample);
    high_ = std::max(high_, sample);
  }
  bool has_frames() const { return frames_ > 0; }
  bool has_samples() const { return samples_ > 0; }
  CoursePoint point() const {
    const auto n = static_cast<double>(samples_);
    return {seconds_ / n, sum_ / n, low_, high_};
  }

 private:
  std::size_t frames_ = 0;
  std::size_t samples_ = 0;
  double seconds_ = 0;
  double sum_ = 0;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

CommonTime common_time(std::span<const Run> runs) {
  const auto first = std::ranges::min_element(runs, {}, &Run::begin_ns)->begin_ns;
  const auto latest = std::ranges::max_element(runs, {}, &Run::begin_ns)->begin_ns;
  const auto end = std::ranges::min_element(runs, {}, &Run::end_ns)->end_ns;
  const auto shortest = length_ns(*std::ranges::min_element(runs, {}, length_ns));
  CommonTime out{.by_clock = end >= latest && end - latest >= shortest / 2, .begins_ns = {}};
  for (const auto& run : runs) out.begins_ns.push_back(out.by_clock ? run.begin_ns - first : 0);
  out.begin_ns = out.by_clock ? latest - first : 0;
  out.end_ns = out.by_clock ? end - first : shortest;
  return out;
}

std::vector<std::vector<double>> samples_in(const Series& series, const CommonTime& time,
                                            std::size_t place) {
  std::vector<std::vector<double>> out(series.channels.channel_count());
  for (std::size_t frame = 0; frame < series.frames.size(); ++frame) {
    const auto at = time.begins_ns[place] + offset_ns(series, frame);
    if (at < time.begin_ns || at > time.end_ns) continue;
    const auto& samples = series.frames[frame];
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (std::isfinite(samples[i])) out[i].push_back(samples[i]);
    }
  }
  return out;
}

std::vector<CoursePoint> course_of(const Series& series, model::ChannelId channel,
                                   std::int64_t begin_ns) {
  const std::uint64_t per_point = series.ticks.back() / kMostPoints + 1;
  std::vector<Gathered> all(series.ticks.back() / per_point + 1);
  for (std::size_t frame = 0; frame < series.frames.size(); ++frame) {
    const auto& samples = series.frames[frame];
    all[series.ticks[frame] / per_point].add_frame(
        static_cast<double>(begin_ns + offset_ns(series, frame)) / 1e9,
        channel.index() < samples.size() ? samples[channel.index()] : kNan);
  }
  const auto interval_ns = static_cast<double>(series.interval_ns);
  std::vector<CoursePoint> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].has_samples()) out.push_back(all[i].point());
    if (all[i].has_frames()) continue;
    const double middle = (static_cast<double>(i) + 0.5) * static_cast<double>(per_point) - 0.5;
    out.push_back({(static_cast<double>(begin_ns) + middle * interval_ns) / 1e9, kNan, kNan, kNan});
  }
  return out;
}

}  // namespace reveal::study
