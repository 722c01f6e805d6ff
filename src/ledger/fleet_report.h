// What an analyser's database says of a stretch of time: which hosts were slow, by what, how often,
// and what that cost.
//
// The cost is hosts' time: how long the hosts of an incident were slow, those that only waited for
// another one included. It is put to the host that the incident is about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "peers/incident.h"

namespace reveal::ledger {

// The incidents of one host, or of all hosts of a group, in one subsystem.
struct Costly {
  std::string who;        // name of the host, "all of GROUP", or "A or B" of two
  std::string host;       // its id; empty if it is not one host
  std::string group;      // key, of the latest
  std::string subsystem;  // empty: not known
  std::size_t incidents = 0;
  std::int64_t slow_ns = 0;        // how long these took, within the stretch
  std::int64_t hosts_ns = 0;       // the same of each host of theirs, added up
  std::int64_t last_onset_ns = 0;  // of the latest
  std::string sentence;            // of the latest
};

struct FleetReport {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  std::size_t incidents = 0;   // that went on in the stretch
  std::size_t open = 0;        // of these, those that go on
  std::size_t unreadable = 0;  // besides: their rows cannot be understood
  std::int64_t hosts_ns = 0;
  std::vector<Costly> costly;  // what cost most first
};

// Counts incidents. Those that are open are taken to last until the end of the stretch. Others than
// of the stretch are left out. REQUIRES: from_ns < to_ns.
FleetReport fleet_report_of(const std::vector<peers::Incident>& incidents, std::int64_t from_ns,
                            std::int64_t to_ns);

// Reads them from an analyser's database, which stays as it is. Fails with kUsage if no analyser or
// a newer Reveal made it, or from_ns is not before to_ns; else as Database.
base::Result<FleetReport> read_fleet_report(const std::string& where, std::int64_t from_ns,
                                            std::int64_t to_ns);

// Returns lines for people, times in UTC.
std::string to_text(const FleetReport& report);

// Returns an indented JSON object with a final newline; docs/how_to/fleet.md describes it.
std::string to_json(const FleetReport& report);

}  // namespace reveal::ledger
