// Judges stretches of the past of which hosts told late, from the database: once all of one has
// come, and a little in each round, so that what is of now does not wait.
//
// What is usual must be known, so that the group of now can say what was unusual then. Seconds in
// which a host worked on another job than now are left out. A stretch that the database knows as
// judged by the same messages is left out. Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyser/gaps.h"
#include "analyser/keeper.h"
#include "base/result.h"
#include "ledger/ledger.h"
#include "peers/fleet.h"
#include "peers/past_judge.h"

namespace reveal::analyser {

class PastWork {
 public:
  // A stretch that was judged.
  struct Done {
    ledger::Gap gap;
    std::vector<peers::Incident> found;
    std::vector<peers::Incident> told;  // that the database has of that time and since
  };
  // Returns whether a group's incidents are told here.
  using IsOurs = std::function<bool(const std::string&)>;

  // Says what came. Hosts without a group are left out.
  void take(std::span<const peers::LateSecond> seconds, const peers::Fleet& fleet,
            std::int64_t steady_ns);

  // Goes on with one stretch. `now_ns` is the time of the broker. Returns it once it is done. What
  // cannot be read now is tried again later; fails if the database cannot be read at all.
  base::Result<std::optional<Done>> round(Keeper& keeper, const peers::Fleet& fleet,
                                          const IsOurs& is_ours, std::int64_t now_ns,
                                          std::int64_t steady_ns);

 private:
  struct Work {
    ledger::Gap gap;
    ledger::KeptSecond last;  // that was taken
    std::unique_ptr<peers::PastJudge> judge;
    std::map<std::string, std::int64_t> since_ns;  // that each host has been in the group
  };

  base::Result<void> begin(Keeper& keeper, const peers::Fleet& fleet, const IsOurs& is_ours,
                           std::int64_t now_ns, std::int64_t steady_ns);
  base::Result<std::optional<Done>> go_on(Keeper& keeper);
  base::Result<Done> finish(Keeper& keeper);
  void put_back(std::int64_t steady_ns);

  Gaps gaps_;
  std::optional<Work> work_;
};

}  // namespace reveal::analyser
