#include "ledger/ledger.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "ledger/schema.h"
#include "model/metric.h"
#include "peers/job_name.h"

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

// So that its percents fit into any column.
constexpr float kLargestStrength = 1e6F;

}  // namespace

base::Result<Ledger> Ledger::open(const std::string& where) {
  auto database = open_database(where, Access::kWrite);
  if (!database) return base::pass(database);
  if (const auto migrated = migrate(**database); !migrated) return base::pass(migrated);
  (*database)->hurry();
  return Ledger(std::move(*database));
}

base::Result<void> Ledger::put(const std::string& statement, const std::vector<Value>& values) {
  const auto done = database_->query(statement, values);
  if (!done) return base::pass(done);
  return {};
}

// Each statement is an answer to wait for, and so are few of them; their lengths are powers of two,
// so that there are few texts to be prepared.
base::Result<void> Ledger::put_rows(std::string_view what, std::string_view then, std::size_t width,
                                    const std::vector<Value>& values) {
  constexpr std::size_t kMostRows = 64;
  for (std::size_t begin = 0; begin < values.size();) {
    const auto rows = std::bit_floor(std::min(kMostRows, (values.size() - begin) / width));
    std::string statement = fmt::format("{} VALUES ", what);
    for (std::size_t i = 0; i < rows * width; ++i) {
      if (i % width == 0) statement += i == 0 ? "(" : "), (";
      statement += fmt::format("{}${}", i % width == 0 ? "" : ", ", i + 1);
    }
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
    begin += rows * width;
    const auto last = values.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto done = put(fmt::format("{}) {}", statement, then), std::vector<Value>(first, last));
    if (!done) return done;
  }
  return {};
}

base::Result<void> Ledger::put_facts(std::string_view host, std::string_view site,
                                     std::string_view group, const wire::Facts& facts) {
  auto done =
      put("INSERT INTO hosts (id, site, name, group_key, standing, first_seen_ns, last_told_ns) "
          "VALUES ($1, $2, $3, $4, 'unknown', $5, $5) ON CONFLICT (id) DO UPDATE SET "
          "site = excluded.site, name = excluded.name, group_key = excluded.group_key",
          {host, site, facts.host, group, facts.head.time_ns});
  if (done) done = put_told(host, facts.head.time_ns);
  if (done) done = put("DELETE FROM facts WHERE host = $1", {host});
  if (!done) return done;
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> texts{
      {{"host", "kernel"}, facts.kernel},
      {{"host", "machine"}, facts.machine},
      {{"host", "Reveal"}, facts.reveal_version}};
  for (const auto& [name, value] : facts.labels) texts[{"label", name}] = value;
  for (const auto& fact : facts.facts) texts[{fact.source, fact.subject}] = fact.text;
  std::vector<Value> rows;
  for (const auto& [key, text] : texts) {
    rows.insert(rows.end(), {host, key.first, key.second, text});
  }
  return put_rows("INSERT INTO facts (host, source, subject, text)", "", 4, rows);
}

base::Result<void> Ledger::put_told(std::string_view host, std::int64_t time_ns) {
  return put("UPDATE hosts SET last_told_ns = $2 WHERE id = $1 AND last_told_ns < $2",
             {host, time_ns});
}

base::Result<void> Ledger::put_standing(std::string_view host, std::string_view standing) {
  return put("UPDATE hosts SET standing = $2 WHERE id = $1", {host, standing});
}

base::Result<void> Ledger::put_group(std::string_view host, std::string_view group) {
  return put("UPDATE hosts SET group_key = $2 WHERE id = $1", {host, group});
}

base::Result<void> Ledger::put_job(const peers::FollowedJob& job) {
  const auto name = peers::job_of_group(job.group).value_or(peers::JobName());
  return put(
      "INSERT INTO jobs (group_key, kind, job, hosts, first_seen_ns, last_seen_ns) "
      "VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (group_key) DO UPDATE SET "
      "hosts = CASE WHEN jobs.hosts < excluded.hosts THEN excluded.hosts ELSE jobs.hosts END, "
      "first_seen_ns = CASE WHEN jobs.first_seen_ns > excluded.first_seen_ns "
      "THEN excluded.first_seen_ns ELSE jobs.first_seen_ns END, "
      "last_seen_ns = CASE WHEN jobs.last_seen_ns < excluded.last_seen_ns "
      "THEN excluded.last_seen_ns ELSE jobs.last_seen_ns END",
      {job.group, name.kind, name.id, static_cast<std::int64_t>(job.hosts), job.first_ns,
       job.last_ns});
}

