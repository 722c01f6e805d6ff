#include "attribute/held_up.h"

#include <algorithm>

#include "detect/threshold.h"

namespace reveal::attribute {
namespace {

using Rows = std::vector<std::size_t>;

// In doubt work is held up: half of what raises an alarm by itself is enough.
bool is_held_up(const detect::DetectorVerdict& hindrance, std::size_t row) {
  const auto at = static_cast<Eigen::Index>(row);
  return hindrance.flagged[row] ||
         hindrance.scores(at) > detect::least_of_interest(hindrance.reach, hindrance.limits(at));
}

bool share_a_sample(const window::WindowSpan& a, const window::WindowSpan& b) {
  return a.begin_ns < b.end_ns && a.end_ns > b.begin_ns;
}

}  // namespace

std::vector<Stretch> split_by_hindrance(const feature::FeatureMatrix& matrix,
                                        const detect::DetectorVerdict& hindrance,
                                        const Rows& group) {
  const auto held_up = [&](std::size_t row) { return is_held_up(hindrance, row); };
  const auto first = std::find_if(group.begin(), group.end(), held_up);
  if (first == group.end()) return {{group, false}};
  const auto last = std::find_if(group.rbegin(), group.rend(), held_up).base() - 1;
  const auto near = [&](Rows::const_iterator to) {
    return
        [&, to](std::size_t row) { return share_a_sample(matrix.window(row), matrix.window(*to)); };
  };
  const auto begin = std::find_if(group.begin(), first, near(first));
  const auto end = std::find_if_not(last, group.end(), near(last));
  const auto length = end - begin;
  const bool late = begin - group.begin() > length;
  if (!late && group.end() - end <= length) return {{group, true}};
  const bool alarmed =
      std::any_of(first, last + 1, [&](std::size_t row) { return hindrance.flagged[row]; });
  if (!late || !alarmed) return {{group, alarmed}};
  return {{Rows(group.begin(), begin), false}, {Rows(begin, group.end()), true}};
}

}  // namespace reveal::attribute
