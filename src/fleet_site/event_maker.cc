#include "fleet_site/event_maker.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "fleet_site/time_json.h"
#include "http/json_text.h"
#include "text/base64.h"

namespace reveal::fleet_site {
namespace {

using http::Json;
using http::one_line;

// A reason may be any message, and JSON writes six bytes for some letters.
constexpr std::size_t kMostReasonBytes = 120;
constexpr std::size_t kMostPlaces = 0x10000;

std::string_view bytes_of(const std::vector<Mark>& marks) {
  return {reinterpret_cast<const char*>(marks.data()), marks.size()};
}

// Returns three bytes a change: two for the place, and the mark.
std::string changes_of(const std::vector<Mark>& from, const std::vector<Mark>& to) {
  std::string out;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (from[i] == to[i]) continue;
    out.push_back(static_cast<char>(i & 0xFF));
    out.push_back(static_cast<char>(i >> 8));
    out.push_back(static_cast<char>(to[i]));
  }
  return out;
}

bool is_troubled(const GroupState& group) {
  return group.incidents_open > 0 || group.slow > 0;
}

// Troubled groups first, then the others in the order of keys, from the one after `turn` on.
std::vector<const GroupState*> order_of(const FleetState& state, std::string_view turn) {
  std::vector<const GroupState*> out;
  out.reserve(state.groups.size());
  const auto next = std::ranges::upper_bound(
      state.groups, turn, {}, [](const GroupState& one) { return std::string_view(one.key); });
  for (auto it = next; it != state.groups.end(); ++it) out.push_back(&*it);
  for (auto it = state.groups.begin(); it != next; ++it) out.push_back(&*it);
  std::stable_partition(out.begin(), out.end(), [](const auto* one) { return is_troubled(*one); });
  return out;
}

}  // namespace

std::vector<http::Event> EventMaker::events_of(const FleetState& state, Clock::time_point now) {
  std::vector<http::Event> out;
  add_incidents(state, out);
  out.push_back({"fleet", fleet_event(state, now)});
  begun_ = true;
  return out;
}

std::string EventMaker::group_json(const GroupState& group, bool is_always_whole,
                                   Clock::time_point now) {
  auto& told = told_[group.key];
  Json out = {{"key", group.key}, {"hosts", group.hosts->size()}, {"present", group.present}};
  out["judged_end"] = time_json(group.judged_end_wall_ns);
  out["certain"] = group.is_certain;
  out["slow"] = group.slow;
  // Places are those of the hosts that there were.
  const bool is_same = told.hosts != nullptr && told.marks.size() == group.marks.size() &&
                       (told.hosts == group.hosts || told.hosts->ids == group.hosts->ids);
  bool is_whole = is_always_whole || !is_same || now - told.whole_at >= kWholeEvery;
  if (!is_whole) {
    const auto changes = changes_of(told.marks, group.marks);
    is_whole = changes.size() > group.marks.size() || group.marks.size() > kMostPlaces;
    if (!is_whole && !changes.empty()) out["changes"] = text::base64(changes);
  }
  if (is_whole) {
    out["marks"] = text::base64(bytes_of(group.marks));
    told.whole_at = now;
  }
  told.hosts = group.hosts;
  told.marks = group.marks;
  return one_line(out);
}

std::string EventMaker::fleet_event(const FleetState& state, Clock::time_point now) {
  std::erase_if(told_, [&](const auto& one) { return find_group(state, one.first) == nullptr; });
  Json head = {{"time", time_json(state.wall_ns)},
               {"state", to_string(state.state)},
               {"reason", state.reason.substr(0, kMostReasonBytes)},
               {"hosts", state.hosts},
               {"groups", Json::array()}};
  auto out = one_line(head);
  out.resize(out.size() - 2);  // it goes on before the last two brackets
  bool is_first = true;
  for (const auto* group : order_of(state, turn_)) {
    // A group whose turn does not come is told of with all that changed until it does: what was
    // told of it stays as it is.
    const auto most = text::base64_length(group->marks.size()) + 6 * group->key.size() + 200;
    if (!is_first && out.size() + most > kMostFleetBytes) break;
    if (!is_first) out += ',';
    is_first = false;
    out += group_json(*group, state.hosts <= kAlwaysWhole, now);
    if (!is_troubled(*group)) turn_ = group->key;
  }
  return out + "]}";
}

void EventMaker::add_incidents(const FleetState& state, std::vector<http::Event>& out) {
  if (state.incidents == incidents_) return;
  incidents_ = state.incidents;
  auto before = std::exchange(revisions_, {});
  // The oldest first, as they came.
  for (std::size_t i = incidents_->size(); i > 0; --i) {
    const auto& one = *(*incidents_)[i - 1];
    const auto known = before.find(one.id);
    const bool is_new = known == before.end() || known->second < one.revision;
    if (is_new && begun_) {
      out.push_back(
          {"incident", fmt::format(R"({{"told":"{}","incident":{}}})", one.told, one.json)});
    }
    revisions_[one.id] = one.revision;
  }
}

}  // namespace reveal::fleet_site
