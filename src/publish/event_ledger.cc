#include "publish/event_ledger.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/new_file.h"
#include "base/whole_file.h"
#include "publish/event_detail.h"
#include "text/bounded_number.h"

namespace reveal::publish {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 20;
constexpr std::string_view kOpen = "open";
constexpr std::string_view kClosed = "closed";

// So that another one always follows.
constexpr std::uint32_t kMostEvents = std::numeric_limits<std::uint32_t>::max() / 2;

// Returns the four words of a line; the last one has what follows.
std::array<std::string_view, 4> words_of(std::string_view line) {
  std::array<std::string_view, 4> out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto end = i + 1 < out.size() ? line.find(' ') : line.npos;
    out[i] = line.substr(0, end);
    line.remove_prefix(std::min(line.size(), out[i].size() + 1));
  }
  return out;
}

wire::Severity severity_of(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, wire::Severity>, 3> kWords{
      {{"minor", wire::Severity::kMinor},
       {"moderate", wire::Severity::kModerate},
       {"major", wire::Severity::kMajor}}};
  for (const auto& [name, severity] : kWords) {
    if (name == word) return severity;
  }
  return wire::Severity::kUnknown;
}

wire::Event event_of(const FindingState& finding, wire::What what, std::uint32_t number) {
  wire::Event out;
  out.what = what;
  out.revision = number;
  out.onset_ns = finding.begin_ns;
  out.end_ns = std::max(finding.begin_ns, finding.end_ns);
  out.subsystem = finding.subsystem;
  out.severity = severity_of(finding.severity);
  out.finding = finding.id;
  out.claim = finding.claim;
  out.pattern = finding.pattern;
  out.detail = event_detail(finding.json);
  return out;
}

}  // namespace

EventLedger::EventLedger(std::filesystem::path file) : file_(std::move(file)) {
  if (auto loaded = load(); !loaded) {
    told_.clear();
    trouble_ = loaded.error().message();
  }
}

std::vector<EventLedger::Due> EventLedger::due(std::span<const FindingState> findings,
                                               std::int64_t now_ns) {
  std::vector<Due> out;
  if (now_ns < full_until_ns_ && full_until_ns_ <= now_ns + kBetweenUpdates_ns) return out;
  for (const auto& finding : findings) {
    const auto& told = told_[std::string(finding.id)];
    if (!told.on_its_way.empty()) continue;
    const bool is_same = told.revision == finding.revision && told.open == finding.open;
    if (told.revision != 0 && is_same) continue;
    const bool is_update = told.revision != 0 && finding.open == told.open;
    const bool is_soon = now_ns >= told.sent_ns && now_ns < told.sent_ns + kBetweenUpdates_ns;
    if (is_update && is_soon) continue;
    auto what = wire::What::kUpdated;
    if (told.revision == 0) what = wire::What::kOpened;
    if (told.revision != 0 && !finding.open) what = wire::What::kClosed;
    out.push_back({&finding, what});
  }
  return out;
}

void EventLedger::round(std::span<const FindingState> findings, const Teller& teller,
                        std::int64_t now_ns, bus::Publisher& publisher) {
  std::set<std::string_view> ids;
  for (const auto& finding : findings) ids.insert(finding.id);
  changed_ = std::erase_if(told_, [&](const auto& one) { return !ids.contains(one.first); }) > 0 ||
             changed_;
  const auto all = due(findings, now_ns);
  for (const auto& one : all) ++told_[std::string(one.finding->id)].last_event;
  if (!all.empty()) changed_ = true;
  save();
  for (const auto& one : all) {
    if (!send(one, teller, now_ns, publisher)) full_until_ns_ = now_ns + kBetweenUpdates_ns;
  }
}

bool EventLedger::send(const Due& due, const Teller& teller, std::int64_t now_ns,
                       bus::Publisher& publisher) {
  const auto& finding = *due.finding;
  auto& told = told_[std::string(finding.id)];
  auto event = event_of(finding, due.what, told.last_event);
  event.head = teller.head;
  event.head.time_ns = now_ns;
  bus::Outgoing message{.subject = teller.subject, .payload = {}, .key = {}};
  told.sent_ns = now_ns;
  if (auto put = wire::put_event(message.payload, event); !put) {
    trouble_ = put.error().message();
    return true;
  }
  message.key = wire::key_of(teller.host, event);
  const auto key = message.key;
  if (!publisher.publish(std::move(message))) return false;
  told.on_its_way = key;
  told.revision_on_its_way = finding.revision;
  // Who hears that one opened has yet to hear that it is over.
  told.open_on_its_way = finding.open || due.what == wire::What::kOpened;
  return true;
}

bool EventLedger::take(const bus::Outcome& outcome) {
  const auto found = std::ranges::find_if(
      told_, [&](const auto& one) { return one.second.on_its_way == outcome.key; });
  if (outcome.key.empty() || found == told_.end()) return false;
  auto& told = found->second;
  told.on_its_way.clear();
  // What is refused for good would be refused again.
  told.revision = told.revision_on_its_way;
  told.open = told.open_on_its_way;
  changed_ = true;
  return true;
}

base::Result<void> EventLedger::load() {
  const auto text = base::read_whole_file(file_, "state of the fleet's events", kMostBytes);
  if (!text && text.error().kind == base::ErrorKind::kAbsent) return {};
  if (!text) return base::pass(text);
  for (std::string_view rest = *text; !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const auto words = words_of(line);
    const auto event = text::number_within<std::uint32_t>(words[1], 0, kMostEvents);
    const auto revision =
        text::number_within<std::uint64_t>(words[2], 0, std::numeric_limits<std::uint64_t>::max());
    const bool open = words[3] == kOpen;
    if (words[0].empty() || !event || !revision || (!open && words[3] != kClosed)) {
      return base::fail(base::ErrorKind::kCorrupt, "is not what the agent wrote", file_.string(),
                        "remove it: the findings of the last day are told to the fleet once more");
    }
    auto& told = told_[std::string(words[0])];
    told.last_event = *event;
    told.revision = *revision;
    told.open = open;
  }
  return {};
}

std::string EventLedger::text() const {
  std::string out;
  for (const auto& [id, told] : told_) {
    out += fmt::format("{} {} {} {}\n", id, told.last_event, told.revision,
                       told.open ? kOpen : kClosed);
  }
  return out;
}

void EventLedger::save() {
  if (!changed_) return;
  if (auto saved = base::write_new_file(file_, text()); !saved) {
    trouble_ = saved.error().message();
    return;
  }
  changed_ = false;
}

}  // namespace reveal::publish
