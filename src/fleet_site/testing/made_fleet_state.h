// A state of a fleet with two groups, for tests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fleet_site/fleet_state.h"
#include "peers/testing/made_fleet.h"

namespace reveal::fleet_site {

inline constexpr std::int64_t kMadeWall_ns = 1'790'000'000'250'000'000;  // 2026-09-21T14:13:20.250Z

inline GroupState made_group(std::string key, std::size_t hosts) {
  auto all = std::make_shared<GroupHosts>();
  for (std::size_t i = 0; i < hosts; ++i) {
    all->ids.push_back(peers::made_id(i));
    all->names.push_back("n" + std::to_string(i));
    all->sites.emplace_back("main");
    all->standings.push_back(peers::Standing::kCompared);
  }
  return {.key = std::move(key),
          .hosts = std::move(all),
          .present = hosts,
          .judged_end_wall_ns = kMadeWall_ns - 250'000'000,
          .is_certain = true,
          .is_judged_here = true,
          .quantities = 700,
          .marks = std::vector<std::uint8_t>(hosts, 90)};
}

// `number` also says how many seconds it began after kMadeWall_ns.
inline peers::News made_news(std::size_t number, peers::Told told, std::uint32_t revision = 1) {
  peers::News out;
  out.told = told;
  auto& incident = out.incident;
  incident.id = "00000000000000" + std::to_string(10 + number);
  incident.group = "role=train";
  incident.revision = revision;
  incident.is_open = told == peers::Told::kOpened || told == peers::Told::kUpdated;
  incident.onset_ns = kMadeWall_ns + static_cast<std::int64_t>(number) * 1'000'000'000;
  incident.end_ns = incident.onset_ns + 3'000'000'000;
  incident.group_size = 4;
  peers::SlowHost host;
  host.id = peers::made_id(number);
  host.name = "n" + std::to_string(number);
  host.part = peers::Part::kCause;
  host.onset_ns = incident.onset_ns;
  peers::Evidence evidence;
  evidence.quantity.metric = "network_tcp_retransmit_ratio";
  evidence.quantity.label = "Retransmitted segments";
  evidence.quantity.unit = "ratio";
  evidence.quantity.subsystem = model::Subsystem::kNetwork;
  evidence.observed = 0.04;
  evidence.rise = 0.04;
  evidence.limit = 0.005;
  evidence.least_rise = 0.01;
  host.evidence = {evidence};
  incident.hosts = {host};
  return out;
}

inline std::shared_ptr<const ShownIncident> made_incident(std::size_t number, peers::Told told,
                                                          std::uint32_t revision = 1) {
  return std::make_shared<const ShownIncident>(shown(made_news(number, told, revision)));
}

inline FleetState made_fleet_state() {
  FleetState out;
  out.host = "n01";
  out.version = "0.1.0";
  out.wall_ns = kMadeWall_ns;
  out.state = RunState::kJudging;
  out.database = {"sqlite", 0};
  out.standings[static_cast<std::size_t>(peers::Standing::kCompared)] = 13;
  out.hosts = 13;
  out.counts = {.messages = 1'000, .refused = 2, .judged = 300, .uncertain = 4};
  out.judged_after_s = http::Histogram(std::array{1.0, 1.5});
  for (int i = 0; i < 7; ++i) out.judged_after_s->add(1.25);
  out.kept.bytes = 4'096;
  out.process = {.cpu_s = 1.5, .resident_bytes = 50'000'000, .publish_s = 0.5, .published = 20};
  out.receivers = {{.name = "oncall",
                    .sent = 3,
                    .failed = 2,
                    .dropped = 1,
                    .queued = 4,
                    .last_success_wall_ns = kMadeWall_ns}};
  out.questions = {.answered = 7, .away = 5, .failed = 6, .bytes = 8'000};
  out.groups = {made_group("hw=x86_64 48 processors", 9), made_group("role=train", 4)};
  out.groups[1].slow = 1;
  out.groups[1].incidents_open = 1;
  out.groups[1].marks = {90, 90, 255, 0};
  out.incidents = std::make_shared<const ShownList>(
      ShownList{made_incident(2, peers::Told::kOpened), made_incident(1, peers::Told::kClosed, 3)});
  return out;
}

}  // namespace reveal::fleet_site
