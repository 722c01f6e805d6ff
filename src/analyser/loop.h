// What an analyser does over and over: takes what the broker has, has it judged, tells and keeps
// what is new.
//
// Knows neither the broker nor the clock of this machine as a time: subscribers and a steady clock
// are given to it, and the time is that of the broker (StreamClock). Not thread-safe.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyser/alert_desk.h"
#include "analyser/analyser.h"
#include "analyser/keeper.h"
#include "analyser/lag_watch.h"
#include "analyser/leases.h"
#include "analyser/stream_clock.h"
#include "analyser/teller.h"
#include "base/result.h"
#include "bus/subscriber.h"
#include "http/histogram.h"
#include "peers/fleet.h"

namespace reveal::analyser {

class Loop {
 public:
  struct Subscribers {
    std::unique_ptr<bus::Subscriber> facts;  // with the dictionaries
    std::unique_ptr<bus::Subscriber> events;
    std::unique_ptr<bus::Subscriber> levels;
    std::unique_ptr<bus::Subscriber> late{};  // levels; null: nobody keeps them
  };
  // Returns ns of a clock that is never set.
  using SteadyClock = std::function<std::int64_t()>;

  // Levels are read once all facts were that the broker had, or after this.
  static constexpr std::int64_t kLongestFacts_ns = 30'000'000'000;
  // Ranges of judged_after_s(). Hosts tell a second within the next one.
  static constexpr std::array kJudgedAfter_s{0.5, 1.0, 1.5, 2.0, 3.0, 5.0};

  // `leases` says which groups are told of here; null: all. `desk` gets what is to be alerted;
  // null: nobody is alerted. Both must live as long.
  Loop(Subscribers from, std::optional<Keeper> keeper, AnalyserOutput output, SteadyClock clock,
       Leases* leases = nullptr, AlertDesk* desk = nullptr)
      : from_(std::move(from)),
        output_(std::move(output)),
        clock_(std::move(clock)),
        teller_(leases, std::move(keeper), output_, desk),
        judged_after_s_(kJudgedAfter_s) {}
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Takes over incidents that are open in the file, before the first round.
  void resume(std::vector<peers::Incident> open) { fleet_.resume(std::move(open)); }

  // Does it once, in some 100 ms if nothing comes. Fails if what is to be told or kept cannot be.
  base::Result<void> round();

  const peers::Fleet& fleet() const { return fleet_; }
  peers::Fleet& fleet() { return fleet_; }

  // How it is now.
  struct Situation {
    bool has_facts = false;    // those that the broker had, of all hosts
    std::string trouble;       // why no messages come; empty: they can
    bool is_late = false;      // behind them
    std::int64_t time_ns = 0;  // of the broker; 0: no levels have come
  };
  Situation situation() const;
  // Returns how many seconds after a host's second it was judged, once for each second of each host
  // since this program had caught up with the broker for the first time.
  const http::Histogram& judged_after_s() const { return judged_after_s_; }
  // Returns whether this analyser tells the incidents of a group.
  bool is_judged_here(std::string_view group) const { return teller_.is_judged_here(group); }
  // Returns how many things wait to be written to the database.
  std::size_t waiting() const { return teller_.waiting(); }

 private:
  std::vector<bus::Incoming> take(bus::Subscriber& from, std::chrono::milliseconds patience);
  bool has_all_facts();
  void take_levels();
  void take_late();
  void advance(std::int64_t to_ns);
  void time_judged();
  base::Result<void> tell();
  void notice_trouble();
  void notice_trouble_of_late();
  void notice_refused();
  void notice_standing(const peers::StandingNews& news);

  Subscribers from_;
  AnalyserOutput output_;
  SteadyClock clock_;
  Teller teller_;
  peers::Fleet fleet_;
  StreamClock stream_;
  LagWatch lag_;
  std::vector<peers::StandingNews> standings_;  // that the file has not yet
  bool has_facts_ = false;
  std::optional<std::int64_t> facts_since_ns_;
  std::int64_t advanced_ns_ = 0;
  std::optional<std::int64_t> on_time_since_ns_;
  bool has_caught_up_ = false;
  http::Histogram judged_after_s_;
  std::string trouble_ = "?";  // that was told of last
  std::int64_t noticed_ns_ = 0;
  std::string late_trouble_;
  std::int64_t late_noticed_ns_ = 0;
  std::uint64_t refused_ = 0;  // that were told of
  std::int64_t refused_ns_ = 0;
};

}  // namespace reveal::analyser
