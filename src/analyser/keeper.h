// Writes what an analyser learns to its database. While another program has it, or its server is
// away, what there is to write waits, and is tried again after a pause. If another program has it
// for long, it fails; a server is waited for without end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/backoff.h"
#include "base/result.h"
#include "ledger/ledger.h"
#include "peers/fleet.h"
#include "peers/incident.h"

namespace reveal::analyser {

// What is to be written.
struct Learnt {
  struct HostFacts {
    peers::ToldFacts told;
    std::string group;
  };
  // Of a group, with the lease under which it is told.
  struct TokenedNews {
    peers::News news;
    ledger::Token token;
    bool is_unseen = false;  // it ended while nobody looked
  };
  // The incidents of a group that are open, if all others of it in the file are over.
  struct Settled {
    std::string group;
    ledger::Token token;
    std::set<std::string> open;
  };
  // A stretch of the past that was judged, with the lease under which that was done.
  struct TokenedGap {
    ledger::Gap gap;
    ledger::Token token;
  };
  std::vector<HostFacts> facts;
  std::vector<peers::StandingNews> standings;
  std::vector<peers::Move> moves;
  std::vector<peers::FollowedJob> jobs;
  std::vector<peers::ToldEvent> events;
  std::vector<TokenedNews> news;
  std::vector<Settled> settled;
  std::vector<TokenedGap> gaps;
  std::vector<peers::LateSecond> late;
  std::vector<peers::LateDictionary> late_dictionaries;

  bool is_empty() const;
  void append(Learnt more);
  // Lets go the oldest beyond the bounds. Facts and events come again from the broker.
  void bound();
};

class Keeper {
 public:
  static constexpr std::int64_t kLongestBusy_ns = 600'000'000'000;
  static constexpr std::size_t kMaxWaiting = 100'000;  // of each kind
  // Facts, and events, that are written at once: who writes reads no messages.
  static constexpr std::size_t kMaxAtOnce = 500;
  // Late seconds are kept for less long than all else: there are many.
  static constexpr std::int64_t kLateKept_ns = std::int64_t{7} * 86'400 * peers::kSecond_ns;

  // `tell` gets a line if the database cannot be written for now, one a minute while that lasts,
  // one when an incident begins to wait, and one once it can be. What ended `keep_ns` ago is
  // removed; 0: nothing is.
  Keeper(ledger::Ledger ledger, std::function<void(std::string_view)> tell,
         std::int64_t keep_ns = 0);

  // Takes what is to be written, and writes it unless a pause lasts; `steady_ns` is the steady
  // clock. Fails if the database cannot be written, of a busy one after kLongestBusy_ns.
  base::Result<void> keep(Learnt more, std::int64_t steady_ns);

  // Removes what is old at `time_ns`: a part of it, if there is nothing to be written, and not more
  // often than is useful.
  base::Result<void> forget(std::int64_t time_ns, std::int64_t steady_ns);

  // Returns the news that were written since the last call: only then they may be told. Those that
  // the database had are not among them.
  std::vector<peers::News> take_written() { return std::exchange(written_, {}); }
  // Returns the groups of which something was refused: another has a later lease.
  std::set<std::string> take_refused() { return std::exchange(refused_, {}); }
  // Gives up what waits of a group's incidents, and returns the news: another may tell them.
  std::vector<peers::News> drop(std::string_view group);

  // Says in the database that this analyser judges a group. Returns what it has of its incidents
  // that are open or ended after that; nothing if another one has a later lease. Fails with kBusy
  // or kAway at once.
  base::Result<std::optional<std::vector<peers::Incident>>> claim(std::string_view group,
                                                                  std::string_view holder,
                                                                  ledger::Token token,
                                                                  std::int64_t time_ns,
                                                                  std::int64_t since_ns);

  // Return what the database has of the past, as Ledger does. They fail with kBusy or kAway at
  // once.
  base::Result<bool> has_gap(const ledger::Gap& gap) { return ledger_.has_gap(gap); }
  base::Result<std::vector<ledger::KeptSecond>> late_seconds(std::string_view group,
                                                             const ledger::KeptSecond& after,
                                                             std::int64_t until_ns) {
    return ledger_.late_seconds(group, after, until_ns, kMaxAtOnce);
  }
  base::Result<std::vector<peers::Incident>> incidents_since(std::string_view group,
                                                             std::int64_t since_ns);

  // Returns whether the database could not be written the last time, so that things wait.
  bool is_waiting() const { return is_waiting_; }
  // Returns how many things wait.
  std::size_t waiting() const;
  // Returns whether more late seconds may come: those that wait are written at once.
  bool has_room_for_late() const { return learnt_.late.size() < kMaxAtOnce; }

 private:
  base::Result<void> write();
  base::Result<void> put_all();
  void drop_written();
  base::Result<void> wait(const base::Error& error, std::int64_t steady_ns);
  base::Result<void> put_news();

  ledger::Ledger ledger_;
  std::function<void(std::string_view)> tell_;
  Learnt learnt_;
  std::vector<peers::News> putting_;  // in the transaction that goes on
  std::vector<peers::News> written_;
  // By id and revision: whether these were written was not answered.
  std::set<std::pair<std::string, std::uint32_t>> uncertain_;
  std::set<std::string> refused_;
  base::Backoff backoff_;
  std::int64_t pause_until_ns_ = 0;
  bool is_waiting_ = false;  // and that was told
  bool has_noticed_news_ = false;
  std::int64_t noticed_ns_ = 0;
  std::optional<std::int64_t> busy_since_ns_;
  std::int64_t keep_ns_;
  std::int64_t forget_at_ns_ = 0;
};

}  // namespace reveal::analyser
