// What an analyser keeps of its fleet: hosts, their facts and findings, and incidents, in a
// database that other programs can read while it is written. All writes are idempotent: messages
// that come again change nothing.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ledger/database.h"
#include "peers/incident.h"
#include "peers/jobs.h"
#include "peers/late_seconds.h"
#include "wire/event.h"
#include "wire/facts.h"

namespace reveal::ledger {

// The lease under which something is written: the later one is the larger one.
struct Token {
  std::int64_t era = 0;    // when the bucket of leases was made
  std::int64_t lease = 0;  // the revision in it with which the lease began

  auto operator<=>(const Token&) const = default;
};

enum class Put : std::uint8_t {
  kWritten,
  kKnown,    // it has this revision or a later one
  kOurs,     // it has this revision, written under this lease
  kRefused,  // another has written of the group under a later lease
};

// A stretch of time of which the hosts of a group told late, and that was judged then.
struct Gap {
  std::string group;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t stored_ns = 0;      // the latest of its messages that the broker had
  std::size_t hosts = 0;           // that should have told
  std::size_t judged_seconds = 0;  // in which somebody could have been accused
  std::size_t incidents = 0;       // that were found in it
};

// A late second as it is kept.
struct KeptSecond {
  std::string host;
  std::int64_t begin_ns = 0;
  std::string message;  // in hexadecimal digits
};

class Ledger {
 public:
  // Opens the database that is named (open_database()), and brings it to this version. Fails as
  // that and migrate().
  static base::Result<Ledger> open(const std::string& where);

  // As Database has them: between the two, what is put is written at once or not at all.
  base::Result<void> begin() { return database_->begin(); }
  base::Result<void> commit() { return database_->commit(); }
  void roll_back() { database_->roll_back(); }

  base::Result<void> put_facts(std::string_view host, std::string_view site, std::string_view group,
                               const wire::Facts& facts);
  // Says when a host told the facts again that are there.
  base::Result<void> put_told(std::string_view host, std::int64_t time_ns);
  base::Result<void> put_standing(std::string_view host, std::string_view standing);
  // Says in which group a host is compared from now on. Of an unknown one nothing is kept.
  base::Result<void> put_group(std::string_view host, std::string_view group);
  // Says what is known of a job; what is there of it is extended.
  base::Result<void> put_job(const peers::FollowedJob& job);
  // An event of an older revision than what is there changes nothing.
  base::Result<void> put_event(std::string_view host, const wire::Event& event);
  // Seconds that were told after they were over; one that is there stays as it is.
  base::Result<void> put_late_seconds(std::span<const peers::LateSecond> seconds);
  base::Result<void> put_late_dictionaries(std::span<const peers::LateDictionary> dictionaries);
  // Returns late seconds of the hosts of a group that begin before `until_ns`, in the order of
  // begin and host, after that of `after`; at most so many.
  base::Result<std::vector<KeptSecond>> late_seconds(std::string_view group,
                                                     const KeptSecond& after, std::int64_t until_ns,
                                                     std::size_t most);
  // Nothing is changed if another has a later lease, or knows the gap by later messages.
  base::Result<void> put_gap(const Gap& gap, Token token = {});
  // Returns whether one that has all of this was put, by messages that are no older.
  base::Result<bool> has_gap(const Gap& gap);
  // `detail` is the incident as JSON. Unless it returns kWritten nothing has changed.
  base::Result<Put> put_incident(const peers::Incident& incident, std::string_view detail,
                                 Token token = {});

  // Says of an incident that was put, closed, that it ended while nobody looked.
  base::Result<void> put_unseen(std::string_view id) {
    return put("UPDATE incidents SET state = 'ended_unseen' WHERE id = $1", {id});
  }

  // Says who judges a group from then on; what others write of it under older leases is refused.
  // Returns whether that is so: false if somebody has a later lease.
  base::Result<bool> claim(std::string_view group, std::string_view holder, Token token,
                           std::int64_t time_ns);

  // Returns the details of the incidents that are open.
  base::Result<std::vector<std::string>> open_incidents();
  // Returns the details of a group's incidents that are open, or ended after that.
  base::Result<std::vector<std::string>> incidents_since(std::string_view group,
                                                         std::int64_t since_ns);

  // Says of a group's incidents that are open here, but not among those: they ended while nobody
  // looked. Returns how many there were; none if another has a later lease.
  base::Result<std::size_t> close_others(std::string_view group, const std::set<std::string>& open,
                                         Token token = {});

  // Removes incidents and findings that ended before a time, and hosts that told nothing since, but
  // no incident that is open; late seconds of before another time; some hundreds at a time. Returns
  // whether there are more. To be called between begin() and commit().
  base::Result<bool> forget(std::int64_t before_ns, std::int64_t late_before_ns);

  Database& database() { return *database_; }

 private:
  explicit Ledger(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  base::Result<std::vector<std::string>> details(const std::string& statement,
                                                 const std::vector<Value>& values);
  base::Result<void> put_hosts_of(const peers::Incident& incident);
  base::Result<bool> forget_late(std::int64_t before_ns);
  base::Result<bool> is_outdated(std::string_view group, Token token);
  base::Result<void> put(const std::string& statement, const std::vector<Value>& values);
  // Inserts rows of `width` values each, many at once. `what` is the statement up to VALUES, and
  // `then` what stands behind them.
  base::Result<void> put_rows(std::string_view what, std::string_view then, std::size_t width,
                              const std::vector<Value>& values);

  std::unique_ptr<Database> database_;
};

}  // namespace reveal::ledger
