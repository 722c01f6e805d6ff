// Which hosts work together on one job, by what they tell, and so are peers for its time.
//
// A host counts for a job from kFewestTime_ns after it began there. A job with kFewestJobHosts of
// them that speak is **followed**: its hosts are compared with one another. Of several jobs of one
// host the one with most hosts is taken; of those with equally many the one that began first, then
// the one whose key comes first. Hosts whose larger job is followed do not count for smaller ones.
//
// All is decided for whole seconds of the broker's time, from what the broker had kSettle_ns before
// them. So two analysers that read the same messages, each at its own pace, decide alike; one that
// begins later does, too, because hosts say since when they have had a job. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "peers/group_key.h"
#include "peers/host.h"

namespace reveal::peers {

inline constexpr std::size_t kFewestJobHosts = 3;
inline constexpr std::int64_t kFewestTime_ns = 60 * kSecond_ns;
// What was told is in force after so long: by then every analyser has read it.
inline constexpr std::int64_t kSettle_ns = 2 * kSecond_ns;
// A host that said nothing for so long does not count for its job.
inline constexpr std::int64_t kSpeaksWithin_ns = 60 * kSecond_ns;

// A job that is followed, or was.
struct FollowedJob {
  std::string group;
  std::size_t hosts = 0;  // the most at once
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;  // so far
};

class Jobs {
 public:
  // Says which jobs a host has, as the broker had it at `at_ns`. What it told first is in force at
  // once.
  void take(const std::string& host, std::vector<HostJob> jobs, std::int64_t at_ns);
  // Says whether a host speaks. One that was not said to does not.
  void set_speaks(std::string_view host, bool speaks);
  void forget(std::string_view host);

  // Decides for the second that `now_ns` is in, unless that was done. Returns the hosts that are
  // compared with others from now on, in their order.
  std::vector<std::string> settle(std::int64_t now_ns);

  // Returns the group of the followed job that a host is compared in; empty if there is none.
  const std::string& group_of(std::string_view host) const;
  // Returns since when that has been so.
  std::int64_t since_ns(std::string_view host) const;

  // Returns what is new of followed jobs, each minute and at the end.
  std::vector<FollowedJob> take_news();

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t kAlways = std::numeric_limits<std::int64_t>::min();

  struct Coming {
    std::int64_t from_ns = 0;
    std::vector<HostJob> jobs;
  };
  struct Place {
    std::string group;  // of the followed job; empty: none
    std::int64_t since_ns = kAlways;
  };
  struct One {
    std::vector<HostJob> jobs{};
    std::vector<Coming> coming{};  // told, and not in force yet; the earliest first
    bool has_told = false;
    bool speaks = false;
    Place place{};
    Place next{};  // while it is decided
  };
  // A host of a job, in the second that is decided.
  struct Worker {
    One* host = nullptr;
    std::int64_t since_ns = 0;  // that it has the job
  };
  struct Candidate {
    std::string_view group;
    std::vector<Worker> workers{};  // that have had the job for long enough
    std::size_t speaking = 0;
    std::int64_t first_ns = kNever;
  };
  struct Followed {
    FollowedJob job;
    std::int64_t told_ns = kAlways;
    bool goes_on = false;  // in the second that is decided
  };

  void put_in_force(std::int64_t second_ns);
  std::vector<Candidate> candidates(std::int64_t second_ns);
  void follow(const Candidate& candidate, std::int64_t second_ns);
  void note_news(std::int64_t second_ns);
  void want_by(std::int64_t time_ns);

  std::map<std::string, One, std::less<>> hosts_;
  std::map<std::string, Followed, std::less<>> followed_;  // by key
  std::vector<FollowedJob> news_;
  std::int64_t due_ns_ = kNever;  // when something may be another
  std::int64_t settled_ns_ = kAlways;
};

}  // namespace reveal::peers
