#include "analyser/published_fleet.h"

#include <ctime>
#include <fstream>
#include <utility>
#include <vector>

#include <unistd.h>

#include "fleet_site/mark.h"
#include "ledger/pq_target.h"

namespace reveal::analyser {
namespace {

using fleet_site::FleetState;
using fleet_site::GroupHosts;
using fleet_site::GroupState;
using fleet_site::RunState;

double cpu_s(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Source: proc(5), statm: the second number is the resident pages.
std::optional<std::uint64_t> resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  if (!(in >> all >> resident)) return std::nullopt;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void add_situation(const Loop::Situation& now, FleetState& out) {
  if (now.time_ns > 0) out.wall_ns = now.time_ns;
  out.reason = now.trouble;
  if (!now.trouble.empty()) {
    out.state = RunState::kNoBroker;
  } else if (!now.has_facts || now.time_ns == 0) {
    out.state = RunState::kStarting;
    out.reason = now.has_facts ? "no host has told its levels yet" : "the facts of hosts come";
  } else if (now.is_late) {
    out.state = RunState::kLate;
    out.reason = "it is behind the messages, so no host is accused";
  } else {
    out.state = RunState::kJudging;
  }
}

void add_besides(const Besides& besides, FleetState& out) {
  for (const auto& one : besides.receivers) {
    out.receivers.push_back({.name = one.name,
                             .sent = one.sent,
                             .failed = one.failed,
                             .dropped = one.dropped,
                             .queued = one.queue,
                             .last_success_wall_ns = one.last_success_ns});
  }
  if (!besides.asked) return;
  const auto& asked = *besides.asked;
  out.questions = {
      .answered = asked.answered, .away = asked.away, .failed = asked.failed, .bytes = asked.bytes};
}

bool has_same_hosts(const GroupHosts& known, const std::vector<const peers::Host*>& hosts,
                    const std::vector<peers::Standing>& standings) {
  if (known.standings != standings) return false;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (known.ids[i] != hosts[i]->id() || known.names[i] != hosts[i]->name()) return false;
  }
  return true;
}

}  // namespace

PublishedFleet::PublishedFleet(std::string host, std::string_view database)
    : host_(std::move(host)), database_(kind_of_database(database)) {}

std::shared_ptr<const FleetState> PublishedFleet::state_of(const Loop& loop,
                                                           const Besides& besides) {
  const double begin_s = cpu_s(CLOCK_THREAD_CPUTIME_ID);
  const auto& fleet = loop.fleet();
  auto out = std::make_shared<FleetState>();
  out->host = host_;
  out->version = REVEAL_VERSION;
  const auto now = loop.situation();
  add_situation(now, *out);
  out->database = {database_, loop.waiting()};
  out->standings = fleet.standing_counts();
  out->hosts = fleet.hosts();
  out->counts = fleet.counts();
  out->judged_after_s = loop.judged_after_s();
  out->kept.bytes = fleet.kept_bytes();
  add_besides(besides, *out);
  incidents_.keep_open(fleet.open_incidents());
  out->incidents = incidents_.list();
  std::map<std::string_view, std::size_t> open;
  for (const auto& one : *out->incidents) open[one->group] += one->is_open ? 1U : 0U;
  const auto keys = fleet.groups();
  std::erase_if(hosts_, [&](const auto& one) { return !keys.contains(one.first); });
  for (const auto& key : keys) {
    auto group = state_of(*fleet.find_group(key), now.time_ns);
    group.is_judged_here = loop.is_judged_here(key);
    const auto found = open.find(key);
    if (found != open.end()) group.incidents_open = found->second;
    out->groups.push_back(std::move(group));
  }
  out->process = {.cpu_s = cpu_s(CLOCK_PROCESS_CPUTIME_ID),
                  .resident_bytes = resident_bytes(),
                  .publish_s = publish_s_,
                  .published = published_};
  publish_s_ += cpu_s(CLOCK_THREAD_CPUTIME_ID) - begin_s;
  ++published_;
  return out;
}

GroupState PublishedFleet::state_of(const peers::Group& group, std::int64_t now_ns) {
  const auto& last = group.last();
  GroupState out{.key = group.key(),
                 .hosts = hosts_of(group, now_ns),
                 .present = last.present,
                 .is_certain = last.is_certain,
                 .quantities = group.quantities()};
  if (last.begin_ns >= 0) out.judged_end_wall_ns = last.begin_ns + peers::kSecond_ns;
  if (last.is_certain) out.slow = last.slow.size();
  const auto view = group.view();
  out.marks.reserve(view.size());
  for (std::size_t i = 0; i < view.size(); ++i) {
    const auto& one = view[i];
    const bool is_here = one.is_compared && out.hosts->standings[i] == peers::Standing::kCompared;
    out.marks.push_back(!is_here                         ? fleet_site::kNotCompared
                        : one.is_slow && last.is_certain ? fleet_site::kSlowMark
                                                         : fleet_site::mark_of(one.distance));
  }
  return out;
}

std::shared_ptr<const GroupHosts> PublishedFleet::hosts_of(const peers::Group& group,
                                                           std::int64_t now_ns) {
  const auto hosts = group.hosts();
  std::vector<peers::Standing> standings;
  standings.reserve(hosts.size());
  for (const auto* host : hosts) standings.push_back(host->standing(now_ns));
  auto& known = hosts_[group.key()];
  if (known != nullptr && has_same_hosts(*known, hosts, standings)) return known;
  auto out = std::make_shared<GroupHosts>();
  out->standings = std::move(standings);
  for (const auto* host : hosts) {
    out->ids.push_back(host->id());
    out->names.push_back(host->name());
    out->sites.push_back(host->site());
  }
  known = std::move(out);
  return known;
}

std::string_view kind_of_database(std::string_view where) {
  if (where.empty()) return "none";
  return ledger::is_pq_url(where) ? "postgresql" : "sqlite";
}

std::optional<fleet_site::HostDetail> detail_of(const peers::Fleet& fleet, std::string_view id,
                                                std::int64_t now_ns) {
  const auto* host = fleet.find(id);
  if (host == nullptr) return std::nullopt;
  fleet_site::HostDetail out{.id = host->id(),
                             .site = host->site(),
                             .group = fleet.group_of(id),
                             .standing = host->standing(now_ns),
                             .facts = host->facts(),
                             .findings = host->findings(),
                             .counts = host->counts()};
  if (host->heard_ns() > 0) {
    out.heard_wall_ns = host->heard_ns();
    out.clock_error_s = static_cast<double>(host->clock_error_ns()) / 1e9;
  }
  const auto* group = fleet.find_group(out.group);
  if (group != nullptr) out.unlike = group->unlike_facts_of(*host);
  return out;
}

}  // namespace reveal::analyser
