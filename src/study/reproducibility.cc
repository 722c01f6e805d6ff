// Whether channels take the same course in each run of a workload (paper, section 5.4).
//
// A run's distance is that of its course to the median course of all runs, by dynamic time warping,
// a point, in standard deviations of the channel. The paper says that a two-sided Wilcoxon test
// shows significant similarity, and not of what. Two tests are made of it:
//
// - of the distances against zero, the plain reading. Distances are never negative, so with n runs
//   p is 2^(1 - n) unless one is exactly zero: it says how many runs there are.
// - of each run's distance to the median course of the other runs, against its mean distance to the
//   same course shifted in time by a quarter, a half and three quarters. What is a matter of
//   levels and spread stays the same in those; only what happens when is lost. Runs agree if p is
//   below 0.05 and the true course is the nearer one.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "stats/signed_rank.h"
#include "stats/time_warp.h"
#include "study/courses.h"
#include "study/study.h"
#include "text/quantity.h"
#include "text/words.h"

namespace reveal::study {
namespace {

constexpr std::size_t kLeastPoints = 20;
constexpr std::size_t kMostPoints = 300;
constexpr std::size_t kBandParts = 10;  // a course may be stretched by a tenth of its length
constexpr double kSignificant = 0.05;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

struct ChannelResult {
  std::string channel;
  model::Subsystem subsystem;
  double distance;    // mean over the runs, to the median course of all
  double p_zero;      // of these
  double to_others;   // mean distance to the median course of the others,
  double to_shifted;  // and to it shifted
  double p_shifted;   // of the differences between these
  bool agrees = false;
};

double distance(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t band = std::max<std::size_t>(1, x.size() / kBandParts);
  return stats::time_warp_distance(x, y, band) / static_cast<double>(x.size());
}

double distance_to_shifted(const std::vector<double>& x, const std::vector<double>& y) {
  constexpr std::size_t kQuarters = 4;
  double sum = 0;
  for (std::size_t quarter = 1; quarter < kQuarters; ++quarter) {
    auto shifted = y;
    const std::size_t by = y.size() * quarter / kQuarters;
    std::rotate(shifted.begin(), shifted.begin() + static_cast<std::ptrdiff_t>(by), shifted.end());
    sum += distance(x, shifted);
  }
  return sum / (kQuarters - 1);
}

ChannelResult compare(const Courses& courses) {
  std::vector<double> distances;
  std::vector<double> to_others;
  std::vector<double> to_shifted;
  std::vector<double> differences;
  const auto median = median_course(courses, kAll);
  for (std::size_t run = 0; run < courses.runs.size(); ++run) {
    const auto others = median_course(courses, run);
    distances.push_back(distance(courses.runs[run], median));
    to_others.push_back(distance(courses.runs[run], others));
    to_shifted.push_back(distance_to_shifted(courses.runs[run], others));
    differences.push_back(to_shifted.back() - to_others.back());
  }
  const auto test = stats::signed_rank(differences);
  return {.channel = courses.channel,
          .subsystem = courses.subsystem,
          .distance = summary(distances).mean,
          .p_zero = stats::signed_rank(distances).p,
          .to_others = summary(to_others).mean,
          .to_shifted = summary(to_shifted).mean,
          .p_shifted = test.p,
          .agrees = test.p < kSignificant && test.above > test.below};
}

// Returns a row of the summary: of the channels of a subsystem, or of all.
std::vector<Cell> summary_row(const std::vector<ChannelResult>& channels, const std::string& name) {
  std::vector<double> distances;
  double near_zero = 0;
  double agree = 0;
  for (const auto& one : channels) {
    if (name != "all" && model::to_string(one.subsystem) != name) continue;
    distances.push_back(one.distance);
    near_zero += one.p_zero < kSignificant ? 1 : 0;
    agree += one.agrees ? 1 : 0;
  }
  const auto of = summary(distances);
  const auto n = static_cast<double>(of.count);
  return {name, n, of.mean, of.median, near_zero / n, agree / n};
}

Table summary_table(const std::vector<ChannelResult>& channels) {
  Table out{.name = "subsystems",
            .title = "Distance to the median course, in standard deviations of the channel",
            .columns = {{"subsystem", "subsystem", ""},
                        {"channels", "channels", ""},
                        {"mean_distance", "mean", ""},
                        {"median_distance", "median", ""},
                        {"share_by_distance", "p < .05, to zero", "ratio"},
                        {"share_that_agree", "runs agree", "ratio"}},
            .rows = {}};
  out.rows.push_back(summary_row(channels, "all"));
  for (int i = 0; i < model::kSubsystemCount; ++i) {
    const std::string name(model::to_string(static_cast<model::Subsystem>(i)));
    auto row = summary_row(channels, name);
    if (std::get<double>(row[1]) > 0) out.rows.push_back(std::move(row));
  }
  return out;
}

Table channel_table(const std::vector<ChannelResult>& channels) {
  constexpr std::size_t kShown = 10;
  Table out{.name = "channels",
            .title = "Channels, the least reproducible first",
            .columns = {{"channel", "channel", ""},
                        {"subsystem", "subsystem", ""},
                        {"distance", "distance", ""},
                        {"p_zero", "p, to zero", ""},
                        {"distance_to_others", "to others", ""},
                        {"distance_to_shifted", "shifted", ""},
                        {"p_shifted", "p", ""}},
            .rows = {},
            .shown = kShown};
  for (const auto& one : channels) {
    out.rows.push_back({one.channel, std::string(model::to_string(one.subsystem)), one.distance,
                        one.p_zero, one.to_others, one.to_shifted, one.p_shifted});
  }
  return out;
}

std::vector<std::string> notes_of(const AlignedRuns& aligned, std::size_t runs) {
  std::vector<std::string> out;
  out.push_back(fmt::format("A course has {} of {}. {} of the first run {} not in all others.",
                            text::plural(aligned.points, "point"),
                            text::format_quantity(aligned.point_seconds, "seconds"),
                            text::plural(aligned.not_in_all, "channel"),
                            aligned.not_in_all == 1 ? "is" : "are"));
  const double least_p = std::exp2(1.0 - static_cast<double>(runs));
  if (least_p >= kSignificant) {
    out.push_back(fmt::format(
        "With {} runs p cannot be below {:.3g}, so nothing can be significant: six are needed.",
        runs, least_p));
  }
  return out;
}

}  // namespace

base::Result<Result> study_reproducibility(const Request& request) {
  Result out;
  std::vector<Series> series;
  for (const auto& directory : request.directories) {
    auto one = read_series(directory, out.damage);
    if (!one) return base::pass(one);
    out.runs.push_back(one->run);
    series.push_back(std::move(*one));
  }
  const auto aligned = align(series, kLeastPoints, kMostPoints);
  if (!aligned) return base::pass(aligned);
  std::vector<ChannelResult> channels;
  for (const auto& courses : aligned->channels) channels.push_back(compare(courses));
  std::ranges::stable_sort(channels, {}, [](const ChannelResult& one) {
    return std::pair(-one.p_shifted, -one.distance);
  });
  out.tables = {summary_table(channels), channel_table(channels)};
  out.plots.push_back({.kind = Plot::Kind::kBars,
                       .title = "Channels whose runs are alike",
                       .table = "subsystems",
                       .labels = {"subsystem"},
                       .values = {"share_by_distance", "share_that_agree"}});
  out.notes = notes_of(*aligned, series.size());
  return out;
}

}  // namespace reveal::study
