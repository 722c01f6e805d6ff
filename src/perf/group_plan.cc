#include "perf/group_plan.h"

#include <algorithm>

namespace reveal::perf {
namespace {

using Events = std::vector<std::size_t>;

bool fit_together(const Events& base, std::span<const std::size_t> more, const Fits& fits) {
  Events all = base;
  all.insert(all.end(), more.begin(), more.end());
  return fits(all);
}

// Takes the last two events of the base and puts them before the others.
void shorten(Events& base, Events& others) {
  for (int taken = 0; taken < 2 && base.size() > kShortestBase; ++taken) {
    others.insert(others.begin(), base.back());
    base.pop_back();
  }
}

void make_room(Events& base, Events& others, const Fits& fits) {
  const auto room = std::min(kRoom, others.size());
  const Events first(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(room));
  while (base.size() > kShortestBase && !fit_together(base, first, fits)) shorten(base, others);
}

void add_turn(GroupPlan& plan, Events turn) {
  if (turn.empty()) return;
  if (plan.turns.size() < kMaxTurns) {
    plan.turns.push_back(std::move(turn));
  } else {
    plan.left_out.insert(plan.left_out.end(), turn.begin(), turn.end());
  }
}

}  // namespace

GroupPlan plan_groups(Events base, Events others, std::vector<Events> teams, const Fits& fits) {
  GroupPlan plan;
  make_room(base, others, fits);
  plan.base = std::move(base);
  for (Events& team : teams) add_turn(plan, std::move(team));
  Events turn;
  for (const std::size_t event : others) {
    turn.push_back(event);
    if (fit_together(plan.base, turn, fits)) continue;
    turn.pop_back();
    add_turn(plan, std::move(turn));
    turn = {event};
    if (!fit_together(plan.base, turn, fits)) {
      plan.left_out.push_back(event);
      turn.clear();
    }
  }
  add_turn(plan, std::move(turn));
  return plan;
}

}  // namespace reveal::perf
