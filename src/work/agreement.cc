#include "work/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "stats/correlation.h"
#include "stats/quantile.h"

namespace reveal::work {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
// So many pairs of neighboring blocks are enough to tell what moves together.
constexpr std::size_t kMostPairs = 240;
constexpr std::size_t kFewestPairs = 12;
// Fewer a second are somebody's housekeeping: a monitor that asks each second, a clock that is set.
constexpr double kLeastLevel = 2;
constexpr double kLeastPackets = 10;
constexpr double kLeastBytes = 5000;  // over the network
// A counter whose changes are smaller is a timer.
constexpr double kLeastChange = 0.004;
constexpr double kLeastCorrelation = 0.6;
constexpr double kSameJob = 0.4;
constexpr std::size_t kMostJobs = 4;
// A start or a stop is one event, however large.
constexpr double kMostChange = 0.7;
// What is there for less of the run is something that happens, not a job.
constexpr double kLeastShare = 0.25;
// A disk that is used for less of the run is used by nobody in particular.
constexpr double kSteadyShare = 0.7;
constexpr double kFloor = 1e-3;  // of the high level, so that a logarithm exists

// The logarithm of a series' level, relative to its high level, and whether the job is there.
struct Course {
  std::vector<double> log_level;  // NaN if there is none
  std::vector<bool> is_active;
  double level = 0;  // the median while active
};

Course course_of(const Series& series) {
  Course out;
  std::vector<double> present;
  for (const double level : series.level) {
    if (std::isfinite(level)) present.push_back(level);
  }
  out.log_level.assign(series.level.size(), kMissing);
  out.is_active.assign(series.level.size(), false);
  if (present.empty()) return out;
  std::ranges::sort(present);
  const double high = stats::quantile(present, 0.9);
  if (high <= 0) return out;
  std::vector<double> active;
  for (std::size_t i = 0; i < series.level.size(); ++i) {
    const double level = series.level[i];
    if (!std::isfinite(level)) continue;
    out.log_level[i] = std::log(std::max(level / high, kFloor));
    out.is_active[i] = level >= kActiveShare * high;
    if (out.is_active[i]) active.push_back(level);
  }
  out.level = stats::median(std::move(active));
  return out;
}

// Evenly spaced blocks that have a successor; all of them if they are few.
std::vector<std::size_t> sampled(std::size_t blocks) {
  std::vector<std::size_t> out;
  if (blocks < 2) return out;
  const std::size_t pairs = blocks - 1;
  const std::size_t taken = std::min(pairs, kMostPairs);
  for (std::size_t i = 0; i < taken; ++i) out.push_back(i * pairs / taken);
  return out;
}

// The changes of `course` from the blocks `at` to the next ones, NaN unless `seed` is active in
// both.
std::vector<double> changes(const Course& course, const Course& seed,
                            std::span<const std::size_t> at) {
  std::vector<double> out;
  out.reserve(at.size());
  for (const std::size_t i : at) {
    const bool counts = seed.is_active[i] && seed.is_active[i + 1];
    const double change = course.log_level[i + 1] - course.log_level[i];
    out.push_back(counts ? std::clamp(change, -kMostChange, kMostChange) : kMissing);
  }
  return out;
}

struct Spread {
  double deviation = 0;
  std::size_t count = 0;
};

Spread spread_of(std::span<const double> values) {
  double sum = 0;
  double squares = 0;
  Spread out;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    squares += value * value;
    ++out.count;
  }
  if (out.count == 0) return out;
  const auto n = static_cast<double>(out.count);
  out.deviation = std::sqrt(std::max(squares / n - sum / n * (sum / n), 0.0));
  return out;
}

// Returns the median of how far log(one / seed) is from its own median; infinity if there are too
// few blocks.
double distance_between(const Course& one, const Course& seed, std::span<const std::size_t> at) {
  std::vector<double> ratios;
  for (const std::size_t i : at) {
    const double ratio = one.log_level[i] - seed.log_level[i];
    if (seed.is_active[i] && std::isfinite(ratio)) ratios.push_back(ratio);
  }
  if (ratios.size() < kFewestPairs) return std::numeric_limits<double>::infinity();
  return stats::mad(std::move(ratios));
}

double least_level(Quantity quantity) {
  switch (quantity) {
    case Quantity::kBytesReceived:
    case Quantity::kBytesSent:
      return kLeastBytes;
    case Quantity::kPacketsReceived:
    case Quantity::kPacketsSent:
    case Quantity::kSegmentsReceived:
    case Quantity::kSegmentsSent:
      return kLeastPackets;
    default:
      return kLeastLevel;
  }
}

// What agrees with one seed, and what makes one agreement better than another: how well its members
// move together, how near they are, how many resources and quantities they are of.
class Search {
 public:
  Search(std::span<const Series> series, double most_distance)
      : series_(series), most_distance_(most_distance) {
    for (const auto& one : series) courses_.push_back(course_of(one));
    at_ = sampled(series.empty() ? 0 : series.front().level.size());
  }

