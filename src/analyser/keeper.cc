#include "analyser/keeper.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "peers/json.h"

namespace reveal::analyser {
namespace {

constexpr std::chrono::milliseconds kFirstPause{1'000};
constexpr std::chrono::milliseconds kLongestPause{10'000};
constexpr std::int64_t kMillisecond_ns = 1'000'000;
constexpr std::int64_t kNoticeEvery_ns = 60 * peers::kSecond_ns;
constexpr std::int64_t kForgetEvery_ns = 3'600 * peers::kSecond_ns;
constexpr std::int64_t kForgetMore_ns = peers::kSecond_ns;

template <typename T>
void move_behind(std::vector<T>& into, std::vector<T> from) {
  into.insert(into.end(), std::make_move_iterator(from.begin()),
              std::make_move_iterator(from.end()));
}

template <typename T>
std::span<const T> first_of(const std::vector<T>& all) {
  return std::span(all).first(std::min(all.size(), Keeper::kMaxAtOnce));
}

template <typename T>
void drop_first(std::vector<T>& of) {
  of.erase(of.begin(),
           of.begin() + static_cast<std::ptrdiff_t>(std::min(of.size(), Keeper::kMaxAtOnce)));
}

bool may_pass(const base::Error& error) {
  return error.kind == base::ErrorKind::kBusy || error.kind == base::ErrorKind::kAway;
}

template <typename T>
void keep_latest(std::vector<T>& in) {
  if (in.size() <= Keeper::kMaxWaiting) return;
  in.erase(in.begin(), in.end() - static_cast<std::ptrdiff_t>(Keeper::kMaxWaiting));
}

// One that cannot be read is left out.
std::vector<peers::Incident> read_all(const std::vector<std::string>& details) {
  std::vector<peers::Incident> out;
  for (const auto& detail : details) {
    if (auto incident = peers::read_incident(detail)) out.push_back(std::move(*incident));
  }
  return out;
}

}  // namespace

bool Learnt::is_empty() const {
  return facts.empty() && standings.empty() && moves.empty() && jobs.empty() && events.empty() &&
         news.empty() && settled.empty() && gaps.empty() && late.empty() &&
         late_dictionaries.empty();
}

void Learnt::append(Learnt more) {
  move_behind(facts, std::move(more.facts));
  move_behind(standings, std::move(more.standings));
  move_behind(moves, std::move(more.moves));
  move_behind(jobs, std::move(more.jobs));
  move_behind(events, std::move(more.events));
  move_behind(news, std::move(more.news));
  move_behind(settled, std::move(more.settled));
  move_behind(gaps, std::move(more.gaps));
  move_behind(late, std::move(more.late));
  move_behind(late_dictionaries, std::move(more.late_dictionaries));
}

void Learnt::bound() {
  keep_latest(facts);
  keep_latest(standings);
  keep_latest(moves);
  keep_latest(jobs);
  keep_latest(events);
  keep_latest(news);
  keep_latest(settled);
  keep_latest(gaps);
  keep_latest(late);
  keep_latest(late_dictionaries);
}

Keeper::Keeper(ledger::Ledger ledger, std::function<void(std::string_view)> tell,
               std::int64_t keep_ns)
    : ledger_(std::move(ledger)),
      tell_(std::move(tell)),
      backoff_(1, kFirstPause, kLongestPause),
      keep_ns_(keep_ns) {}

std::size_t Keeper::waiting() const {
  return learnt_.facts.size() + learnt_.standings.size() + learnt_.events.size() +
         learnt_.news.size() + learnt_.late.size();
}

base::Result<void> Keeper::keep(Learnt more, std::int64_t steady_ns) {
  learnt_.append(std::move(more));
  if (learnt_.is_empty() || steady_ns < pause_until_ns_) {
    learnt_.bound();
    return {};
  }
  const auto written = write();
  if (!written) return wait(written.error(), steady_ns);
  if (std::exchange(is_waiting_, false)) tell_("the database is written again");
  busy_since_ns_.reset();
  backoff_.succeeded();
  drop_written();
  move_behind(written_, std::exchange(putting_, {}));
  return {};
}

base::Result<void> Keeper::wait(const base::Error& error, std::int64_t steady_ns) {
  if (!may_pass(error)) return base::Unexpected(error);
  learnt_.bound();
  if (error.kind == base::ErrorKind::kAway) {
    busy_since_ns_.reset();
  } else if (!busy_since_ns_) {
    busy_since_ns_ = steady_ns;
  }
  if (busy_since_ns_ && steady_ns - *busy_since_ns_ > kLongestBusy_ns) {
    return base::Unexpected(error);
  }
  const bool is_news = !learnt_.news.empty() && !has_noticed_news_;
  if (!is_waiting_ || is_news || steady_ns - noticed_ns_ >= kNoticeEvery_ns) {
    const bool is_one = learnt_.news.size() == 1;
    tell_(
        fmt::format("the database is not written for now, and {} {} of incidents {} to be told: {}",
                    learnt_.news.size(), is_one ? "change" : "changes", is_one ? "waits" : "wait",
                    error.message()));
    is_waiting_ = true;
    has_noticed_news_ = !learnt_.news.empty();
    noticed_ns_ = steady_ns;
  }
  pause_until_ns_ = steady_ns + backoff_.failed().count() * kMillisecond_ns;
  return {};
}

// All or nothing, so that it can be done again.
base::Result<void> Keeper::write() {
  auto done = ledger_.begin();
  if (!done) return done;
  putting_.clear();
  done = put_all();
  if (!done) {
    ledger_.roll_back();
    return done;
  }
  done = ledger_.commit();
  if (done) {
    uncertain_.clear();
    return done;
  }
  ledger_.roll_back();
  for (const auto& one : putting_) uncertain_.insert({one.incident.id, one.incident.revision});
  return done;
}

// Standings and moves are those of hosts that are there, and so come behind all facts.
base::Result<void> Keeper::put_all() {
  base::Result<void> done;
  for (const auto& [told, group] : first_of(learnt_.facts)) {
    if (done && told.is_new) done = ledger_.put_facts(told.host, told.site, group, told.facts);
    if (done && !told.is_new) done = ledger_.put_told(told.host, told.facts.head.time_ns);
  }
  if (learnt_.facts.size() <= kMaxAtOnce) {
    for (const auto& one : learnt_.standings) {
      if (done) done = ledger_.put_standing(one.host, to_string(one.standing));
    }
    for (const auto& one : learnt_.moves) {
      if (done) done = ledger_.put_group(one.host, one.group);
    }
  }
  for (const auto& one : learnt_.jobs) {
    if (done) done = ledger_.put_job(one);
  }
  for (const auto& one : first_of(learnt_.events)) {
    if (done) done = ledger_.put_event(one.host, one.event);
  }
  if (done) done = ledger_.put_late_dictionaries(first_of(learnt_.late_dictionaries));
  if (done) done = ledger_.put_late_seconds(first_of(learnt_.late));
  return done ? put_news() : done;
}

// Forgets what put_all() has put.
void Keeper::drop_written() {
  if (learnt_.facts.size() <= kMaxAtOnce) {
    learnt_.standings.clear();
    learnt_.moves.clear();
  }
  learnt_.jobs.clear();
  drop_first(learnt_.facts);
  drop_first(learnt_.events);
  drop_first(learnt_.late_dictionaries);
  drop_first(learnt_.late);
  learnt_.news.clear();
  learnt_.settled.clear();
  learnt_.gaps.clear();
}

base::Result<void> Keeper::put_news() {
  for (const auto& [news, token, is_unseen] : learnt_.news) {
    const auto put = ledger_.put_incident(news.incident, peers::json_of(news), token);
    if (!put) return base::pass(put);
    if (is_unseen && *put == ledger::Put::kWritten) {
      if (auto done = ledger_.put_unseen(news.incident.id); !done) return done;
    }
    const bool was_written = *put == ledger::Put::kOurs &&
                             uncertain_.contains({news.incident.id, news.incident.revision});
    if (*put == ledger::Put::kWritten || was_written) putting_.push_back(news);
    if (*put == ledger::Put::kRefused) refused_.insert(news.incident.group);
  }
  for (const auto& one : learnt_.settled) {
    const auto closed = ledger_.close_others(one.group, one.open, one.token);
    if (!closed) return base::pass(closed);
  }
  // In one transaction with what was found in them.
  for (const auto& [gap, token] : learnt_.gaps) {
    if (auto done = ledger_.put_gap(gap, token); !done) return done;
  }
  return {};
}

base::Result<void> Keeper::forget(std::int64_t time_ns, std::int64_t steady_ns) {
  if (keep_ns_ == 0 || time_ns <= keep_ns_ || steady_ns < forget_at_ns_ || !learnt_.is_empty()) {
    return {};
  }
  auto begun = ledger_.begin();
  const auto late_ns = std::min(keep_ns_, kLateKept_ns);
  const auto more =
      begun ? ledger_.forget(time_ns - keep_ns_, time_ns - late_ns) : base::pass(begun);
  if (more) begun = ledger_.commit();
  if (!more || !begun) ledger_.roll_back();
  forget_at_ns_ = steady_ns + (more && *more ? kForgetMore_ns : kForgetEvery_ns);
  if (!more && !may_pass(more.error())) return base::pass(more);
  return begun || may_pass(begun.error()) ? base::Result<void>() : begun;
}

std::vector<peers::News> Keeper::drop(std::string_view group) {
  std::vector<peers::News> out;
  const auto is_of_it = [&](const auto& one) { return one.news.incident.group == group; };
  for (const auto& one : learnt_.news) {
    if (is_of_it(one)) out.push_back(one.news);
  }
  std::erase_if(learnt_.news, is_of_it);
  std::erase_if(learnt_.settled, [&](const auto& one) { return one.group == group; });
  std::erase_if(learnt_.gaps, [&](const auto& one) { return one.gap.group == group; });
  return out;
}

base::Result<std::optional<std::vector<peers::Incident>>> Keeper::claim(std::string_view group,
                                                                        std::string_view holder,
                                                                        ledger::Token token,
                                                                        std::int64_t time_ns,
                                                                        std::int64_t since_ns) {
  if (const auto begun = ledger_.begin(); !begun) return base::pass(begun);
  const auto claimed = ledger_.claim(group, holder, token, time_ns);
  const auto details = ledger_.incidents_since(group, since_ns);
  const auto done = claimed && details ? ledger_.commit() : base::Result<void>();
  if (!claimed || !details || !done) ledger_.roll_back();
  if (!claimed) return base::pass(claimed);
  if (!details) return base::pass(details);
  if (!done) return base::pass(done);
  if (!*claimed) return std::optional<std::vector<peers::Incident>>();
  return std::optional(read_all(*details));
}

base::Result<std::vector<peers::Incident>> Keeper::incidents_since(std::string_view group,
                                                                   std::int64_t since_ns) {
  const auto details = ledger_.incidents_since(group, since_ns);
  if (!details) return base::pass(details);
  return read_all(*details);
}

}  // namespace reveal::analyser
