#include "peers/incident_book.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "attribute/patterns.h"
#include "peers/cause.h"

namespace reveal::peers {
namespace {

constexpr std::string_view kAllHosts = "*";
// What an operator would call worse than what was told.
constexpr double kMuchStronger = 2;
// Levels are of seconds: an onset from them may be off by one.
constexpr std::int64_t kLevelError_ns = kSecond_ns;

bool lies_in_host(std::string_view pattern) {
  const auto all = attribute::patterns();
  const auto found = std::ranges::find(all, pattern, &attribute::Pattern::name);
  return found != all.end() && found->cause == attribute::Cause::kHere;
}

// Returns whether the quantity tells that tasks wait, not what for.
bool is_waiting(const fleet::Quantity& quantity) {
  return quantity.metric.find("_pressure_") != std::string::npos;
}

bool shows_resource(const SlowHost& host) {
  return std::ranges::any_of(host.evidence,
                             [](const auto& one) { return !is_waiting(one.quantity); });
}

// Takes over what the host's own finding knows better: when it began, and why.
void take_finding(SlowHost& slow, const Host& host) {
  for (const auto& [id, finding] : host.findings()) {
    // What a host says of its own onset may be any number.
    if (finding.onset_ns < slow.onset_ns - kTogether_ns) continue;
    if (finding.onset_ns > slow.onset_ns + kTogether_ns) continue;
    slow.finding = id;
    slow.onset_ns = finding.onset_ns;
    slow.error_ns = host.clock_error_ns();
    slow.has_own_cause = lies_in_host(finding.pattern);
    return;
  }
}

// Keeps the strongest evidence of each quantity that was ever seen.
void merge(std::vector<Evidence>& into, const std::vector<Evidence>& from) {
  for (const auto& one : from) {
    const auto known = std::ranges::find_if(
        into, [&](const Evidence& other) { return other.quantity.key() == one.quantity.key(); });
    if (known == into.end()) {
      into.push_back(one);
    } else if (one.strength() > known->strength()) {
      *known = one;
    }
  }
  std::ranges::stable_sort(into, std::greater(), &Evidence::strength);
  if (into.size() > kMaxEvidence) into.resize(kMaxEvidence);
}

double strength_of(const Incident& incident) {
  const auto* evidence = incident.main_evidence();
  return evidence == nullptr ? 0 : evidence->strength();
}

// Says of each host what part it has. Returns whether that is another for any.
bool assign_parts(Incident& incident) {
  std::vector<Suspect> suspects;
  for (const auto& host : incident.hosts) {
    suspects.push_back({host.onset_ns, host.error_ns, host.has_own_cause, shows_resource(host)});
  }
  const auto cause = cause_of(suspects);
  bool out = false;
  for (std::size_t i = 0; i < incident.hosts.size(); ++i) {
    auto part = Part::kSlow;
    if (incident.group_size < kFewestNamed) {
      part = Part::kPair;
    } else if (cause) {
      part = *cause == i ? Part::kCause : Part::kVictim;
    }
    out = std::exchange(incident.hosts[i].part, part) != part || out;
  }
  return out;
}

SlowHost slow_host(const Group& group, const Judgment& judgment, const Accusation& accusation) {
  SlowHost out;
  out.id = accusation.host->id();
  out.name = accusation.host->name();
  out.onset_ns = accusation.onset_ns;
  out.error_ns = kLevelError_ns + accusation.host->clock_error_ns();
  out.last_ns = judgment.begin_ns + kSecond_ns;
  out.evidence = accusation.evidence;
  out.facts = group.unlike_facts_of(*accusation.host);
  take_finding(out, *accusation.host);
  return out;
}

void add_host(Incident& incident, SlowHost host) {
  const auto place = std::ranges::find_if(incident.hosts, [&](const SlowHost& other) {
    return std::tie(host.onset_ns, host.id) < std::tie(other.onset_ns, other.id);
  });
  incident.onset_ns = std::min(incident.onset_ns, host.onset_ns);
  incident.hosts.insert(place, std::move(host));
}

}  // namespace

void IncidentBook::take(const Group& group, const Judgment& judgment) {
  if (judgment.is_certain) {
    for (const auto& one : judgment.slow) take_host(group, judgment, one);
    if (!judgment.of_group.empty()) take_all(group, judgment);
    settle_touched(judgment.begin_ns + kSecond_ns);
    // Nobody can be accused in other seconds, so these say nothing of an end either.
    take_quiet(group.key(), judgment.begin_ns + kSecond_ns);
  }
}

void IncidentBook::take_host(const Group& group, const Judgment& judgment,
                             const Accusation& accusation) {
  const std::int64_t now_ns = judgment.begin_ns + kSecond_ns;
  for (auto& open : open_) {
    if (open.incident.group != group.key()) continue;
    const auto known = std::ranges::find(open.incident.hosts, accusation.host->id(), &SlowHost::id);
    if (known == open.incident.hosts.end()) continue;
    known->last_ns = now_ns;
    merge(known->evidence, accusation.evidence);
    // Its finding comes seconds after its levels.
    if (known->finding.empty()) take_finding(*known, *accusation.host);
    open.is_touched = true;
    return;
  }
  auto host = slow_host(group, judgment, accusation);
  if (auto* joined = find_joined(group.key(), host.onset_ns)) {
    joined->incident.group_size = judgment.hosts;
    add_host(joined->incident, std::move(host));
    joined->is_touched = true;
    joined->has_other_host = true;
    return;
  }
  Incident incident;
  incident.id = incident_id(group.key(), host.id, accusation.onset_ns);
  incident.group = group.key();
  incident.onset_ns = host.onset_ns;
  incident.group_size = judgment.hosts;
  incident.hosts.push_back(std::move(host));
  open_one(std::move(incident), now_ns);
}

void IncidentBook::take_all(const Group& group, const Judgment& judgment) {
  const std::int64_t now_ns = judgment.begin_ns + kSecond_ns;
  const auto known = std::ranges::find_if(open_, [&](const Open& open) {
    return open.incident.group == group.key() && open.incident.is_of_all;
  });
  if (known != open_.end()) {
    known->incident.end_ns = now_ns;
    merge(known->incident.evidence, judgment.of_group);
    known->is_touched = true;
    return;
  }
  Incident incident;
  incident.id = incident_id(group.key(), kAllHosts, judgment.group_onset_ns);
  incident.group = group.key();
  incident.is_of_all = true;
  incident.onset_ns = judgment.group_onset_ns;
  incident.group_size = judgment.hosts;
  incident.evidence = judgment.of_group;
  open_one(std::move(incident), now_ns);
}

void IncidentBook::open_one(Incident incident, std::int64_t now_ns) {
  if (open_.size() == kMaxOpen) return;
  incident.end_ns = now_ns;
  open_.push_back({.incident = std::move(incident), .is_new = true, .is_touched = true});
}

IncidentBook::Open* IncidentBook::find_joined(const std::string& group, std::int64_t onset_ns) {
  for (auto& open : open_) {
    const auto& incident = open.incident;
    if (incident.group != group || incident.is_of_all) continue;
    const bool is_near = std::ranges::any_of(incident.hosts, [&](const SlowHost& host) {
      const auto apart = host.onset_ns - onset_ns;
      return apart <= kTogether_ns && apart >= -kTogether_ns;
    });
    if (is_near) return &open;
  }
  return nullptr;
}

void IncidentBook::settle_touched(std::int64_t now_ns) {
  for (auto& open : open_) {
    if (std::exchange(open.is_touched, false)) settle(open, now_ns);
  }
}

void IncidentBook::settle(Open& open, std::int64_t now_ns) {
  auto& incident = open.incident;
  incident.end_ns = now_ns;
  for (const auto& host : incident.hosts) {
    incident.onset_ns = std::min(incident.onset_ns, host.onset_ns);
  }
  bool is_other = std::exchange(open.has_other_host, false);
  if (!incident.is_of_all) is_other = assign_parts(incident) || is_other;
  if (std::exchange(open.is_new, false)) {
    tell(open, Told::kOpened, now_ns);
    return;
  }
  const double strength = strength_of(incident);
  const bool is_stronger = strength > 0 && strength >= kMuchStronger * open.told_strength &&
                           now_ns - open.told_ns >= kUpdateEvery_ns;
  if (!is_other && !is_stronger) return;
  ++incident.revision;
  tell(open, Told::kUpdated, now_ns);
}

template <typename Holds>
void IncidentBook::close_if(Holds holds) {
  for (auto& open : open_) {
    if (!holds(open.incident)) continue;
    open.incident.is_open = false;
    ++open.incident.revision;
    tell(open, Told::kClosed, open.incident.end_ns);
  }
  std::erase_if(open_, [](const Open& open) { return !open.incident.is_open; });
}

void IncidentBook::take_quiet(const std::string& group, std::int64_t now_ns) {
  close_if([&](const Incident& incident) {
    return incident.group == group && now_ns - incident.end_ns >= kCalm_ns;
  });
}

void IncidentBook::close(const std::string& group) {
  close_if([&](const Incident& incident) { return incident.group == group; });
}

void IncidentBook::close_before(std::int64_t end_ns) {
  close_if([&](const Incident& incident) { return incident.end_ns < end_ns; });
}

void IncidentBook::tell(Open& open, Told told, std::int64_t now_ns) {
  open.told_ns = now_ns;
  open.told_strength = strength_of(open.incident);
  news_.push_back({told, open.incident});
}

std::vector<News> IncidentBook::take_news() {
  return std::exchange(news_, {});
}

}  // namespace reveal::peers
