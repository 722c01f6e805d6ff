#include "analyser/gaps.h"

#include <algorithm>
#include <iterator>

#include "peers/host.h"

namespace reveal::analyser {

void Gaps::take(std::string_view group, std::int64_t begin_ns, std::int64_t stored_ns,
                std::int64_t steady_ns) {
  auto found = groups_.find(group);
  if (found == groups_.end()) found = groups_.try_emplace(std::string(group)).first;
  add(found->second, {.begin_ns = begin_ns,
                      .end_ns = begin_ns + peers::kSecond_ns,
                      .stored_ns = stored_ns,
                      .came_ns = steady_ns});
}

void Gaps::add(std::vector<Stretch>& to, Stretch fresh) {
  const auto first = std::ranges::find_if(
      to, [&](const Stretch& one) { return one.end_ns + kApart_ns >= fresh.begin_ns; });
  auto last = first;
  while (last != to.end() && last->begin_ns <= fresh.end_ns + kApart_ns) {
    fresh.begin_ns = std::min(fresh.begin_ns, last->begin_ns);
    fresh.end_ns = std::max(fresh.end_ns, last->end_ns);
    fresh.stored_ns = std::max(fresh.stored_ns, last->stored_ns);
    fresh.came_ns = std::max(fresh.came_ns, last->came_ns);
    ++last;
  }
  to.insert(to.erase(first, last), fresh);
  if (to.size() > kMaxOfGroup) join_nearest(to);
}

void Gaps::join_nearest(std::vector<Stretch>& in) {
  auto nearest = in.begin();
  for (auto it = in.begin(); std::next(it) != in.end(); ++it) {
    const auto apart_ns = std::next(it)->begin_ns - it->end_ns;
    if (apart_ns < std::next(nearest)->begin_ns - nearest->end_ns) nearest = it;
  }
  const auto& later = *std::next(nearest);
  nearest->end_ns = later.end_ns;
  nearest->stored_ns = std::max(nearest->stored_ns, later.stored_ns);
  nearest->came_ns = std::max(nearest->came_ns, later.came_ns);
  in.erase(std::next(nearest));
}

std::optional<ledger::Gap> Gaps::take_ready(
    std::int64_t steady_ns, const std::function<bool(const std::string&)>& is_wanted) {
  for (auto it = groups_.begin(); it != groups_.end(); ++it) {
    auto& stretches = it->second;
    if (!is_wanted(it->first)) continue;
    const auto ready = std::ranges::find_if(
        stretches, [&](const Stretch& one) { return steady_ns - one.came_ns >= kQuiet_ns; });
    if (ready == stretches.end()) continue;
    ledger::Gap out;
    out.group = it->first;
    out.begin_ns = ready->begin_ns;
    out.end_ns = ready->end_ns;
    out.stored_ns = ready->stored_ns;
    stretches.erase(ready);
    if (stretches.empty()) groups_.erase(it);
    return out;
  }
  return std::nullopt;
}

void Gaps::put_back(const ledger::Gap& gap, std::int64_t steady_ns) {
  add(groups_[gap.group], {.begin_ns = gap.begin_ns,
                           .end_ns = gap.end_ns,
                           .stored_ns = gap.stored_ns,
                           .came_ns = steady_ns});
}

}  // namespace reveal::analyser
