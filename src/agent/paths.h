// Where the agent keeps what, below its directory.
#pragma once

#include <filesystem>

namespace reveal::agent {

struct Paths {
  std::filesystem::path directory;

  // The recording of this host: one, over all restarts.
  std::filesystem::path recording() const { return directory / "recording"; }
  // Findings, in folders by day and id.
  std::filesystem::path findings() const { return directory / "findings"; }
  // Stretches of the recording that somebody asked to keep.
  std::filesystem::path pins() const { return directory / "pins"; }
  // What was found each day, in folders by year and month.
  std::filesystem::path reports() const { return directory / "reports"; }
  std::filesystem::path state() const { return directory / "state"; }
  std::filesystem::path judged() const { return state() / "judged"; }
  // What is usual of the host's workloads, a file each (detect/workload_store.h).
  std::filesystem::path workloads() const { return state() / "workloads"; }
  // When was watched, a file a day.
  std::filesystem::path watched() const { return state() / "watched"; }
  // By what name the fleet knows this host, and what it was told of which finding.
  std::filesystem::path identity() const { return state() / "identity"; }
  std::filesystem::path fleet_events() const { return state() / "fleet_events"; }
  // Which seconds it is still to be told.
  std::filesystem::path fleet_owed() const { return state() / "fleet_owed"; }
  std::filesystem::path alerts() const { return state() / "alerts.json"; }
  // Why the configuration could not be read anew; it is there while an older one is in force.
  std::filesystem::path reload_error() const { return state() / "reload_error"; }
};

}  // namespace reveal::agent
