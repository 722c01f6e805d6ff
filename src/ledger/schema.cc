#include "ledger/schema.h"

#include <array>
#include <string>
#include <utility>

namespace reveal::ledger {
namespace {

constexpr std::array<std::string_view, 2> kMigrations{{
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
    // Who may write incidents of a group, and under which lease each was written. The file itself
    // refuses what comes under an older lease: who wrote it does not know yet that it has lost its
    // own. `era` is when the broker's bucket was made, `lease` a revision in it.
    R"(
CREATE TABLE leases (
  group_key TEXT PRIMARY KEY, holder TEXT NOT NULL, era INTEGER NOT NULL, lease INTEGER NOT NULL,
  since_ns INTEGER NOT NULL
) WITHOUT ROWID;
ALTER TABLE incidents ADD COLUMN era INTEGER NOT NULL DEFAULT 0;
ALTER TABLE incidents ADD COLUMN lease INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER incidents_insert_under_lease BEFORE INSERT ON incidents
WHEN (NEW.era, NEW.lease) < (SELECT era, lease FROM leases WHERE group_key = NEW.group_key)
BEGIN SELECT RAISE(ABORT, 'written under an older lease'); END;
CREATE TRIGGER incidents_update_under_lease BEFORE UPDATE ON incidents
WHEN (NEW.era, NEW.lease) < (SELECT era, lease FROM leases WHERE group_key = NEW.group_key)
BEGIN SELECT RAISE(ABORT, 'written under an older lease'); END;
CREATE TRIGGER leases_grow BEFORE UPDATE ON leases
WHEN (NEW.era, NEW.lease) < (OLD.era, OLD.lease)
BEGIN SELECT RAISE(ABORT, 'an older lease'); END;
)",
}};

// Brings it to the next version, under a lock: another analyser may open the file at the same time.
// Returns whether it was of now before.
base::Result<bool> migrate_once(Database& database) {
  const auto version = version_of(database);
  if (!version) return base::pass(version);
  if (*version > kMigrations.size()) return newer_file(*version, "the analyser's file");
  if (*version == kMigrations.size()) return true;
  const auto done = database.run(std::string(kMigrations[*version]) +
                                 "PRAGMA user_version = " + std::to_string(*version + 1) + ";");
  if (!done) return base::pass(done);
  return false;
}

}  // namespace

std::span<const std::string_view> migrations() {
  return kMigrations;
}

base::Result<std::size_t> version_of(Database& database) {
  const auto rows = database.query("PRAGMA user_version");
  if (!rows) return base::pass(rows);
  return static_cast<std::size_t>(std::stoull(rows->at(0).at(0)));
}

base::Unexpected newer_file(std::size_t version, std::string where) {
  return base::fail(base::ErrorKind::kUsage,
                    "the file is of version " + std::to_string(version) +
                        ", and this Reveal knows " + std::to_string(kMigrations.size()),
                    std::move(where), "use the Reveal that wrote it, or another file");
}

base::Result<void> migrate(Database& database) {
  const auto version = version_of(database);
  if (version && *version == kMigrations.size()) return {};
  if (const auto begun = database.run("BEGIN IMMEDIATE"); !begun) return begun;
  base::Result<bool> done = false;
  while (done && !*done) done = migrate_once(database);
  if (done) return database.run("COMMIT");
  static_cast<void>(database.run("ROLLBACK"));
  return base::pass(done);
}

}  // namespace reveal::ledger
