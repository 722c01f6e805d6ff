#include "serve/event_maker.h"

#include <utility>

#include <fmt/format.h>

#include "http/json_text.h"
#include "serve/findings_json.h"

namespace reveal::serve {
namespace {

using http::Event;
using http::Json;
using http::one_line;
using http::put;
using http::put_time;

// A reason may be any message, and JSON writes six bytes for some letters.
constexpr std::size_t kMostReasonBytes = 120;

std::string window_json(const AgentState& state) {
  std::uint64_t open = 0;
  for (const auto& finding : state.findings) open += finding.open ? 1 : 0;
  Json out = {{"state", to_string(state.state)},
              {"reason", state.reason.substr(0, kMostReasonBytes)}};
  put_time(out, "state_since", state.state_since_wall_ns);
  put(out, "ticks", state.recorder.ticks);
  put_time(out, "last_frame", state.recorder.last_frame_wall_ns);
  put_time(out, "end", state.windows.end_wall_ns);
  put(out, "strength", state.windows.strength);
  put(out, "votes", state.windows.votes);
  for (const auto& one : state.windows.subsystem_share)
    out["subsystem_shares"][one.name] = one.value;
  out["findings_open"] = open;
  return one_line(out);
}

std::string finding_event(std::string_view kind, const Finding& finding) {
  return fmt::format(R"({{"kind":"{}","finding":{}}})", kind, finding_json(finding));
}

}  // namespace

std::vector<Event> EventMaker::events_of(const AgentState& state, Clock::time_point now) {
  std::vector<Event> out;
  add_gap(state, out);
  out.push_back({"window", window_json(state)});
  add_findings(state, now, out);
  begun_ = true;
  return out;
}

void EventMaker::add_gap(const AgentState& state, std::vector<Event>& out) {
  std::uint64_t missed = 0;
  for (const auto& one : state.recorder.missed) missed += one.count;
  // A count that is smaller is a recorder that began anew.
  if (begun_ && missed > missed_) out.push_back({"gap", one_line({{"missed", missed - missed_}})});
  missed_ = missed;
}

void EventMaker::add_findings(const AgentState& state, Clock::time_point now,
                              std::vector<Event>& out) {
  auto before = std::exchange(told_, {});
  for (const auto& finding : state.findings) {
    const auto known = before.find(finding.id);
    const bool is_new = known == before.end();
    Told told = is_new ? Told{} : known->second;
    const bool closes = !finding.open && (is_new || told.open);
    const bool updates = !is_new && told.revision != finding.revision;
    const bool is_due = is_new || closes || (updates && told.at + kBetweenUpdates <= now);
    if (is_due) {
      const auto* kind = closes ? "close" : is_new ? "open" : "update";
      if (begun_) out.push_back({"finding", finding_event(kind, finding)});
      told = {.revision = finding.revision, .open = finding.open, .at = now};
    }
    told_[finding.id] = told;
  }
}

}  // namespace reveal::serve
