#include "analyser/analyser.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bus/library.h"
#include "bus/nats_subscriber.h"
#include "bus/streams.h"
#include "ledger/ledger.h"
#include "peers/fleet.h"
#include "peers/json.h"
#include "wire/subject.h"

namespace reveal::analyser {
namespace {

using peers::kSecond_ns;
using std::chrono::milliseconds;

constexpr milliseconds kRound{100};
// At the begin all facts come before the first levels; none came for so long: there are no more.
constexpr milliseconds kQuiet{500};
// Behind the messages by more than this nobody is accused.
constexpr std::int64_t kLongestLag_ns = 3 * kSecond_ns;
// The fleet is asked for what can be judged when messages have moved on by so much.
constexpr std::int64_t kStep_ns = kSecond_ns / 20;
// How far back findings are read that may be new to the file.
constexpr std::int64_t kFindings_ns = 86'400 * kSecond_ns;
// After so long without a lag what is open is what the fleet says.
constexpr std::int64_t kSettled_ns = 30 * kSecond_ns;
constexpr std::int64_t kNoticeEvery_ns = 60 * kSecond_ns;

std::int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * kSecond_ns + now.tv_nsec;
}

// Blocks the signals that end it, in all threads that are started from now on.
class EndSignals {
 public:
  EndSignals() {
    sigemptyset(&signals_);
    for (const int signal : {SIGTERM, SIGINT}) sigaddset(&signals_, signal);
    ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }
  // Returns whether one has come.
  bool has_come() const {
    const timespec none{};
    return ::sigtimedwait(&signals_, nullptr, &none) > 0;
  }

 private:
  sigset_t signals_{};
};

struct Subscriptions {
  std::unique_ptr<bus::NatsSubscriber> facts;
  std::unique_ptr<bus::NatsSubscriber> events;
  std::unique_ptr<bus::NatsSubscriber> levels;
};

base::Result<Subscriptions> subscribe(const AnalyserOptions& options) {
  const auto make = [&](std::string_view stream, std::string subject,
                        std::optional<std::int64_t> since_ns) {
    return bus::NatsSubscriber::make(
        options.broker, {bus::stream_name(stream, options.epoch), std::move(subject), since_ns});
  };
  // Facts and dictionaries have one stream, and the last of each host.
  auto facts = make("RV_FACT", "rv1.>", std::nullopt);
  if (!facts) return base::pass(facts);
  auto events = make("RV_EV", wire::subject_of_all(wire::Type::kEvent), now_ns() - kFindings_ns);
  if (!events) return base::pass(events);
  auto levels = make("RV_LVL", wire::subject_of_all(wire::Type::kLevels), std::nullopt);
  if (!levels) return base::pass(levels);
  return Subscriptions{std::move(*facts), std::move(*events), std::move(*levels)};
}

class Analyser {
 public:
  Analyser(Subscriptions from, std::optional<ledger::Ledger> ledger, const AnalyserOutput& output)
      : from_(std::move(from)), ledger_(std::move(ledger)), output_(output) {}

  base::Result<void> run(const EndSignals& signals) {
    while (!signals.has_come()) {
      round();
      if (auto kept = tell(); !kept) return kept;
    }
    return {};
  }

 private:
  // What is refused the fleet counts.
  void take_one(const bus::Incoming& message) {
    static_cast<void>(fleet_.take({message.subject, message.payload, message.stored_ns}));
  }

  // Takes what has come. Returns how many messages there were.
  std::size_t take(bus::Subscriber& from, milliseconds patience) {
    const auto messages = from.take(patience);
    for (const auto& message : messages) take_one(message);
    return messages.size();
  }

  void take_levels() {
    const auto messages = from_.levels->take(kRound);
    for (const auto& message : messages) {
      take_one(message);
      if (message.stored_ns - advanced_ns_ >= kStep_ns) advance(message.stored_ns);
    }
    // Seconds must be over, too, when nobody speaks.
    if (messages.empty() && has_facts_) advance(now_ns());
  }

  void advance(std::int64_t to_ns) {
    if (to_ns <= advanced_ns_) return;
    advanced_ns_ = to_ns;
    const auto wall_ns = now_ns();
    const bool is_late = wall_ns - to_ns > kLongestLag_ns;
    if (is_late || on_time_since_ns_ == 0) on_time_since_ns_ = wall_ns;
    fleet_.advance(to_ns, is_late);
  }

