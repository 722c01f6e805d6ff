// The present state: which alerts are open, which ended lately, and what each receiver is to be
// told of them. There is no queue besides: what a receiver has not been told yet follows from the
// state, so a receiver that comes back after an hour gets what is true now, not an hour of history.
//
//   hold         an alert must be open for this long before anybody is told (0 s)
//   keep-firing  an alert that comes back within this time goes on, with its old begin (30 s);
//                while nobody can look, the time stands still
//   resend       receivers of state get what is open again after this time; it expires there after
//                four times as long (30 s), so that a late resend does not flap
//   history      what ended longer ago is not told as new (15 min)
//
// Labels. An alert keeps those that it had when a receiver could first be told of it, whatever is
// stated of the same id later: they are what receivers know it by. Its severity alone may rise.
// Several ids with the same labels are one alert, and it keeps its labels for each of them.
//
// Events. An open alert is told once, however old it is; a higher severity once; its end once, and
// only to those who were told that it is open. take() notes an event as told *before* it is sent,
// and withdraw() takes that back if the receiver surely did not get it. So a program that is killed
// in between, after the note is on the disk, loses that event and tells nobody twice.
//
// At most kMostEpisodes alerts and kMostBytes of text are kept, whatever the receivers do. The
// oldest ended one goes first, and is counted for each receiver that was not told of it.
//
// Time is an argument (wall time), so that tests need no clock. If the clock is set back, no
// stretch of time is longer than it was before. For one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alert/alert.h"
#include "alert/episode.h"
#include "alert/event.h"

namespace reveal::alert {

// Of all alerts together, open and ended.
inline constexpr std::size_t kMostEpisodes = 1000;
inline constexpr std::size_t kMostBytes = std::size_t{1} << 20;
// A longer text of a finding is left out: the alert itself counts more.
inline constexpr std::size_t kLongestFinding = std::size_t{64} << 10;
// What ended is told to receivers of state for this long, should one of the sends be lost.
inline constexpr std::chrono::minutes kResolvedFor{5};
inline constexpr std::chrono::minutes kHistory{15};
// So many resends may fail before an open alert expires at a receiver of state.
inline constexpr int kResendsPerEnd = 4;

// What the board knows of a receiver.
struct Subscription {
  std::string name;                     // unique
  bool events = true;                   // otherwise state
  Severity least = Severity::kWarning;  // of lower severities it is told nothing
};

struct BoardOptions {
  std::chrono::nanoseconds hold{0};
  std::chrono::nanoseconds keep_firing = std::chrono::seconds(30);
  std::chrono::nanoseconds resend = std::chrono::seconds(30);
};

class Board {
 public:
  Board(BoardOptions options, std::vector<Subscription> receivers);

  // States all alerts that are open now, and perhaps some that ended lately (with their end).
  // Several with one identity are one alert, with the earliest begin and the text of the most
  // severe, and one that a receiver may know by its id has the labels of then. To be called about
  // each second: only that lets time pass.
  void update(std::span<const Alert> alerts, std::int64_t now_ns);

  // Forgets all that is made of such ids, as another program tells of it from now on: nobody is
  // told anything more of it here.
  void let_go(std::span<const std::string> ids);

  // States that nobody can tell now which alerts are open, such as while a baseline is learned. All
  // stay as they are.
  void unknown(std::int64_t now_ns);

  // Returns the time of the last update() or unknown().
  std::int64_t now_ns() const { return now_ns_; }

  // --- of receivers of events
  // Returns whether there is an event for the receiver.
  bool has_event(const std::string& receiver) const;
  // Returns how many alerts the receiver was not told all of.
  std::size_t waiting(const std::string& receiver) const;
  // Returns the oldest event that the receiver was not told of.
  std::optional<Event> next(const std::string& receiver) const;
  // Notes that the receiver was told of that event.
  void note(const std::string& receiver, const Event& event);
  // Takes that note back.
  void withdraw(const std::string& receiver, const Event& event);
  // Returns how many alerts went without the receiver having been told of them or of their end.
  std::uint64_t dropped(const std::string& receiver) const;

  // --- of receivers of state
  // Returns what the receiver is to be sent now; empty if nothing is due.
  std::vector<Posting> due(const std::string& receiver) const;
  // Notes that the receiver has accepted that.
  void posted(const std::string& receiver, std::span<const Posting> postings);

  // Returns the number of open alerts that receivers may be told of.
  std::size_t firing() const;
  // Returns how many alerts were not taken because kMostEpisodes were open.
  std::uint64_t left_out() const { return left_out_; }

  const std::vector<Episode>& episodes() const { return episodes_; }
  // Puts the alerts of an earlier program in the place of all that is here. For one that it saw
  // open keep-firing begins with the next step, as nobody looked meanwhile. For one that it missed
  // already the time goes on, so that restarts do not put off the end for ever.
  void restore(std::vector<Episode> episodes);
  // Returns a number that is another one whenever what a restart must know has changed.
  std::uint64_t version() const { return version_; }

 private:
  const Subscription* subscription(const std::string& receiver) const;
  Episode* newest(const std::string& identity);
  void note_known(Episode& episode) const;
  bool may_be_known(const Episode& episode) const;
  Alert as_first_told(const Alert& alert) const;
  void note_id(const Alert& alert);
  bool is_firing(const std::string& identity, Severity severity) const;
  std::int64_t begin_step(std::int64_t now_ns);
  void see_open(const Alert& alert);
  void see_ended(const Alert& alert);
  Episode* add(const Alert& alert, std::int64_t last_open_ns);
  void settle(Episode& episode, bool seen);
  void close(Episode& episode);
  void forget_history();
  void keep_within_limits();
  void count_dropped(const Episode& episode);
  struct Pending {
    EventKind kind;
    std::int64_t at_ns;
  };
  std::optional<Pending> pending(const Subscription& receiver, const Episode& episode) const;
  void add_postings(const Subscription& receiver, const Episode& episode,
                    std::vector<Posting>& out) const;

  BoardOptions options_;
  std::vector<Subscription> receivers_;
  std::vector<Episode> episodes_;  // by the time of their first sight
  std::map<std::string, std::uint64_t> dropped_;
  std::int64_t now_ns_ = 0;
  bool restored_ = false;  // and no update() since
  std::uint64_t left_out_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace reveal::alert
