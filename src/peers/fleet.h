// The fleet as its messages tell of it: hosts in groups, judged as seconds come, and incidents. A
// group is of hosts that work on one job (Jobs) or, without one, of like hosts (group_key()).
//
// Knows no broker and no clock: it is given messages with the time at which the broker took them,
// and the time that it is. The same messages give the same incidents. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "peers/group.h"
#include "peers/group_key.h"
#include "peers/host.h"
#include "peers/incident.h"
#include "peers/incident_book.h"
#include "peers/jobs.h"
#include "peers/late_seconds.h"
#include "peers/meaning.h"
#include "wire/event.h"
#include "wire/facts.h"
#include "wire/subject.h"

namespace reveal::peers {

struct FleetLimits {
  std::size_t hosts = 20'000;  // messages of more are refused
  // A host that was silent for so long, while messages came, is in no group any more, and a new one
  // may have its place. What it is stays known for much longer: it may not say so when it is back.
  std::int64_t leave_ns = 3'600 * kSecond_ns;
  std::int64_t forget_ns = std::int64_t{7} * 86'400 * kSecond_ns;
};

// A message as a broker delivers it.
struct Delivery {
  std::string_view subject;
  wire::ByteView payload;
  std::int64_t stored_ns = 0;  // when the broker took it
};

struct FleetCounts {
  std::uint64_t messages = 0;
  std::uint64_t refused = 0;    // malformed, or of a host beyond the limit: last_refused()
  std::uint64_t judged = 0;     // seconds of groups
  std::uint64_t uncertain = 0;  // of these, those in which nobody could be accused
};

// A second of a group, once it was judged.
struct JudgedSecond {
  std::int64_t end_ns = 0;
  std::size_t hosts = 0;  // of the group
};

// What a host told of itself, to be kept.
struct ToldFacts {
  std::string host;
  std::string site;
  wire::Facts facts;
  bool is_new = true;  // else they are those of before, told again
};
struct ToldEvent {
  std::string host;
  wire::Event event;
};

// A host that cannot be compared, or can be again.
struct StandingNews {
  std::string host;
  std::string name;
  Standing standing = Standing::kUnknown;
  std::string other_name{};  // that it had before; empty: none
};

// A host that is compared in another group from now on, as its jobs are others.
struct Move {
  std::string host;
  std::string group;
};

class Fleet {
 public:
  explicit Fleet(FleetLimits limits = {}) : limits_(limits) {}

  // Takes a message. Fails with kCorrupt if it is malformed; then all is as it was.
  base::Result<void> take(const Delivery& message);

  // Judges what can be judged by now, and forgets who is silent. `now_ns` is the time of the
  // broker; a jump of it is no silence. `is_late`: this program is behind the messages, so nobody
  // is accused.
  void advance(std::int64_t now_ns, bool is_late);

  // Takes over incidents that an earlier run told and left open, before any message is taken: those
  // that go on keep their ids, and are told of as going on.
  void resume(std::vector<Incident> open);
  IncidentBook& incidents() { return book_; }

  std::vector<News> take_news() { return book_.take_news(); }
  std::vector<StandingNews> take_standings();
  // Return what hosts told since the last call.
  std::vector<ToldFacts> take_facts();
  std::vector<ToldEvent> take_events();
  std::vector<Move> take_moves();
  std::vector<FollowedJob> take_jobs() { return jobs_.take_news(); }
  // Returns what was judged since the call before.
  std::vector<JudgedSecond> take_judged();
  // Returns the seconds that were told late. They make no host known, and no time pass.
  LateSeconds& late() { return late_; }

  // Returns the ids of the incidents that are open.
  std::set<std::string> open_incidents() const { return book_.open(); }

  const FleetCounts& counts() const { return counts_; }
  // Returns the subject of the message that was refused last, and why; empty if none was.
  const std::string& last_refused() const { return last_refused_; }
  std::size_t hosts() const { return hosts_.size(); }
  // Returns null if there is no such host.
  const Host* find(std::string_view id) const;
  // Returns the key of the group that a host belongs to; empty if it belongs to none.
  std::string group_of(std::string_view id) const;
  // Returns since when that has been so, as far as jobs make it another.
  std::int64_t in_group_since_ns(std::string_view id) const { return jobs_.since_ns(id); }
  // Returns the keys of the groups that have hosts.
  std::set<std::string> groups() const;
  // Returns the group of a key; null if there is none.
  const Group* find_group(std::string_view key) const;
  std::size_t meanings() const { return meanings_.size(); }

  // Keeps the last minutes' levels of all groups from now on (kept_levels.h), in about so many
  // bytes: of more, the oldest are let go.
  void keep_levels(std::size_t most_bytes);
  // Returns whether there is such a group and quantity; its levels are kept from now on.
  bool ask_levels(std::string_view group, std::string_view quantity);
  // Returns what kept levels take.
  std::size_t kept_bytes() const { return kept_bytes_; }

  // By standing, how many hosts had it when they were last looked at, a second ago at most. Those
  // who have told facts but no levels are silent.
  using StandingCounts = std::array<std::size_t, kStandings>;
  const StandingCounts& standing_counts() const { return standing_counts_; }

 private:
  // What was learnt of a host in the group that it left for a job.
  struct Learnt {
    std::string group;
    KnownHost known;
    std::int64_t left_ns = 0;  // by lived_ns_
  };
  struct Entry {
    std::unique_ptr<Host> host;
    Group* group = nullptr;
    std::int64_t spoke_ns = 0;               // by lived_ns_
    Standing standing = Standing::kUnknown;  // as it was told last
    bool speaks = false;                     // as its jobs were told
    std::optional<Learnt> learnt{};
  };

  using Entries = std::map<std::string, Entry, std::less<>>;

  base::Result<void> take_of(const wire::Sender& sender, const Delivery& message);
  base::Result<void> take_of_new(const wire::Sender& sender, const Delivery& message);
  Entries::iterator find_replaceable();
  base::Result<void> take_levels(Entry& entry, const Delivery& message);
  base::Result<void> take_facts(Entry& entry, const Delivery& message);
  base::Result<void> take_meaning(Entry& entry, const Delivery& message);
  base::Result<void> take_event(Entry& entry, const Delivery& message);
  base::Result<void> dispatch(Entry& entry, wire::Type type, const Delivery& message);
  void place(Entry& entry);
  void leave(Entry& entry);
  void keep_learnt(Entry& entry);
  KnownHost take_learnt(Entry& entry, std::string_view group);
  void settle_jobs(std::int64_t now_ns);
  void set_speaks(Entry& entry, bool speaks);
  void watch_hosts(std::int64_t now_ns);
  void bound_kept();

  FleetLimits limits_;
  Meanings meanings_;
  Entries hosts_;                                                      // by id
  std::map<std::string, std::unique_ptr<Group>, std::less<>> groups_;  // by key
  Jobs jobs_;
  std::vector<Move> moves_;
  std::vector<JudgedSecond> judged_;
  IncidentBook book_;
  FleetCounts counts_;
  std::vector<ToldFacts> facts_;
  std::vector<ToldEvent> events_;
  LateSeconds late_;
  std::vector<StandingNews> standings_;
  std::string last_refused_;
  std::int64_t watched_ns_ = 0;
  std::int64_t lived_ns_ = 0;             // time that passed without jumps
  std::int64_t looked_ns_ = -kSecond_ns;  // for a place, by lived_ns_
  std::size_t most_kept_bytes_ = 0;       // 0: no levels are kept
  std::size_t kept_bytes_ = 0;
  StandingCounts standing_counts_{};
};

}  // namespace reveal::peers
