#include "attribute/stalled.h"

#include <algorithm>

#include "detect/threshold.h"

namespace reveal::attribute {
namespace {

using Rows = std::vector<std::size_t>;

bool share_a_sample(const window::WindowSpan& a, const window::WindowSpan& b) {
  return a.begin_ns < b.end_ns && a.end_ns > b.begin_ns;
}

struct Island {
  std::size_t begin;  // places in the group, half-open
  std::size_t end;
  bool alarmed;
};

std::vector<Island> islands_of(const feature::FeatureMatrix& matrix,
                               const detect::DetectorVerdict& saturation, const Rows& group) {
  std::vector<Island> out;
  for (std::size_t at = 0; at < group.size(); ++at) {
    if (!is_stalled(saturation, group[at])) continue;
    const auto& span = matrix.window(group[at]);
    std::size_t begin = at;
    std::size_t end = at + 1;
    while (begin > 0 && share_a_sample(matrix.window(group[begin - 1]), span)) --begin;
    while (end < group.size() && share_a_sample(matrix.window(group[end]), span)) ++end;
    const bool alarmed = saturation.flagged[group[at]];
    if (!out.empty() && begin <= out.back().end + kOneIsland) {
      out.back() = {out.back().begin, end, out.back().alarmed || alarmed};
    } else {
      out.push_back({begin, end, alarmed});
    }
  }
  return out;
}

}  // namespace

bool is_stalled(const detect::DetectorVerdict& saturation, std::size_t row) {
  const auto at = static_cast<Eigen::Index>(row);
  return saturation.flagged[row] ||
         detect::says_stalled(saturation.scores(at), saturation.hysteresis_limit,
                              saturation.limits(at));
}

std::vector<Stretch> split_by_stall(const feature::FeatureMatrix& matrix,
                                    const detect::DetectorVerdict& saturation, const Rows& group,
                                    bool at_start) {
  const auto stalled = [&](std::size_t row) { return is_stalled(saturation, row); };
  const auto first = std::find_if(group.begin(), group.end(), stalled);
  if (first == group.end()) return {{group, false}};
  const auto last = std::find_if(group.rbegin(), group.rend(), stalled).base() - 1;
  const auto near = [&](Rows::const_iterator to) {
    return
        [&, to](std::size_t row) { return share_a_sample(matrix.window(row), matrix.window(*to)); };
  };
  const auto begin = std::find_if(group.begin(), first, near(first));
  const auto end = std::find_if_not(last, group.end(), near(last));
  const auto length = end - begin;
  const bool late = begin - group.begin() > length;
  const bool most = !late && group.end() - end <= length;
  if (most && !at_start) return {{group, true}};
  const bool alarmed =
      std::any_of(first, last + 1, [&](std::size_t row) { return saturation.flagged[row]; });
  if (!late || !alarmed) return {{group, alarmed}};
  return {{Rows(group.begin(), begin), false}, {Rows(begin, group.end()), true}};
}

std::vector<Stretch> split_into_islands(const feature::FeatureMatrix& matrix,
                                        const detect::DetectorVerdict& saturation,
                                        const Rows& group) {
  const auto islands = islands_of(matrix, saturation, group);
  if (islands.empty()) return {{group, false}};
  std::size_t windows = 0;
  for (const auto& island : islands) windows += island.end - island.begin;
  if (windows * 2 >= group.size()) return {{group, true}};
  std::vector<Stretch> out;
  Rows rest;
  std::size_t after = 0;  // the last finding
  const auto place = [&](std::size_t at) {
    return group.begin() + static_cast<std::ptrdiff_t>(at);
  };
  for (const auto& island : islands) {
    if (!island.alarmed) continue;
    rest.insert(rest.end(), place(after), place(island.begin));
    out.push_back({Rows(place(island.begin), place(island.end)), true});
    after = island.end;
  }
  rest.insert(rest.end(), place(after), group.end());
  if (!rest.empty()) out.push_back({std::move(rest), false});
  return out;
}

}  // namespace reveal::attribute
