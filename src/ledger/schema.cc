#include "ledger/schema.h"

#include <array>
#include <string_view>

namespace reveal::ledger {
namespace {

// What a version added, in the words of SQLite as far as in_postgres() can say them. Guards are
// triggers, which have a language of their own in each.
struct Version {
  std::string_view tables;
  std::string_view sqlite_guards;
  std::string_view postgres_guards;
};

// Times are in ns since the epoch. "group" is a word of SQL.
constexpr std::string_view kFirstTables = R"(
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
)";

// Who may write incidents of a group, and under which lease each was written. `era` is when the
// broker's bucket was made, `lease` a revision in it.
constexpr std::string_view kLeaseTables = R"(
CREATE TABLE leases (
  group_key TEXT PRIMARY KEY, holder TEXT NOT NULL, era INTEGER NOT NULL, lease INTEGER NOT NULL,
  since_ns INTEGER NOT NULL
) WITHOUT ROWID;
ALTER TABLE incidents ADD COLUMN era INTEGER NOT NULL DEFAULT 0;
ALTER TABLE incidents ADD COLUMN lease INTEGER NOT NULL DEFAULT 0;
)";

// The database itself refuses what comes under an older lease: who wrote it does not know yet that
// it has lost its own.
constexpr std::string_view kSqliteLeaseGuards = R"(
CREATE TRIGGER incidents_insert_under_lease BEFORE INSERT ON incidents
WHEN (NEW.era, NEW.lease) < (SELECT era, lease FROM leases WHERE group_key = NEW.group_key)
BEGIN SELECT RAISE(ABORT, 'written under an older lease'); END;
CREATE TRIGGER incidents_update_under_lease BEFORE UPDATE ON incidents
WHEN (NEW.era, NEW.lease) < (SELECT era, lease FROM leases WHERE group_key = NEW.group_key)
BEGIN SELECT RAISE(ABORT, 'written under an older lease'); END;
CREATE TRIGGER leases_grow BEFORE UPDATE ON leases
WHEN (NEW.era, NEW.lease) < (OLD.era, OLD.lease)
BEGIN SELECT RAISE(ABORT, 'an older lease'); END;
)";

// The lease is locked until the transaction ends, so that no later one is claimed in between.
constexpr std::string_view kPostgresLeaseGuards = R"(
CREATE FUNCTION refuse_older_lease() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE known leases;
BEGIN
  SELECT * INTO known FROM leases WHERE group_key = NEW.group_key FOR SHARE;
  IF FOUND AND (NEW.era, NEW.lease) < (known.era, known.lease) THEN
    RAISE EXCEPTION 'written under an older lease';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER incidents_under_lease BEFORE INSERT OR UPDATE ON incidents
FOR EACH ROW EXECUTE FUNCTION refuse_older_lease();
CREATE FUNCTION refuse_smaller_lease() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'an older lease'; END $$;
CREATE TRIGGER leases_grow BEFORE UPDATE ON leases FOR EACH ROW
WHEN ((NEW.era, NEW.lease) < (OLD.era, OLD.lease)) EXECUTE FUNCTION refuse_smaller_lease();
)";

// Seconds that hosts told after they were over. `message` and `plain` are hexadecimal digits.
constexpr std::string_view kLateTables = R"(
CREATE TABLE late_seconds (
  host TEXT NOT NULL, begin_ns INTEGER NOT NULL, run TEXT NOT NULL, judged INTEGER NOT NULL,
  votes INTEGER NOT NULL, strength_percent INTEGER NOT NULL, dictionary INTEGER NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (host, begin_ns)
) WITHOUT ROWID;
CREATE INDEX late_seconds_by_begin ON late_seconds (begin_ns);
CREATE INDEX late_seconds_by_dictionary ON late_seconds (dictionary);
CREATE TABLE late_dictionaries (
  number INTEGER PRIMARY KEY, plain TEXT NOT NULL
) WITHOUT ROWID;
)";

// Stretches of time of which a group's hosts told late, and that were judged then: by what the
// broker had until `stored_ns`.
constexpr std::string_view kGapTables = R"(
CREATE TABLE gaps (
  group_key TEXT NOT NULL, begin_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL,
  stored_ns INTEGER NOT NULL, hosts INTEGER NOT NULL, judged_seconds INTEGER NOT NULL,
  incidents INTEGER NOT NULL,
  PRIMARY KEY (group_key, begin_ns)
) WITHOUT ROWID;
)";