base::Result<void> Ledger::put_event(std::string_view host, const wire::Event& event) {
  return put(
      "INSERT INTO findings (host, id, revision, state, onset_ns, end_ns, subsystem, severity, "
      "claim, pattern, detail) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) "
      "ON CONFLICT (host, id) DO UPDATE SET revision = excluded.revision, state = excluded.state, "
      "onset_ns = excluded.onset_ns, end_ns = excluded.end_ns, subsystem = excluded.subsystem, "
      "severity = excluded.severity, claim = excluded.claim, pattern = excluded.pattern, "
      "detail = excluded.detail WHERE findings.revision < excluded.revision",
      {host, event.finding, std::int64_t{event.revision}, state_of(event.what), event.onset_ns,
       event.end_ns, to_string(event.subsystem), word_of(event.severity), event.claim,
       event.pattern, event.detail});
}

base::Result<void> Ledger::put_late_seconds(std::span<const peers::LateSecond> seconds) {
  std::vector<std::string> runs;
  for (const auto& one : seconds) runs.push_back(fmt::format("{:016x}", one.head.head.run));
  std::vector<Value> rows;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const auto& head = seconds[i].head;
    rows.insert(rows.end(),
                {seconds[i].host, head.head.time_ns, runs[i], std::int64_t{!head.learning},
                 std::int64_t{head.votes},
                 std::int64_t{std::llround(100.0 * std::min(head.strength, kLargestStrength))},
                 std::int64_t{head.dictionary}, seconds[i].message});
  }
  return put_rows(
      "INSERT INTO late_seconds (host, begin_ns, run, judged, votes, strength_percent, dictionary, "
      "message)",
      "ON CONFLICT (host, begin_ns) DO NOTHING", 8, rows);
}

base::Result<void> Ledger::put_late_dictionaries(
    std::span<const peers::LateDictionary> dictionaries) {
  std::vector<Value> rows;
  for (const auto& one : dictionaries) {
    rows.insert(rows.end(), {std::int64_t{one.number}, one.plain});
  }
  return put_rows("INSERT INTO late_dictionaries (number, plain)",
                  "ON CONFLICT (number) DO NOTHING", 2, rows);
}

base::Result<std::vector<KeptSecond>> Ledger::late_seconds(std::string_view group,
                                                           const KeptSecond& after,
                                                           std::int64_t until_ns,
                                                           std::size_t most) {
  // The first condition is for the index.
  const auto rows = database_->query(
      "SELECT s.host, s.begin_ns, s.message FROM late_seconds s JOIN hosts h ON h.id = s.host "
      "WHERE s.begin_ns >= $2 AND s.begin_ns < $4 AND (s.begin_ns > $2 OR s.host > $3) AND "
      "h.group_key = $1 ORDER BY s.begin_ns, s.host LIMIT $5",
      {group, after.begin_ns, after.host, until_ns, static_cast<std::int64_t>(most)});
  if (!rows) return base::pass(rows);
  std::vector<KeptSecond> out;
  for (const auto& row : *rows) out.push_back({row.at(0), std::stoll(row.at(1)), row.at(2)});
  return out;
}

base::Result<void> Ledger::put_gap(const Gap& gap, Token token) {
  const auto outdated = is_outdated(gap.group, token);
  if (!outdated) return base::pass(outdated);
  if (*outdated) return {};
  return put(
      "INSERT INTO gaps (group_key, begin_ns, end_ns, stored_ns, hosts, judged_seconds, incidents) "
      "VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (group_key, begin_ns) DO UPDATE SET "
      "end_ns = excluded.end_ns, stored_ns = excluded.stored_ns, hosts = excluded.hosts, "
      "judged_seconds = excluded.judged_seconds, incidents = excluded.incidents "
      "WHERE gaps.stored_ns <= excluded.stored_ns",
      {gap.group, gap.begin_ns, gap.end_ns, gap.stored_ns, static_cast<std::int64_t>(gap.hosts),
       static_cast<std::int64_t>(gap.judged_seconds), static_cast<std::int64_t>(gap.incidents)});
}

