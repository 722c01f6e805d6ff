// Tells and keeps what is new of the groups that this analyser judges. Of the others it holds back
// what is new, so that nothing gets lost if it has to take over.
//
// News are told once they are in the database, if there is one: who has lost its lease without
// knowing is refused there. Not thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyser/alert_desk.h"
#include "analyser/analyser.h"
#include "analyser/keeper.h"
#include "analyser/leases.h"
#include "analyser/past_work.h"
#include "base/result.h"
#include "peers/fleet.h"

namespace reveal::analyser {

class Teller {
 public:
  // What is known now.
  struct Moment {
    std::int64_t steady_ns = 0;
    std::int64_t time_ns = 0;                      // of the broker
    bool hears = false;                            // messages come
    bool is_late = false;                          // behind them
    std::optional<std::int64_t> on_time_since_ns;  // steady
  };

  // After so long without a lag what is open is what the fleet says.
  static constexpr std::int64_t kSettled_ns = 30 * peers::kSecond_ns;
  // The past is judged by what is usual, which is known after so long without a lag.
  static constexpr std::int64_t kKnown_ns = 120 * peers::kSecond_ns;
  // The end of a group is told after its last host has left.
  static constexpr std::int64_t kGone_ns = 10 * peers::kSecond_ns;

  // Without `leases` all groups are judged here, without `desk` nobody is alerted. They must live
  // as long.
  Teller(Leases* leases, std::optional<Keeper> keeper, const AnalyserOutput& output,
         AlertDesk* desk = nullptr)
      : leases_(leases), desk_(desk), keeper_(std::move(keeper)), output_(output) {}

  // Takes what is new of the fleet and writes and tells what is to be. Fails if that fails.
  base::Result<void> round(peers::Fleet& fleet, std::vector<peers::StandingNews> standings,
                           const Moment& moment);

  // Returns whether late seconds are wanted now: if there is a database, and it keeps up.
  bool has_room_for_late() const { return keeper_ && keeper_->has_room_for_late(); }
  // Returns whether news of a group are told here.
  bool is_judged_here(std::string_view group) const;
  // Returns how many things wait to be written.
  std::size_t waiting() const { return keeper_ ? keeper_->waiting() : 0; }

 private:
  struct HeldBack {
    std::int64_t at_ns = 0;
    Learnt learnt;
  };
  struct Judged {
    bool is_ours = false;
    bool is_sure = false;
    ledger::Token token;
    ledger::Token refused;  // the lease than which the file knows a later one
    std::int64_t since_steady_ns = 0;
    bool has_settled = false;
    std::string holder;  // another, as it was told last
    std::int64_t wanted_steady_ns = 0;
    std::int64_t other_seen_ns = 0;
    std::deque<HeldBack> held_back;
  };

  std::set<std::string> wanted_groups(peers::Fleet& fleet, const Moment& moment);
  base::Result<void> follow_leases(peers::Fleet& fleet, const Moment& moment);
  base::Result<void> follow(peers::Fleet& fleet, const std::string& group, const LeaseView& view,
                            const Moment& moment);
  base::Result<bool> take_over(peers::Fleet& fleet, const std::string& group, Judged& judged,
                               const LeaseView& view, const Moment& moment);
  void lose(const std::string& group, Judged& judged);
  void notice_holder(const std::string& group, Judged& judged, const LeaseView& view);
  void notice_trouble(std::int64_t steady_ns);
  void take_news(peers::Fleet& fleet, std::vector<peers::StandingNews> standings);
  Learnt& place_of(const std::string& group);
  void add_news(peers::News news, bool is_unseen = false);
  void release(Judged& judged);
  void settle(peers::Fleet& fleet, const Moment& moment);
  base::Result<void> judge_past(peers::Fleet& fleet, const Moment& moment);
  base::Result<void> write(const Moment& moment);
  base::Result<void> tell(const std::vector<peers::News>& news, const Moment& moment);

  Leases* leases_;
  AlertDesk* desk_;
  std::optional<Keeper> keeper_;
  const AnalyserOutput& output_;
  std::map<std::string, Judged, std::less<>> groups_;
  PastWork past_;
  Learnt now_;           // that is to be written
  std::string trouble_;  // that was told of last
  std::int64_t noticed_ns_ = 0;
};

}  // namespace reveal::analyser
