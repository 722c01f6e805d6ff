#include "work/common_course.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "stats/quantile.h"

namespace reveal::work {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kClearly = 3;  // standard deviations that one quantity is below the others
constexpr double kClearlyLeast = 0.03;
constexpr double kFarAbove = 0.25;  // logarithm of the factor by which somebody else adds
constexpr double kLeastLog = -7;    // a rate of a thousandth is none
constexpr std::size_t kGoodBlocks = 15;
constexpr double kGoodShare = 0.95;
constexpr double kMostOfMedian = 3;
constexpr std::size_t kCalmBlocks = 9;
constexpr std::size_t kBiasBlocks = 10;
constexpr double kLeastBias = 0.005;
// A disk that does more than that beyond a job's usual works for somebody else too.
constexpr double kMostOfDisk = 1.3;

using Course = std::vector<double>;  // logarithms by block, NaN if there is none

double median_of(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values.empty() ? kMissing : stats::median(std::move(values));
}

// Returns the level from which on the job is there; NaN if it never is.
double least_active(std::vector<double> levels) {
  std::erase_if(levels, [](double level) { return std::isnan(level); });
  if (levels.empty()) return kMissing;
  std::ranges::sort(levels);
  return kActiveShare * stats::quantile(levels, 0.9);
}

double log_of(double level) {
  if (std::isnan(level)) return kMissing;
  return level > 0 ? std::log(level) : -std::numeric_limits<double>::infinity();
}

// By block the median of several courses.
Course middle(const std::vector<Course>& courses) {
  Course out(courses.front().size(), kMissing);
  std::vector<double> values;
  for (std::size_t i = 0; i < out.size(); ++i) {
    values.clear();
    for (const auto& course : courses) values.push_back(course[i]);
    out[i] = median_of(values);
  }
  return out;
}

// The course of each quantity, in proportion to the seed.
std::map<Quantity, Course> by_quantity(std::span<const Series> series, const Agreement& agreement) {
  std::map<Quantity, std::vector<Course>> parts;
  const auto& seed = series[agreement.seed].level;
  std::vector<double> present;
  for (const double level : seed) {
    if (level > 0) present.push_back(level);
  }
  const double scale = std::log(median_of(std::move(present)));
  for (const auto member : agreement.members) {
    const auto& one = series[member];
    Course course;
    for (const double level : one.level) course.push_back(log_of(level));
    // Their median difference from the seed, while both are there.
    std::vector<double> ratios;
    for (std::size_t i = 0; i < course.size(); ++i) {
      const double ratio = course[i] - log_of(seed[i]);
      if (std::isfinite(ratio)) ratios.push_back(ratio);
    }
    const double shift = median_of(std::move(ratios)) + scale;
    for (double& value : course) value = std::max(value - shift, kLeastLog);
    parts[one.quantity].push_back(std::move(course));
  }
  std::map<Quantity, Course> out;
  for (const auto& [quantity, courses] : parts) out.emplace(quantity, middle(courses));
  return out;
}

// How each quantity differs from the middle: by block, less its median.
std::vector<Course> differences(const std::vector<Course>& courses, const Course& mid) {
  std::vector<Course> out;
  for (const auto& course : courses) {
    Course difference(course.size());
    for (std::size_t i = 0; i < course.size(); ++i) {
      // Both at the floor say nothing of their proportion.
      difference[i] = mid[i] <= kLeastLog + 1 ? kMissing : course[i] - mid[i];
    }
    const double usual = median_of(difference);
    for (double& value : difference) value -= usual;
    out.push_back(std::move(difference));
  }
  return out;
}

double deviation_of(const Course& differences) {
  Course sizes;
  for (const double value : differences) sizes.push_back(std::abs(value));
  return stats::kDeviationOfMad * median_of(std::move(sizes));
}

// What the quantities say of one block beside their middle.
struct Lowest {
  double difference = 0;  // of the one that is clearest below the others; 0 if none is
  bool is_disputed = false;
};

// The quantities of a job, by index in the same order.
struct Parts {
  std::vector<Course> apart;  // from their middle
  std::vector<double> allowed;
  std::vector<bool> only_beside_others;
  std::vector<bool> is_alone;  // as Agreement's