base::Result<bool> Ledger::has_gap(const Gap& gap) {
  const auto rows = database_->query(
      "SELECT 1 FROM gaps WHERE group_key = $1 AND begin_ns <= $2 AND end_ns >= $3 AND "
      "stored_ns >= $4 LIMIT 1",
      {gap.group, gap.begin_ns, gap.end_ns, gap.stored_ns});
  if (!rows) return base::pass(rows);
  return !rows->empty();
}

base::Result<bool> Ledger::is_outdated(std::string_view group, Token token) {
  const auto rows =
      database_->query("SELECT 1 FROM leases WHERE group_key = $1 AND ($2, $3) < (era, lease)",
                       {group, token.era, token.lease});
  if (!rows) return base::pass(rows);
  return !rows->empty();
}

base::Result<bool> Ledger::claim(std::string_view group, std::string_view holder, Token token,
                                 std::int64_t time_ns) {
  const auto outdated = is_outdated(group, token);
  if (!outdated) return base::pass(outdated);
  if (*outdated) return false;
  const auto done = put(
      "INSERT INTO leases (group_key, holder, era, lease, since_ns) VALUES ($1, $2, $3, $4, $5) "
      "ON CONFLICT (group_key) DO UPDATE SET holder = excluded.holder, era = excluded.era, "
      "lease = excluded.lease, since_ns = excluded.since_ns",
      {group, holder, token.era, token.lease, time_ns});
  if (!done) return base::pass(done);
  return true;
}

base::Result<Put> Ledger::put_incident(const peers::Incident& incident, std::string_view detail,
                                       Token token) {
  const auto* host = incident.main_host();
  const auto* evidence = incident.main_evidence();
  const auto sentence = peers::sentence(incident);
  const auto job = peers::job_of_group(incident.group).value_or(peers::JobName());
  const auto newer = database_->query(
      "SELECT revision, era, lease FROM incidents WHERE id = $1 AND revision >= $2",
      {incident.id, std::int64_t{incident.revision}});
  if (!newer) return base::pass(newer);
  if (!newer->empty()) {
    const Row ours{std::to_string(incident.revision), std::to_string(token.era),
                   std::to_string(token.lease)};
    return newer->front() == ours ? Put::kOurs : Put::kKnown;
  }
  const auto outdated = is_outdated(incident.group, token);
  if (!outdated) return base::pass(outdated);
  if (*outdated) return Put::kRefused;
  auto done =
      put("INSERT INTO incidents (id, group_key, revision, state, onset_ns, end_ns, host, "
          "subsystem, sentence, detail, era, lease, job) "
          "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (id) DO "
          "UPDATE SET "
          "group_key = excluded.group_key, revision = excluded.revision, state = excluded.state, "
          "onset_ns = excluded.onset_ns, end_ns = excluded.end_ns, host = excluded.host, "
          "subsystem = excluded.subsystem, sentence = excluded.sentence, detail = excluded.detail, "
          "era = excluded.era, lease = excluded.lease",
          {incident.id, incident.group, std::int64_t{incident.revision},
           incident.is_open ? "open" : "closed", incident.onset_ns, incident.end_ns,
           host == nullptr ? std::string_view() : std::string_view(host->id),
           evidence == nullptr ? std::string_view() : to_string(evidence->quantity.subsystem),
           sentence, detail, token.era, token.lease, job.id});
  if (done) done = put_hosts_of(incident);
  if (!done) return base::pass(done);
  return Put::kWritten;
}

base::Result<void> Ledger::put_hosts_of(const peers::Incident& incident) {
  std::map<std::string_view, const peers::SlowHost*> hosts;
  for (const auto& one : incident.hosts) hosts[one.id] = &one;
  std::vector<Value> rows;
  for (const auto& [id, host] : hosts) {
    rows.insert(rows.end(), {incident.id, id, host->name, peers::to_string(host->part),
                             host->onset_ns, host->finding});
  }
  return put_rows("INSERT INTO incident_hosts (incident, host, name, part, onset_ns, finding)",
                  "ON CONFLICT (incident, host) DO UPDATE SET name = excluded.name, "
                  "part = excluded.part, onset_ns = excluded.onset_ns, finding = excluded.finding",
                  6, rows);
}

