#include "ledger/schema.h"

#include <array>
#include <string>

namespace reveal::ledger {
namespace {

constexpr std::array<std::string_view, 1> kMigrations{{
    // Times are in ns since the epoch. "group" is a word of SQL.
    R"(
CREATE TABLE hosts (
  id TEXT PRIMARY KEY, site TEXT NOT NULL, name TEXT NOT NULL, group_key TEXT NOT NULL,
  standing TEXT NOT NULL, first_seen_ns INTEGER NOT NULL, last_told_ns INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE facts (
  host TEXT NOT NULL, source TEXT NOT NULL, subject TEXT NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (host, source, subject)
) WITHOUT ROWID;
CREATE TABLE findings (
  host TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, state TEXT NOT NULL,
  onset_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, subsystem TEXT NOT NULL,
  severity TEXT NOT NULL, claim TEXT NOT NULL, pattern TEXT NOT NULL, detail TEXT NOT NULL,
  PRIMARY KEY (host, id)
) WITHOUT ROWID;
CREATE INDEX findings_by_onset ON findings (onset_ns);
CREATE TABLE incidents (
  id TEXT PRIMARY KEY, group_key TEXT NOT NULL, revision INTEGER NOT NULL, state TEXT NOT NULL,
  onset_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, host TEXT NOT NULL, subsystem TEXT NOT NULL,
  sentence TEXT NOT NULL, detail TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX incidents_by_onset ON incidents (onset_ns);
CREATE TABLE incident_hosts (
  incident TEXT NOT NULL, host TEXT NOT NULL, name TEXT NOT NULL, part TEXT NOT NULL,
  onset_ns INTEGER NOT NULL, finding TEXT NOT NULL,
  PRIMARY KEY (incident, host)
) WITHOUT ROWID;
CREATE INDEX incident_hosts_by_host ON incident_hosts (host, onset_ns);
)",
}};

base::Result<std::size_t> version_of(Database& database) {
  const auto rows = database.query("PRAGMA user_version");
  if (!rows) return base::pass(rows);
  return static_cast<std::size_t>(std::stoull(rows->at(0).at(0)));
}

}  // namespace

std::span<const std::string_view> migrations() {
  return kMigrations;
}

base::Result<void> migrate(Database& database) {
  const auto version = version_of(database);
  if (!version) return base::pass(version);
  if (*version > kMigrations.size()) {
    return base::fail(base::ErrorKind::kUsage,
                      "the file is of version " + std::to_string(*version) +
                          ", and this Reveal knows " + std::to_string(kMigrations.size()),
                      "the analyser's file", "use the Reveal that wrote it, or another file");
  }
  for (auto next = *version; next < kMigrations.size(); ++next) {
    const auto done =
        database.run("BEGIN IMMEDIATE;" + std::string(kMigrations[next]) +
                     "PRAGMA user_version = " + std::to_string(next + 1) + ";COMMIT;");
    if (!done) return done;
  }
  return {};
}

}  // namespace reveal::ledger