  bool others_take_part(std::size_t block) const {
    if (block < is_alone.size() && is_alone[block]) return false;
    for (std::size_t q = 0; q < apart.size(); ++q) {
      if (!only_beside_others[q] && apart[q][block] > allowed[q] + kFarAbove) return true;
    }
    return false;
  }
};

Parts parts_of(const std::map<Quantity, Course>& by_quantity, const Agreement& agreement,
               const Course& mid) {
  Parts out;
  out.is_alone = agreement.is_alone;
  std::vector<Course> courses;
  courses.reserve(by_quantity.size());
  for (const auto& [quantity, course] : by_quantity) {
    courses.push_back(course);
    out.only_beside_others.push_back(std::ranges::find(agreement.only_beside_others, quantity) !=
                                     agreement.only_beside_others.end());
  }
  out.apart = differences(courses, mid);
  for (const auto& one : out.apart) {
    out.allowed.push_back(kClearly * deviation_of(one) + kClearlyLeast);
  }
  return out;
}

// How far quantities disagree over longer than a block, while the job is there: without it they
// have other people's housekeeping in them.
double bias_of(const Parts& parts, std::span<const double> rate) {
  const double least = least_active({rate.begin(), rate.end()});
  const auto is_there = [&](std::size_t from) {
    return std::ranges::all_of(rate.subspan(from, kBiasBlocks),
                               [&](double one) { return one >= least; });
  };
  std::vector<double> means;
  for (std::size_t q = 0; q < parts.apart.size(); ++q) {
    if (parts.only_beside_others[q]) continue;
    const auto& course = parts.apart[q];
    for (std::size_t from = 0; from + kBiasBlocks <= course.size(); from += kBiasBlocks) {
      if (!is_there(from)) continue;
      double sum = 0;
      for (std::size_t i = from; i < from + kBiasBlocks; ++i) sum += course[i];
      means.push_back(std::abs(sum / static_cast<double>(kBiasBlocks)));
    }
  }
  const double bias = stats::kDeviationOfMad * median_of(std::move(means));
  return std::isnan(bias) ? kLeastBias : std::max(bias, kLeastBias);
}

Lowest lowest_of(const Parts& parts, std::size_t block) {
  Lowest out;
  double clearest = 0;
  const bool all = parts.others_take_part(block);
  const auto& apart = parts.apart;
  const auto& allowed = parts.allowed;
  for (std::size_t q = 0; q < apart.size(); ++q) {
    if (parts.only_beside_others[q] && !all) continue;
    const double difference = apart[q][block];
    out.is_disputed = out.is_disputed || std::abs(difference) > allowed[q];
    if (!(difference + allowed[q] < clearest)) continue;  // NaN is not
    clearest = difference + allowed[q];
    out.difference = difference;
  }
  return out;
}

// What a disk does beyond the job's usual it does for somebody else. That is told from a usual that
// has somebody else's part in it, so the usual is taken anew while there is more to leave out.
void leave_out_others(std::vector<double>& rate) {
  for (bool is_more = true; is_more;) {
    const double most = kMostOfDisk * good_level(rate);
    is_more = false;
    for (double& one : rate) {
      if (!(one > most)) continue;
      one = kMissing;
      is_more = true;
    }
  }
}

}  // namespace

CommonCourse common_course(std::span<const Series> series, const Agreement& agreement) {
  const auto parts = by_quantity(series, agreement);
  std::vector<Course> courses;
  courses.reserve(parts.size());
  for (const auto& [quantity, course] : parts) courses.push_back(course);
  const auto mid =
      agreement.seed_leads ? parts.at(series[agreement.seed].quantity) : middle(courses);
  const auto all = parts_of(parts, agreement, mid);
  const bool alone = is_storage_alone(series, agreement);
  CommonCourse out;
  std::vector<double> alone_on_it;  // the rate where nobody else takes part
  for (std::size_t i = 0; i < mid.size(); ++i) {
    const auto lowest = lowest_of(all, i);
    const double value = mid[i] + lowest.difference;
    const bool mixed = alone && lowest.is_disputed;
    out.rate.push_back(mixed ? kMissing : value <= kLeastLog ? 0 : std::exp(value));
    const bool is_shared = !agreement.only_beside_others.empty() && all.others_take_part(i);
    if (!is_shared && !std::isnan(out.rate.back())) alone_on_it.push_back(out.rate.back());
  }
  if (alone) leave_out_others(out.rate);
  double usual = alone || alone_on_it.size() < kGoodBlocks ? 0 : good_level(alone_on_it);
  if (!(usual > 0)) usual = good_level(out.rate);
  for (double& rate : out.rate) rate /= usual;
  out.block_error = calm_deviation(out.rate);
  out.bias_error = bias_of(all, out.rate);
  return out;
}

double good_level(std::span<const double> rate) {
  std::vector<double> present;
  for (const double value : rate) {
    if (!std::isnan(value)) present.push_back(value);
  }
  if (present.size() <= kGoodBlocks) return median_of(std::move(present));
  // One block that is far out is no level. Where a job is there for less than half of the run, the
  // median is not its own.
  const double least = least_active(present);
  std::vector<double> active = present;
  std::erase_if(active, [&](double value) { return value < least; });
  const double most = kMostOfMedian * median_of(std::move(active));
  std::vector<double> means;
  double sum = 0;
  for (std::size_t i = 0; i < present.size(); ++i) {
    sum += most > 0 ? std::min(present[i], most) : present[i];
    if (i + 1 < kGoodBlocks) continue;
    means.push_back(sum / static_cast<double>(kGoodBlocks));
    const double first = present[i + 1 - kGoodBlocks];
    sum -= most > 0 ? std::min(first, most) : first;
  }
  const double best = *std::ranges::max_element(means);
  std::erase_if(means, [&](double mean) { return mean < kGoodShare * best; });
  return std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(means.size());
}

double calm_deviation(std::span<const double> rate) {
  std::vector<double> sizes;
  for (std::size_t i = 0; i + kCalmBlocks <= rate.size(); ++i) {
    std::vector<double> around(rate.begin() + static_cast<std::ptrdiff_t>(i),
                               rate.begin() + static_cast<std::ptrdiff_t>(i + kCalmBlocks));
    const double here = around[kCalmBlocks / 2];
    sizes.push_back(std::abs(here - median_of(std::move(around))));
  }
  const double out = stats::kDeviationOfMad * median_of(std::move(sizes));
  return std::isnan(out) ? 0 : out;
}

}  // namespace reveal::work
