#include "peers/incident_book.h"

#include <algorithm>
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
    slow.pattern = finding.pattern;
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
      continue;
    }
    // One that was read from a file does not know how its quantity is called.
    known->quantity = one.quantity;
    if (one.strength() > known->strength()) *known = one;
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
  // Where segments are lost is known better than by patterns of those who send them again.
  const bool are_lost = std::ranges::any_of(incident.hosts, &SlowHost::misses_segments);
  for (const auto& host : incident.hosts) {
    suspects.push_back({host.onset_ns, host.error_ns,
                        are_lost ? host.misses_segments : host.has_own_cause,
                        shows_resource(host)});
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
  out.misses_segments = accusation.misses_segments;
  out.facts = group.unlike_facts_of(*accusation.host);
  take_finding(out, *accusation.host);
  return out;
}

void set_slow(SlowHost& known, const Accusation& accusation, std::int64_t now_ns) {
  known.last_ns = now_ns;
  known.calm_s = 0;
  merge(known.evidence, accusation.evidence);
  known.misses_segments = known.misses_segments || accusation.misses_segments;
  // Its finding comes seconds after its levels.
  if (known.finding.empty()) take_finding(known, *accusation.host);
}

void add_host(Incident& incident, SlowHost host) {
  const auto place = std::ranges::find_if(incident.hosts, [&](const SlowHost& other) {
    return std::tie(host.onset_ns, host.id) < std::tie(other.onset_ns, other.id);
  });
  incident.onset_ns = std::min(incident.onset_ns, host.onset_ns);
  incident.hosts.insert(place, std::move(host));
}

SlowHost* find_host(Incident& incident, std::string_view id) {
  const auto found = std::ranges::find(incident.hosts, id, &SlowHost::id);
  return found == incident.hosts.end() ? nullptr : &*found;
}

bool is_over(const Incident& incident) {
  if (incident.is_of_all) return incident.calm_s >= kCalm_s;
  return std::ranges::all_of(incident.hosts, &SlowHost::has_recovered);
}

}  // namespace

void IncidentBook::take(const Group& group, const Judgment& judgment) {
  for (auto& open : open_) {
    if (open.incident.group == group.key()) open.unseen_ns = 0;
  }
  if (judgment.is_certain) {
    for (const auto& one : judgment.slow) take_host(group, judgment, one);
    if (!judgment.of_group.empty()) take_all(group, judgment);
    settle_touched(judgment.begin_ns + kSecond_ns);
    // Nobody can be accused in other seconds, so these say nothing of an end either.
    take_quiet(group.key(), judgment.begin_ns + kSecond_ns);
  }
  follow_resumed(group, judgment.begin_ns + kSecond_ns);
}

IncidentBook::Open* IncidentBook::find_slow(const std::string& group, const std::string& host) {
  for (auto& open : open_) {
    if (open.incident.group != group) continue;
    const auto* known = find_host(open.incident, host);
    if (known != nullptr && !known->has_recovered()) return &open;
  }
  return go_on([&](Incident& incident) {
    const auto* known = incident.group == group ? find_host(incident, host) : nullptr;
    return known != nullptr && !known->has_recovered();
  });
}

template <typename Holds>
IncidentBook::Open* IncidentBook::go_on(Holds holds) {
  const auto found = std::ranges::find_if(resumed_, holds);
  if (found == resumed_.end() || open_.size() == kMaxOpen) return nullptr;
  open_.push_back({.incident = std::move(*found)});
  resumed_.erase(found);
  auto& out = open_.back();
  out.told_ns = out.incident.end_ns;
  out.told_strength = strength_of(out.incident);
  return &out;
}

void IncidentBook::take_host(const Group& group, const Judgment& judgment,
                             const Accusation& accusation) {
  const std::int64_t now_ns = judgment.begin_ns + kSecond_ns;
  if (auto* open = find_slow(group.key(), accusation.host->id())) {
    set_slow(*find_host(open->incident, accusation.host->id()), accusation, now_ns);
    open->is_touched = true;
    return;
  }
  auto host = slow_host(group, judgment, accusation);
  if (auto* joined = find_joined(group.key(), host.onset_ns)) {
    joined->incident.group_size = judgment.hosts;
    if (auto* known = find_host(joined->incident, host.id)) {
      set_slow(*known, accusation, now_ns);
    } else {
      add_host(joined->incident, std::move(host));
    }
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

IncidentBook::Open* IncidentBook::find_all(const std::string& group) {
  const auto is_it = [&](const Incident& incident) {
    return incident.group == group && incident.is_of_all;
  };
  const auto known = std::ranges::find_if(open_, is_it, &Open::incident);
  return known == open_.end() ? go_on(is_it) : &*known;
}

void IncidentBook::take_all(const Group& group, const Judgment& judgment) {
  const std::int64_t now_ns = judgment.begin_ns + kSecond_ns;
  if (auto* known = find_all(group.key())) {
    known->incident.calm_s = 0;
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
    if (!holds(open)) continue;
    open.incident.is_open = false;
    ++open.incident.revision;
    tell(open, Told::kClosed, open.incident.end_ns);
  }
  std::erase_if(open_, [](const Open& open) { return !open.incident.is_open; });
}

void IncidentBook::take_quiet(const std::string& group, std::int64_t now_ns) {
  for (auto& open : open_) {
    auto& incident = open.incident;
    if (incident.group != group) continue;
    if (incident.is_of_all && incident.end_ns != now_ns) ++incident.calm_s;
    bool has_recovered = false;
    for (auto& host : incident.hosts) {
      if (host.last_ns == now_ns || host.has_recovered()) continue;
      ++host.calm_s;
      has_recovered = has_recovered || host.has_recovered();
    }
    if (!has_recovered || is_over(incident)) continue;
    ++incident.revision;
    tell(open, Told::kUpdated, now_ns);
  }
  close_if(
      [&](const Open& open) { return open.incident.group == group && is_over(open.incident); });
}

void IncidentBook::close(const std::string& group) {
  close_if([&](const Open& open) { return open.incident.group == group; });
}

void IncidentBook::pass(std::int64_t time_ns) {
  for (auto& open : open_) open.unseen_ns += time_ns;
  close_if([](const Open& open) { return open.unseen_ns > kLongestUnseen_ns; });
}

std::set<std::string> IncidentBook::open() const {
  std::set<std::string> out;
  for (const auto& open : open_) out.insert(open.incident.id);
  return out;
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
