#include "study/courses.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "stats/moments.h"
#include "stats/quantile.h"

namespace reveal::study {
namespace {

std::vector<double> means(const std::vector<double>& samples, std::size_t points,
                          std::size_t ticks) {
  std::vector<double> out;
  for (std::size_t point = 0; point < points; ++point) {
    double sum = 0;
    for (std::size_t i = 0; i < ticks; ++i) sum += samples[point * ticks + i];
    out.push_back(sum / static_cast<double>(ticks));
  }
  return out;
}

// Returns nothing if a run lacks the channel, and no runs if the channel is constant.
std::optional<Courses> courses_of(std::span<const Series> runs, const std::string& name,
                                  std::size_t points, std::size_t ticks) {
  Courses out{.channel = name, .runs = {}};
  std::vector<double> all;
  for (const auto& run : runs) {
    const auto id = run.channels.find_channel(name);
    const auto samples = id ? held_samples(run, *id) : std::vector<double>();
    if (samples.empty()) return std::nullopt;
    out.subsystem = run.channels.metric(*id).subsystem;
    out.runs.push_back(means(samples, points, ticks));
    all.insert(all.end(), out.runs.back().begin(), out.runs.back().end());
  }
  const auto moments = stats::moments(all);
  const double deviation = moments.standard_deviation();
  if (!(deviation > 0) || !std::isfinite(deviation)) out.runs.clear();
  for (auto& run : out.runs) {
    for (double& value : run) value = moments.deviation(value) / deviation;
  }
  return out;
}

std::size_t ticks_of(const Series& run) {
  return static_cast<std::size_t>(run.ticks.back()) + 1;
}

base::Result<std::size_t> common_ticks(std::span<const Series> runs, std::size_t least) {
  if (runs.size() < 2) {
    return base::fail(base::ErrorKind::kTooLittle, "one run has nothing to agree with", {},
                      "name several runs of one workload");
  }
  std::size_t out = ticks_of(runs.front());
  for (const auto& run : runs) {
    if (run.interval_ns != runs.front().interval_ns) {
      return base::fail(base::ErrorKind::kUsage, "has another interval than the first run",
                        run.run.directory, "study runs of one interval");
    }
    out = std::min(out, ticks_of(run));
  }
  if (out >= least) return out;
  return base::fail(base::ErrorKind::kTooLittle,
                    fmt::format("the shortest run has {} ticks; {} are needed", out, least), {},
                    "record longer");
}

}  // namespace

base::Result<AlignedRuns> align(std::span<const Series> runs, std::size_t least, std::size_t most) {
  const auto common = common_ticks(runs, least);
  if (!common) return base::pass(common);
  AlignedRuns out;
  const std::size_t ticks = (*common + most - 1) / most;
  out.points = *common / ticks;
  out.point_seconds = static_cast<double>(ticks) * static_cast<double>(runs[0].interval_ns) / 1e9;
  const auto& channels = runs.front().channels;
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    const auto name = channels.name(model::ChannelId(i));
    auto courses = courses_of(runs, name, out.points, ticks);
    if (!courses) ++out.not_in_all;
    if (courses && !courses->runs.empty()) out.channels.push_back(std::move(*courses));
  }
  return out;
}

std::vector<double> median_course(const Courses& courses, std::size_t without) {
  std::vector<double> out;
  for (std::size_t point = 0; point < courses.runs.front().size(); ++point) {
    std::vector<double> values;
    for (std::size_t run = 0; run < courses.runs.size(); ++run) {
      if (run != without) values.push_back(courses.runs[run][point]);
    }
    out.push_back(stats::median(std::move(values)));
  }
  return out;
}

}  // namespace reveal::study