  // `is_taken` tells of series that are another agreement's.
  std::optional<Agreement> with_seed(std::size_t seed, const std::vector<bool>& is_taken) const {
    if (is_taken[seed] || !is_enough(seed)) return std::nullopt;
    if (active_share(seed) < kLeastShare) return std::nullopt;
    const auto own = changes(courses_[seed], courses_[seed], at_);
    const auto spread = spread_of(own);
    if (spread.count < kFewestPairs || spread.deviation < kLeastChange) return std::nullopt;
    Agreement out;
    out.seed = seed;
    double together = 0;
    double apart = 0;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      if (is_taken[i] || !is_enough(i)) continue;
      const double r =
          i == seed ? 1 : stats::correlation(own, changes(courses_[i], courses_[seed], at_));
      if (!(r > kLeastCorrelation)) continue;
      const double distance = distance_between(courses_[i], courses_[seed], at_);
      if (distance > most_distance_) continue;
      out.members.push_back(i);
      if (i == seed) continue;
      together += r;
      apart += distance;
    }
    if (!judge(together, apart, out)) return std::nullopt;
    return out;
  }

  std::optional<Agreement> best(const std::vector<bool>& is_taken) const {
    std::optional<Agreement> out;
    for (std::size_t seed = 0; seed < series_.size(); ++seed) {
      auto found = with_seed(seed, is_taken);
      if (found && (!out || found->quality > out->quality)) out = std::move(found);
    }
    return out;
  }

  // Marks the members, and what moves with their seed without being near it.
  void take(const Agreement& agreement, std::vector<bool>& is_taken) const {
    const auto& seed = courses_[agreement.seed];
    const auto own = changes(seed, seed, at_);
    for (std::size_t i = 0; i < series_.size(); ++i) {
      const double r = stats::correlation(own, changes(courses_[i], seed, at_));
      if (r > kSameJob) is_taken[i] = true;
    }
    for (const auto member : agreement.members) is_taken[member] = true;
  }

 private:
  bool is_enough(std::size_t place) const {
    return courses_[place].level >= least_level(series_[place].quantity);
  }

  bool judge(double together, double apart, Agreement& out) const {
    std::set<Quantity> quantities;
    std::set<model::Subsystem> resources;
    for (const auto member : out.members) {
      quantities.insert(series_[member].quantity);
      resources.insert(resource_of(series_[member].quantity));
    }
    if (quantities.size() < 2) return false;
    if (!resources.contains(model::Subsystem::kNetwork)) {
      if (resources.size() < 2 && !quantities.contains(Quantity::kBytesRead)) return false;
      if (!uses_disk_steadily(out)) return false;
    }
    const auto others = static_cast<double>(out.members.size() - 1);
    out.quality = together / others * (1 + 0.5 * static_cast<double>(resources.size() - 1)) *
                  std::min(1.0, static_cast<double>(quantities.size()) / 3) /
                  (0.02 + apart / others);
    return true;
  }

  // What is read passes through memory, so that both together say no more than the disk alone.
  bool uses_disk_steadily(const Agreement& agreement) const {
    return std::ranges::all_of(agreement.members, [this](std::size_t member) {
      return resource_of(series_[member].quantity) != model::Subsystem::kStorage ||
             active_share(member) > kSteadyShare;
    });
  }

  double active_share(std::size_t series) const {
    const auto& active = courses_[series].is_active;
    return static_cast<double>(std::ranges::count(active, true)) /
           static_cast<double>(active.size());
  }

  std::span<const Series> series_;
  double most_distance_;
  std::vector<Course> courses_;
  std::vector<std::size_t> at_;
};

}  // namespace

bool is_storage_alone(std::span<const Series> series, const Agreement& agreement) {
  return std::ranges::all_of(agreement.members, [&](std::size_t member) {
    return resource_of(series[member].quantity) == model::Subsystem::kStorage;
  });
}

std::vector<Agreement> agreements(std::span<const Series> series, double most_distance) {
  const Search search(series, most_distance);
  std::vector<Agreement> out;
  std::vector<bool> is_taken(series.size(), false);
  while (out.size() < kMostJobs) {
    auto best = search.best(is_taken);
    if (!best) break;
    search.take(*best, is_taken);
    out.push_back(*std::move(best));
  }
  return out;
}

double correlation_of_changes(std::span<const double> one, std::span<const double> other) {
  Series a;
  a.level.assign(one.begin(), one.end());
  Series b;
  b.level.assign(other.begin(), other.end());
  const auto course = course_of(a);
  const auto at = sampled(one.size());
  return stats::correlation(changes(course, course, at), changes(course_of(b), course, at));
}

}  // namespace reveal::work
