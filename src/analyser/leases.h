// The leases of all groups of a fleet, as one analyser has them: takes those that nobody holds, and
// keeps those that it has.
//
// One thread asks the broker (round(), give_back()), another one judges (want(), view()). A holder
// that does not judge any more must lose its leases, though its other thread lives: they are kept
// only as long as want() is called.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "analyser/lease.h"
#include "bus/lease_bucket.h"
#include "ledger/ledger.h"

namespace reveal::analyser {

// What is known of a group's lease.
struct LeaseView {
  ledger::Token token;             // if it is held here
  std::int64_t sure_until_ns = 0;  // until then this analyser may tell and write of the group
  std::int64_t held_until_ns = 0;  // until then nobody else does
  std::string holder;              // another one; empty: nobody is known to be
  std::int64_t other_seen_ns = 0;  // when it was last seen to be alive; 0: never
};

using LeaseViews = std::map<std::string, LeaseView, std::less<>>;  // by group

class Leases {
 public:
  // Returns ns of a clock that also goes on while the machine sleeps, and is never set.
  using Clock = std::function<std::int64_t()>;
  // A judge that has not called want() for so long does not judge.
  static constexpr std::int64_t kLongestStill_ns = 2 * kLeaseSecond_ns;

  // `self` as Lease has it; others are told it.
  Leases(std::unique_ptr<bus::LeaseBucket> bucket, std::string self, Clock clock);

  // Says which groups there are. `may_take`: this analyser knows enough to take more of them.
  void want(const std::set<std::string>& groups, bool may_take);
  LeaseViews view() const;
  // Returns what is wrong with the broker's leases; empty if nothing is.
  std::string trouble() const;
  std::int64_t now_ns() const { return clock_(); }
  const std::string& self() const { return self_; }

  // Does what is due. Waits for the broker.
  void round();
  // Gives back all that is held, so that another takes it at once.
  void give_back();

 private:
  void attend(const std::string& group, Lease& lease);
  bool may_hold(const Lease& lease, std::int64_t now_ns) const;
  bool look(const std::string& key, Lease& lease);
  bool write(const std::string& key, const std::string& group, Lease& lease);
  void publish(const std::string& group, const Lease& lease);
  void forget(const std::string& group);

  std::unique_ptr<bus::LeaseBucket> bucket_;
  std::string self_;
  Clock clock_;
  // Of the thread that asks.
  std::map<std::string, Lease, std::less<>> leases_;
  std::int64_t era_ = 0;
  std::string said_;

  mutable std::mutex mutex_;  // for all below
  std::set<std::string> wanted_;
  bool may_take_ = false;
  std::int64_t wanted_ns_ = 0;
  LeaseViews views_;
  std::string trouble_;
};

// Returns the key of a group's lease: groups have names that keys may not have.
std::string lease_key(std::string_view group);

}  // namespace reveal::analyser
