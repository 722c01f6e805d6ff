#include "ledger/ledger.h"

#include <utility>

#include "ledger/schema.h"
#include "model/metric.h"

namespace reveal::ledger {
namespace {

std::string_view state_of(wire::What what) {
  return what == wire::What::kClosed ? "closed" : "open";
}

std::string_view word_of(wire::Severity severity) {
  switch (severity) {
    case wire::Severity::kMinor:
      return "minor";
    case wire::Severity::kModerate:
      return "moderate";
    case wire::Severity::kMajor:
      return "major";
    case wire::Severity::kUnknown:
      break;
  }
  return "unknown";
}

}  // namespace

base::Result<Ledger> Ledger::open(const std::filesystem::path& file) {
  auto database = Database::open(file);
  if (!database) return base::pass(database);
  // Readers and the writer do not wait for one another; a loss of power costs the last seconds,
  // which come again from the broker.
  if (const auto set = database->run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
      !set) {
    return base::pass(set);
  }
  if (const auto migrated = migrate(*database); !migrated) return base::pass(migrated);
  return Ledger(std::move(*database));
}

base::Result<void> Ledger::begin() {
  return database_.run("BEGIN IMMEDIATE");
}

base::Result<void> Ledger::commit() {
  return database_.run("COMMIT");
}

void Ledger::roll_back() {
  // It fails if the begin did, or SQLite has done it by itself.
  static_cast<void>(database_.run("ROLLBACK"));
}

base::Result<void> Ledger::put(const std::string& statement, const std::vector<Value>& values) {
  const auto done = database_.query(statement, values);
  if (!done) return base::pass(done);
  return {};
}

base::Result<void> Ledger::put_facts(std::string_view host, std::string_view site,
                                     std::string_view group, const wire::Facts& facts) {
  auto done = put(
      "INSERT INTO hosts VALUES (?1, ?2, ?3, ?4, 'unknown', ?5, ?5) ON CONFLICT (id) DO UPDATE SET "
      "site = ?2, name = ?3, group_key = ?4, last_told_ns = max(last_told_ns, ?5)",
      {host, site, facts.host, group, facts.head.time_ns});
  if (!done) return done;
  done = put("DELETE FROM facts WHERE host = ?1", {host});
  if (!done) return done;
  const auto put_fact = [&](std::string_view source, std::string_view subject,
                            std::string_view text) {
    return put("INSERT OR REPLACE INTO facts VALUES (?1, ?2, ?3, ?4)",
               {host, source, subject, text});
  };
  for (const auto& [subject, text] :
       {std::pair<std::string_view, std::string_view>("kernel", facts.kernel),
        {"machine", facts.machine},
        {"Reveal", facts.reveal_version}}) {
    if (done = put_fact("host", subject, text); !done) return done;
  }
  for (const auto& [name, value] : facts.labels) {
    if (done = put_fact("label", name, value); !done) return done;
  }
  for (const auto& fact : facts.facts) {
    if (done = put_fact(fact.source, fact.subject, fact.text); !done) return done;
  }
  return {};
}

base::Result<void> Ledger::put_told(std::string_view host, std::int64_t time_ns) {
  return put("UPDATE hosts SET last_told_ns = max(last_told_ns, ?2) WHERE id = ?1",
             {host, time_ns});
}

base::Result<void> Ledger::put_standing(std::string_view host, std::string_view standing) {
  return put("UPDATE hosts SET standing = ?2 WHERE id = ?1", {host, standing});
}

base::Result<void> Ledger::put_event(std::string_view host, const wire::Event& event) {
  return put(
      "INSERT INTO findings VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) "
      "ON CONFLICT (host, id) DO UPDATE SET revision = ?3, state = ?4, onset_ns = ?5, end_ns = ?6, "
      "subsystem = ?7, severity = ?8, claim = ?9, pattern = ?10, detail = ?11 "
      "WHERE revision < ?3",
      {host, event.finding, std::int64_t{event.revision}, state_of(event.what), event.onset_ns,
       event.end_ns, to_string(event.subsystem), word_of(event.severity), event.claim,
       event.pattern, event.detail});
}

base::Result<bool> Ledger::is_outdated(std::string_view group, Token token) {
  const auto rows =
      database_.query("SELECT 1 FROM leases WHERE group_key = ?1 AND (?2, ?3) < (era, lease)",
                      {group, token.era, token.lease});
  if (!rows) return base::pass(rows);
  return !rows->empty();
}

base::Result<bool> Ledger::claim(std::string_view group, std::string_view holder, Token token,
                                 std::int64_t time_ns) {
  const auto outdated = is_outdated(group, token);
  if (!outdated) return base::pass(outdated);
  if (*outdated) return false;
  const auto done =
      put("INSERT INTO leases VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (group_key) DO UPDATE SET "
          "holder = ?2, era = ?3, lease = ?4, since_ns = ?5",
          {group, holder, token.era, token.lease, time_ns});
  if (!done) return base::pass(done);
  return true;
}

base::Result<Put> Ledger::put_incident(const peers::Incident& incident, std::string_view detail,
                                       Token token) {
  const auto* host = incident.main_host();
  const auto* evidence = incident.main_evidence();
  const auto sentence = peers::sentence(incident);
  const auto newer = database_.query("SELECT 1 FROM incidents WHERE id = ?1 AND revision >= ?2",
                                     {incident.id, std::int64_t{incident.revision}});
  if (!newer) return base::pass(newer);
  if (!newer->empty()) return Put::kKnown;
  const auto outdated = is_outdated(incident.group, token);
  if (!outdated) return base::pass(outdated);
  if (*outdated) return Put::kRefused;
  auto done = put(
      "INSERT OR REPLACE INTO incidents (id, group_key, revision, state, onset_ns, end_ns, host, "
      "subsystem, sentence, detail, era, lease) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
      {incident.id, incident.group, std::int64_t{incident.revision},
       incident.is_open ? "open" : "closed", incident.onset_ns, incident.end_ns,
       host == nullptr ? std::string_view() : std::string_view(host->id),
       evidence == nullptr ? std::string_view() : to_string(evidence->quantity.subsystem), sentence,
       detail, token.era, token.lease});
  for (const auto& one : incident.hosts) {
    if (!done) return base::pass(done);
    done =
        put("INSERT OR REPLACE INTO incident_hosts VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            {incident.id, one.id, one.name, peers::to_string(one.part), one.onset_ns, one.finding});
  }
  if (!done) return base::pass(done);
  return Put::kWritten;
}

base::Result<std::vector<std::string>> Ledger::open_incidents() {
  return details("SELECT detail FROM incidents WHERE state = 'open' ORDER BY id", {});
}

base::Result<std::vector<std::string>> Ledger::incidents_since(std::string_view group,
                                                               std::int64_t since_ns) {
  return details(
      "SELECT detail FROM incidents WHERE group_key = ?1 AND (state = 'open' OR end_ns >= ?2) "
      "ORDER BY onset_ns, id",
      {group, since_ns});
}

base::Result<std::vector<std::string>> Ledger::details(const std::string& statement,
                                                       const std::vector<Value>& values) {
  const auto rows = database_.query(statement, values);
  if (!rows) return base::pass(rows);
  std::vector<std::string> out;
  for (const auto& row : *rows) out.push_back(row.at(0));
  return out;
}

base::Result<std::size_t> Ledger::close_others(std::string_view group,
                                               const std::set<std::string>& open, Token token) {
  const auto outdated = is_outdated(group, token);
  if (!outdated) return base::pass(outdated);
  if (*outdated) return 0;
  const auto rows =
      database_.query("SELECT id FROM incidents WHERE state = 'open' AND group_key = ?1", {group});
  if (!rows) return base::pass(rows);
  std::size_t out = 0;
  for (const auto& row : *rows) {
    if (open.contains(row.at(0))) continue;
    const auto done =
        put("UPDATE incidents SET state = 'ended_unseen', era = ?2, lease = ?3 WHERE id = ?1",
            {row.at(0), token.era, token.lease});
    if (!done) return base::pass(done);
    ++out;
  }
  return out;
}

}  // namespace reveal::ledger
