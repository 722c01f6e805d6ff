#include "attribute/subsystem_split.h"

#include <algorithm>
#include <utility>

namespace reveal::attribute {
namespace {

using model::Subsystem;
using Rows = std::vector<std::size_t>;

// Windows that one subsystem stalls: places in the rows.
struct Run {
  Subsystem subsystem = Subsystem::kCpu;
  std::size_t first = 0;
  std::size_t last = 0;
  bool alarmed = false;
};

std::vector<Run> runs_of(const detect::DetectorVerdict& saturation, const Rows& rows,
                         const StalledBy& stalled_by) {
  std::vector<Run> out;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const auto by = stalled_by(rows[at]);
    if (!by) continue;
    if (out.empty() || out.back().subsystem != family_of(*by)) {
      out.push_back({family_of(*by), at, at, false});
    }
    out.back().last = at;
    out.back().alarmed = out.back().alarmed || saturation.flagged[rows[at]];
  }
  return out;
}

void join_across_short(std::vector<Run>& runs) {
  std::vector<Run> out;
  for (const auto& run : runs) {
    const bool is_short = run.last - run.first < kShortRun && !out.empty();
    if (is_short && out.back().subsystem != run.subsystem) continue;
    if (out.empty() || out.back().subsystem != run.subsystem) {
      out.push_back(run);
      continue;
    }
    out.back().last = run.last;
    out.back().alarmed = out.back().alarmed || run.alarmed;
  }
  runs = std::move(out);
}

}  // namespace

Subsystem family_of(Subsystem subsystem) {
  return subsystem == Subsystem::kMemory ? Subsystem::kStorage : subsystem;
}

std::vector<Rows> split_by_subsystem(const feature::FeatureMatrix& matrix,
                                     const detect::DetectorVerdict& saturation, const Rows& rows,
                                     const StalledBy& stalled_by) {
  auto runs = runs_of(saturation, rows, stalled_by);
  join_across_short(runs);
  std::erase_if(runs, [&](const Run& run) {
    const auto& first = matrix.window(rows[run.first]);
    const auto& last = matrix.window(rows[run.last]);
    return !run.alarmed || last.begin_ns < first.end_ns;
  });
  std::vector<Rows> out;
  std::size_t begin = 0;
  const auto cut = [&](std::size_t end) {
    out.emplace_back(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                     rows.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  };
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].subsystem != runs[i - 1].subsystem) cut(runs[i].first);
  }
  cut(rows.size());
  return out;
}

std::optional<Subsystem> clearly_one(const std::array<double, model::kSubsystemCount>& blame,
                                     double least) {
  auto shares = blame;
  const auto memory = static_cast<std::size_t>(Subsystem::kMemory);
  const auto storage = static_cast<std::size_t>(Subsystem::kStorage);
  const bool more_memory = shares[memory] > shares[storage];
  auto& both = shares[more_memory ? memory : storage];
  both = shares[memory] + shares[storage];
  const auto largest = std::max_element(shares.begin(), shares.end());
  if (*largest < least) return std::nullopt;
  return static_cast<Subsystem>(largest - shares.begin());
}

}  // namespace reveal::attribute
