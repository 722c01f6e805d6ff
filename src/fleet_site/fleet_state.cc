#include "fleet_site/fleet_state.h"

#include <algorithm>

#include <fmt/format.h>

namespace reveal::fleet_site {
namespace {

struct Kind {
  std::string_view prefix;
  std::string_view kind;
  std::string_view word;
};

constexpr std::array<Kind, 3> kKinds{
    {{"job=", "job", "job "}, {"role=", "role", "role "}, {"hw=", "hardware", ""}}};

}  // namespace

std::string_view to_string(RunState state) {
  switch (state) {
    case RunState::kStarting:
      return "starting";
    case RunState::kJudging:
      return "judging";
    case RunState::kLate:
      return "late";
    case RunState::kNoBroker:
      return "no_broker";
  }
  return "";
}

const GroupState* find_group(const FleetState& state, std::string_view key) {
  const auto found = std::ranges::lower_bound(
      state.groups, key, {}, [](const GroupState& one) { return std::string_view(one.key); });
  return found == state.groups.end() || found->key != key ? nullptr : &*found;
}

// A cluster comes before the key, with a slash between; either may have slashes of its own.
GroupName name_of_group(std::string_view key) {
  for (const auto& one : kKinds) {
    const auto slashed = fmt::format("/{}", one.prefix);
    const auto at = key.starts_with(one.prefix) ? std::string_view::npos : key.find(slashed);
    if (!key.starts_with(one.prefix) && at == std::string_view::npos) continue;
    const auto begin = at == std::string_view::npos ? one.prefix.size() : at + slashed.size();
    auto name = fmt::format("{}{}", one.word, key.substr(begin));
    if (at != std::string_view::npos) name += fmt::format(", cluster {}", key.substr(0, at));
    return {one.kind, std::move(name)};
  }
  return {"other", std::string(key)};
}

}  // namespace reveal::fleet_site