base::Result<std::vector<std::string>> Ledger::open_incidents() {
  return details("SELECT detail FROM incidents WHERE state = 'open' ORDER BY id", {});
}

base::Result<std::vector<std::string>> Ledger::incidents_since(std::string_view group,
                                                               std::int64_t since_ns) {
  return details(
      "SELECT detail FROM incidents WHERE group_key = $1 AND (state = 'open' OR end_ns >= $2) "
      "ORDER BY onset_ns, id",
      {group, since_ns});
}

base::Result<std::vector<std::string>> Ledger::details(const std::string& statement,
                                                       const std::vector<Value>& values) {
  const auto rows = database_->query(statement, values);
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
      database_->query("SELECT id FROM incidents WHERE state = 'open' AND group_key = $1", {group});
  if (!rows) return base::pass(rows);
  std::size_t out = 0;
  for (const auto& row : *rows) {
    if (open.contains(row.at(0))) continue;
    const auto done =
        put("UPDATE incidents SET state = 'ended_unseen', era = $2, lease = $3 WHERE id = $1",
            {row.at(0), token.era, token.lease});
    if (!done) return base::pass(done);
    ++out;
  }
  return out;
}

base::Result<bool> Ledger::forget_late(std::int64_t before_ns) {
  auto done =
      put("DELETE FROM late_seconds WHERE (host, begin_ns) IN (SELECT host, begin_ns FROM "
          "late_seconds WHERE begin_ns < $1 ORDER BY begin_ns LIMIT 500)",
          {before_ns});
  if (done) {
    done =
        put("DELETE FROM late_dictionaries WHERE NOT EXISTS (SELECT 1 FROM late_seconds WHERE "
            "late_seconds.dictionary = late_dictionaries.number)",
            {});
  }
  if (done) done = put("DELETE FROM gaps WHERE end_ns < $1", {before_ns});
  if (!done) return base::pass(done);
  const auto more =
      database_->query("SELECT 1 FROM late_seconds WHERE begin_ns < $1 LIMIT 1", {before_ns});
  if (!more) return base::pass(more);
  return !more->empty();
}

base::Result<bool> Ledger::forget(std::int64_t before_ns, std::int64_t late_before_ns) {
  const auto more_late = forget_late(late_before_ns);
  if (!more_late) return more_late;
  const std::string incidents =
      "SELECT id FROM incidents WHERE state <> 'open' AND end_ns < $1 ORDER BY onset_ns, id LIMIT "
      "500";
  for (const auto& statement :
       {"DELETE FROM incident_hosts WHERE incident IN (" + incidents + ")",
        "DELETE FROM incidents WHERE id IN (" + incidents + ")",
        std::string("DELETE FROM findings WHERE (host, id) IN (SELECT host, id FROM findings "
                    "WHERE end_ns < $1 ORDER BY onset_ns LIMIT 500)"),
        std::string(
            "DELETE FROM facts WHERE host IN (SELECT id FROM hosts WHERE last_told_ns < $1)"),
        std::string("DELETE FROM hosts WHERE last_told_ns < $1"),
        // A job has a lease of its own, which nobody needs any more.
        std::string("DELETE FROM leases WHERE group_key IN (SELECT group_key FROM jobs WHERE "
                    "last_seen_ns < $1)"),
        std::string("DELETE FROM jobs WHERE last_seen_ns < $1")}) {
    if (const auto done = put(statement, {before_ns}); !done) return base::pass(done);
  }
  const auto more = database_->query(
      "SELECT 1 FROM incidents WHERE state <> 'open' AND end_ns < $1 UNION ALL "
      "SELECT 1 FROM findings WHERE end_ns < $1 LIMIT 1",
      {before_ns});
  if (!more) return base::pass(more);
  return *more_late || !more->empty();
}

}  // namespace reveal::ledger
