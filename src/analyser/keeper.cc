#include "analyser/keeper.h"

#include <chrono>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "peers/json.h"

namespace reveal::analyser {
namespace {

constexpr std::chrono::milliseconds kFirstPause{1'000};
constexpr std::chrono::milliseconds kLongestPause{30'000};
constexpr std::int64_t kMillisecond_ns = 1'000'000;

template <typename T>
void move_behind(std::vector<T>& into, std::vector<T> from) {
  into.insert(into.end(), std::make_move_iterator(from.begin()),
              std::make_move_iterator(from.end()));
}

template <typename T>
void keep_latest(std::vector<T>& in) {
  if (in.size() <= Keeper::kMaxWaiting) return;
  in.erase(in.begin(), in.end() - static_cast<std::ptrdiff_t>(Keeper::kMaxWaiting));
}

}  // namespace

bool Learnt::is_empty() const {
  return facts.empty() && standings.empty() && events.empty() && news.empty() && !open;
}

void Learnt::append(Learnt more) {
  move_behind(facts, std::move(more.facts));
  move_behind(standings, std::move(more.standings));
  move_behind(events, std::move(more.events));
  move_behind(news, std::move(more.news));
  if (more.open) open = std::move(more.open);
}

void Learnt::bound() {
  keep_latest(facts);
  keep_latest(standings);
  keep_latest(events);
  keep_latest(news);
}

Keeper::Keeper(ledger::Ledger ledger, std::function<void(std::string_view)> tell)
    : ledger_(std::move(ledger)), tell_(std::move(tell)), backoff_(1, kFirstPause, kLongestPause) {}

std::size_t Keeper::waiting() const {
  return learnt_.facts.size() + learnt_.standings.size() + learnt_.events.size() +
         learnt_.news.size();
}

base::Result<void> Keeper::keep(Learnt more, std::int64_t steady_ns) {
  learnt_.append(std::move(more));
  if (learnt_.is_empty() || steady_ns < pause_until_ns_) {
    learnt_.bound();
    return {};
  }
  auto written = write();
  if (written) {
    if (busy_since_ns_) tell_("the file is written again");
    busy_since_ns_.reset();
    backoff_.succeeded();
    learnt_ = {};
    return {};
  }
  if (written.error().kind != base::ErrorKind::kBusy) return written;
  learnt_.bound();
  if (!busy_since_ns_) {
    busy_since_ns_ = steady_ns;
    tell_(fmt::format("the file is not written for now: {}", written.error().message()));
  }
  if (steady_ns - *busy_since_ns_ > kLongestBusy_ns) return written;
  pause_until_ns_ = steady_ns + backoff_.failed().count() * kMillisecond_ns;
  return {};
}

// All or nothing, so that it can be done again.
base::Result<void> Keeper::write() {
  auto done = ledger_.begin();
  if (!done) return done;
  done = put_all();
  if (done) done = ledger_.commit();
  if (!done) ledger_.roll_back();
  return done;
}

base::Result<void> Keeper::put_all() {
  base::Result<void> done;
  for (const auto& [told, group] : learnt_.facts) {
    if (done && told.is_new) done = ledger_.put_facts(told.host, told.site, group, told.facts);
    if (done && !told.is_new) done = ledger_.put_told(told.host, told.facts.head.time_ns);
  }
  for (const auto& one : learnt_.standings) {
    if (done) done = ledger_.put_standing(one.host, to_string(one.standing));
  }
  for (const auto& one : learnt_.events) {
    if (done) done = ledger_.put_event(one.host, one.event);
  }
  for (const auto& one : learnt_.news) {
    if (done) done = ledger_.put_incident(one.incident, peers::json_of(one));
  }
  if (!done || !learnt_.open) return done;
  if (const auto closed = ledger_.close_others(*learnt_.open); !closed) return base::pass(closed);
  return {};
}

}  // namespace reveal::analyser