  void round() {
    if (!has_facts_) {
      const bool is_there = from_.facts->trouble().empty();
      has_facts_ = take(*from_.facts, kQuiet) == 0 && is_there;
      if (!has_facts_) return;
    }
    take(*from_.facts, milliseconds(0));
    take(*from_.events, milliseconds(0));
    take_levels();
  }

  base::Result<void> tell() {
    notice_trouble();
    for (const auto& one : fleet_.take_standings()) notice_standing(one);
    auto news = fleet_.take_news();
    for (const auto& one : news) {
      if (one.told == peers::Told::kClosed) {
        open_.erase(one.incident.id);
      } else {
        open_.insert(one.incident.id);
      }
      if (auto told = output_.incident(one); !told) return told;
    }
    return keep(news);
  }

  base::Result<void> keep(const std::vector<peers::News>& news) {
    const auto facts = fleet_.take_facts();
    const auto events = fleet_.take_events();
    const auto standings = std::exchange(standings_, {});
    if (!ledger_) return {};
    const bool is_settling =
        !has_settled_ && on_time_since_ns_ > 0 && now_ns() - on_time_since_ns_ > kSettled_ns;
    if (news.empty() && facts.empty() && events.empty() && standings.empty() && !is_settling) {
      return {};
    }
    auto done = ledger_->begin();
    for (const auto& one : facts) {
      if (done) done = ledger_->put_facts(one.host, one.site, fleet_.group_of(one.host), one.facts);
    }
    for (const auto& one : standings) {
      if (done) done = ledger_->put_standing(one.host, to_string(one.standing));
    }
    for (const auto& one : events) {
      if (done) done = ledger_->put_event(one.host, one.event);
    }
    for (const auto& one : news) {
      if (done) done = ledger_->put_incident(one.incident, peers::json_of(one));
    }
    if (done && is_settling) {
      has_settled_ = true;
      if (const auto closed = ledger_->close_others(open_); !closed) return base::pass(closed);
    }
    return done ? ledger_->commit() : done;
  }

  void notice_trouble() {
    const auto trouble = (has_facts_ ? from_.levels : from_.facts)->trouble();
    const auto wall_ns = now_ns();
    if (trouble == trouble_ || (!trouble.empty() && wall_ns - noticed_ns_ < kNoticeEvery_ns)) {
      return;
    }
    trouble_ = trouble;
    noticed_ns_ = wall_ns;
    output_.notice(trouble.empty() ? std::string("messages come from the broker")
                                   : "no messages: " + trouble);
  }

  void notice_standing(const peers::StandingNews& news) {
    standings_.push_back(news);
    switch (news.standing) {
      case peers::Standing::kDoubled:
        output_.notice(fmt::format("two hosts have the id {} (one is called {}): neither is judged",
                                   news.host, peers::on_one_line(news.name)));
        break;
      case peers::Standing::kClockOff:
        output_.notice(fmt::format("the clock of {} is off by more than a second: it is not judged",
                                   peers::on_one_line(news.name)));
        break;
      case peers::Standing::kOtherBucket:
        output_.notice(fmt::format("{} tells other levels than those of seconds: it is not judged",
                                   peers::on_one_line(news.name)));
        break;
      default:
        break;
    }
  }

  Subscriptions from_;
  std::optional<ledger::Ledger> ledger_;
  const AnalyserOutput& output_;
  peers::Fleet fleet_;
  std::vector<peers::StandingNews> standings_;  // that the file has not yet
  std::set<std::string> open_;                  // ids of incidents
  bool has_facts_ = false;
  bool has_settled_ = false;
  std::int64_t advanced_ns_ = 0;
  std::int64_t on_time_since_ns_ = 0;
  std::string trouble_ = "?";  // that was told of last
  std::int64_t noticed_ns_ = 0;
};

}  // namespace

base::Result<void> run_analyser(const AnalyserOptions& options, const AnalyserOutput& output) {
  const EndSignals signals;
  if (const auto sound = bus::check(options.broker); !sound) return base::pass(sound);
  if (const auto library = bus::load_nats(); !library) return base::pass(library);
  std::optional<ledger::Ledger> kept;
  if (!options.database.empty()) {
    auto opened = ledger::Ledger::open(options.database);
    if (!opened) return base::pass(opened);
    kept = std::move(*opened);
  }
  if (options.makes_streams) {
    auto made = bus::make_streams(options.broker, options.epoch, options.replicas);
    if (!made) return made;
  }
  auto from = subscribe(options);
  if (!from) return base::pass(from);
  return Analyser(std::move(*from), std::move(kept), output).run(signals);
}

}  // namespace reveal::analyser
