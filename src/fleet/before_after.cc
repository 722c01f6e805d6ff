#include "fleet/before_after.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "text/time_text.h"

namespace reveal::fleet {
namespace {

using base::ErrorKind;

// Levels of fewer buckets, in batches of a quarter, are hardly known.
constexpr std::size_t kFewestBuckets = 12;

// A pattern's signs are differences between hosts; here the run before is the peer.
std::vector<Difference> as_differences(const std::vector<LevelChange>& changes) {
  std::vector<Difference> out;
  for (const auto& change : changes) {
    Difference one;
    one.quantity = change.quantity;
    one.observed = change.after.value;
    one.peers = change.before.value;
    one.limit = change.least;
    out.push_back(std::move(one));
  }
  return out;
}

// The highest core says nothing beyond the mean of all.
bool is_said_twice(const LevelChange& one, const std::vector<LevelChange>& all) {
  return one.quantity.fold == Fold::kHighestCore &&
         std::ranges::any_of(all, [&](const LevelChange& other) {
           return other.quantity.fold == Fold::kMeanOfCores &&
                  other.quantity.channel() == one.quantity.channel() &&
                  (other.change.value > 0) == (one.change.value > 0);
         });
}

// Returns the name that the notes of either run give the job's group, the later one's first.
std::string name_of(const std::string& job, std::span<const HostLevels> levels) {
  for (const auto* run : {&levels[1], &levels[0]}) {
    for (const auto& note : run->notes()) {
      if (!job.empty() && note.subject == job && !note.text.empty()) return note.text;
    }
  }
  constexpr std::string_view kPrefix = "cg=";
  return job.starts_with(kPrefix) ? job.substr(kPrefix.size()) : job;
}

base::Unexpected nothing_in_common(const std::array<ComparedRun, 2>& runs) {
  return base::fail(ErrorKind::kUsage,
                    fmt::format("have nothing in common: no channel or metric of {} is in {}",
                                runs[0].recording, runs[1].recording),
                    "the recordings", "compare two runs of one host, or of alike hosts");
}

}  // namespace

std::int64_t BeforeAfter::shared_ns() const {
  if (!one_host()) return 0;
  const auto& before = runs[0].grid;
  const auto& after = runs[1].grid;
  const auto begin_ns = std::max(before.begin_ns, after.begin_ns);
  return std::max<std::int64_t>(std::min(before.end_ns(), after.end_ns()) - begin_ns, 0);
}

base::Result<std::array<Grid, 2>> grids_of(const std::array<Recorded, 2>& runs) {
  std::int64_t bucket_ns = kBucket_ns;
  for (const auto& run : runs) bucket_ns = std::max(bucket_ns, run.interval_ns);
  const auto cut = [&](const Recorded& run) {
    return grid_between(run.begin_ns, run.end_ns + run.interval_ns, bucket_ns);
  };
  // The longer run says how long buckets are.
  for (const auto& run : runs) bucket_ns = std::max(bucket_ns, cut(run).bucket_ns);
  std::array<Grid, 2> out{cut(runs[0]), cut(runs[1])};
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].buckets >= kFewestBuckets) continue;
    const auto needed = static_cast<std::int64_t>(kFewestBuckets) * bucket_ns;
    return base::fail(
        ErrorKind::kTooLittle,
        fmt::format("the run {} has only {}, but {} are needed", i == 0 ? "before" : "after",
                    text::span_text(static_cast<std::int64_t>(out[i].buckets) * bucket_ns),
                    text::span_text(needed)),
        runs[i].name, "give a longer run, or a longer part of it");
  }
  return out;
}

base::Result<BeforeAfter> compare_runs(std::array<ComparedRun, 2> runs,
                                       std::span<const HostLevels> levels, const JoinedWork& work) {
  BeforeAfter out;
  out.runs = std::move(runs);
  const auto bucket_ns = out.runs[0].grid.bucket_ns;
  const double window_s =
      static_cast<double>(bucket_ns) * 1e-9 * static_cast<double>(kBucketsInWindow);
  const Surroundings around{installed_memory(levels), window_s};
  std::vector<LevelChange> changes;
  auto matched = for_each_compared(levels, 2, [&](const ComparedQuantity& compared) {
    auto result = change_of(compared, bucket_ns, around);
    if (!result.moved) ++out.constant;
    if (result.change) changes.push_back(*std::move(result.change));
  });
  out.quantities = matched.compared;
  out.lacking = std::move(matched.lacking);
  auto facts = compare_facts(levels);
  out.facts_compared = facts.compared;
  out.facts = std::move(facts.differences);
  if (out.quantities == 0) return nothing_in_common(out.runs);
  std::ranges::copy_if(changes, std::back_inserter(out.changes),
                       [&](const LevelChange& one) { return !is_said_twice(one, changes); });
  std::ranges::stable_sort(out.changes, [](const LevelChange& a, const LevelChange& b) {
    return a.effect() > b.effect();
  });
  out.patterns = recognize(as_differences(out.changes), window_s);
  out.work = work.result();
  for (auto& job : out.work) job.name = name_of(job.job, levels);
  return out;
}

}  // namespace reveal::fleet