// Jobs that were followed: their hosts were compared with one another. `hosts` is the most at once.
constexpr std::string_view kJobTables = R"(
CREATE TABLE jobs (
  group_key TEXT PRIMARY KEY, kind TEXT NOT NULL, job TEXT NOT NULL, hosts INTEGER NOT NULL,
  first_seen_ns INTEGER NOT NULL, last_seen_ns INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX jobs_by_last_seen ON jobs (last_seen_ns);
ALTER TABLE incidents ADD COLUMN job TEXT NOT NULL DEFAULT '';
CREATE INDEX incidents_by_job ON incidents (job);
)";

constexpr std::array<Version, 5> kVersions{{
    {.tables = kFirstTables, .sqlite_guards = "", .postgres_guards = ""},
    {.tables = kLeaseTables,
     .sqlite_guards = kSqliteLeaseGuards,
     .postgres_guards = kPostgresLeaseGuards},
    {.tables = kLateTables, .sqlite_guards = "", .postgres_guards = ""},
    {.tables = kGapTables, .sqlite_guards = "", .postgres_guards = ""},
    {.tables = kJobTables, .sqlite_guards = "", .postgres_guards = ""},
}};

// SQLite has a place for the number of a version; PostgreSQL gets a table.
constexpr std::string_view kPostgresVersion =
    "CREATE TABLE ledger_version (version BIGINT NOT NULL);"
    "INSERT INTO ledger_version VALUES (0);";

void replace_all(std::string& in, std::string_view from, std::string_view to) {
  for (auto at = in.find(from); at != std::string::npos; at = in.find(from, at + to.size())) {
    in.replace(at, from.size(), to);
  }
}

// SQLite's INTEGER has 64 bits. All tables of PostgreSQL have a hidden row number.
std::string in_postgres(std::string_view tables) {
  std::string out(tables);
  replace_all(out, "INTEGER", "BIGINT");
  replace_all(out, " WITHOUT ROWID", "");
  return out;
}

base::Unexpected newer(std::size_t version, const std::string& where) {
  return base::fail(base::ErrorKind::kUsage,
                    "it is of version " + std::to_string(version) + ", and this Reveal knows " +
                        std::to_string(newest_version()),
                    where, "use the Reveal that wrote it, or another database");
}

// Brings it to the next version. Returns whether it was of now before.
base::Result<bool> migrate_once(Database& database) {
  const auto version = version_of(database);
  if (!version) return base::pass(version);
  if (*version > newest_version()) return newer(*version, database.name());
  if (*version == newest_version()) return true;
  const auto done = database.run(migration(*version + 1, database.dialect()));
  if (!done) return base::pass(done);
  return false;
}

}  // namespace

std::size_t newest_version() {
  return kVersions.size();
}

std::string migration(std::size_t version, Dialect dialect) {
  const auto& added = kVersions.at(version - 1);
  const auto number = std::to_string(version);
  if (dialect == Dialect::kSqlite) {
    return std::string(added.tables) + std::string(added.sqlite_guards) +
           "PRAGMA user_version = " + number + ";";
  }
  return (version == 1 ? std::string(kPostgresVersion) : std::string()) +
         in_postgres(added.tables) + std::string(added.postgres_guards) +
         "UPDATE ledger_version SET version = " + number + ";";
}

base::Result<std::size_t> version_of(Database& database) {
  if (database.dialect() == Dialect::kPostgres) {
    // Unlike to_regclass(), this sees a table that was made while a lock was waited for.
    const auto table = database.query(
        "SELECT 1 FROM pg_catalog.pg_class WHERE relname = 'ledger_version' AND "
        "pg_catalog.pg_table_is_visible(oid)");
    if (!table) return base::pass(table);
    if (table->empty()) return 0;
  }
  const auto rows =
      database.query(database.dialect() == Dialect::kSqlite ? "PRAGMA user_version"
                                                            : "SELECT version FROM ledger_version");
  if (!rows) return base::pass(rows);
  return static_cast<std::size_t>(std::stoull(rows->at(0).at(0)));
}

// Another analyser may open it at the same time: who begins has it for itself.
base::Result<void> migrate(Database& database) {
  const auto version = version_of(database);
  if (version && *version == newest_version()) return {};
  if (const auto begun = database.begin(); !begun) return begun;
  base::Result<bool> done = false;
  while (done && !*done) done = migrate_once(database);
  if (done) return database.commit();
  database.roll_back();
  return base::pass(done);
}

base::Result<void> check_version(Database& database) {
  const auto version = version_of(database);
  if (!version) return base::pass(version);
  if (*version == 0) {
    return base::fail(base::ErrorKind::kUsage, "no analyser has made it", database.name(),
                      "name the --db of a reveal analyser");
  }
  if (*version > newest_version()) return newer(*version, database.name());
  return {};
}

}  // namespace reveal::ledger
