#include "analyser/teller.h"

#include <algorithm>

#include <fmt/format.h>

#include "analyser/past_news.h"
#include "analyser/takeover.h"

namespace reveal::analyser {
namespace {

using peers::kSecond_ns;

// What came so long before the last sign of life of who judges is told.
constexpr std::int64_t kTold_ns = 5 * kSecond_ns;
// Incidents that ended so long before now may be what ended here, too.
constexpr std::int64_t kLookBack_ns = 600 * kSecond_ns;
constexpr std::int64_t kNoticeEvery_ns = 60 * kSecond_ns;
constexpr std::size_t kMaxHeldBack = 10'000;  // rounds with something new, of a group

}  // namespace

base::Result<void> Teller::round(peers::Fleet& fleet, std::vector<peers::StandingNews> standings,
                                 const Moment& moment) {
  if (auto done = follow_leases(fleet, moment); !done) return done;
  take_news(fleet, std::move(standings));
  past_.take(now_.late, fleet, moment.steady_ns);
  settle(fleet, moment);
  if (auto done = write(moment); !done) return done;
  if (desk_ != nullptr) desk_->round(fleet.incidents(), moment.time_ns);
  return judge_past(fleet, moment);
}

std::set<std::string> Teller::wanted_groups(peers::Fleet& fleet, const Moment& moment) {
  auto out = fleet.groups();
  for (const auto& one : fleet.incidents().resumed_groups()) out.insert(one);
  for (const auto& one : out) groups_[one].wanted_steady_ns = moment.steady_ns;
  std::erase_if(groups_, [&](const auto& one) {
    return moment.steady_ns - one.second.wanted_steady_ns > kGone_ns;
  });
  for (const auto& [group, judged] : groups_) out.insert(group);
  return out;
}

base::Result<void> Teller::follow_leases(peers::Fleet& fleet, const Moment& moment) {
  const auto wanted = wanted_groups(fleet, moment);
  if (leases_ == nullptr) {
    for (const auto& group : wanted) {
      auto& judged = groups_[group];
      if (!judged.is_ours) judged.since_steady_ns = moment.steady_ns;
      judged.is_ours = judged.is_sure = true;
    }
    return {};
  }
  // Who hears nothing cannot judge; then its leases are let go.
  if (moment.hears) leases_->want(wanted, !moment.is_late && moment.time_ns > 0);
  notice_trouble(moment.steady_ns);
  const auto views = leases_->view();
  for (const auto& group : wanted) {
    const auto found = views.find(group);
    auto done = follow(fleet, group, found == views.end() ? LeaseView() : found->second, moment);
    if (!done) return done;
  }
  return {};
}

base::Result<void> Teller::follow(peers::Fleet& fleet, const std::string& group,
                                  const LeaseView& view, const Moment& moment) {
  auto& judged = groups_[group];
  const auto now_ns = leases_->now_ns();
  judged.other_seen_ns = view.other_seen_ns;
  judged.is_sure = now_ns < view.sure_until_ns;
  const bool is_held = now_ns < view.held_until_ns;
  if (judged.is_ours && (!is_held || view.token != judged.token)) lose(group, judged);
  if (!judged.is_ours && judged.is_sure && view.token != judged.refused) {
    const auto taken = take_over(fleet, group, judged, view, moment);
    // While the database is busy or away nobody can say what was told; the next round tries again.
    if (!taken && (taken.error().kind == base::ErrorKind::kBusy ||
                   taken.error().kind == base::ErrorKind::kAway)) {
      return {};
    }
    if (!taken) return base::pass(taken);
  }
  notice_holder(group, judged, view);
  return {};
}

base::Result<bool> Teller::take_over(peers::Fleet& fleet, const std::string& group, Judged& judged,
                                     const LeaseView& view, const Moment& moment) {
  std::vector<peers::Incident> closed;
  for (const auto& one : judged.held_back) {
    for (const auto& news : one.learnt.news) {
      if (news.news.told == peers::Told::kClosed) closed.push_back(news.news.incident);
    }
  }
  Takeover todo;
  if (keeper_) {
    const auto told = keeper_->claim(group, leases_->self(), view.token, moment.time_ns,
                                     moment.time_ns - kLookBack_ns);
    if (!told) return base::pass(told);
    if (!*told) {
      judged.refused = view.token;
      output_.notice(
          fmt::format("{} is not judged: its lease {} is older than that in the database",
                      peers::on_one_line(group), view.token.lease));
      return false;
    }
    todo = analyser::take_over(**told, fleet.incidents().open_of(group), closed);
    if (desk_ != nullptr) desk_->take_over(**told, moment.time_ns);
  } else {
    if (desk_ != nullptr) desk_->take_over(fleet.incidents().open_of(group), moment.time_ns);
    for (auto& one : judged.held_back) {
      if (one.at_ns < judged.other_seen_ns) continue;
      for (auto& news : one.learnt.news) todo.news.push_back(news.news);
    }
  }
  judged.is_ours = true;
  judged.token = view.token;
  judged.since_steady_ns = moment.steady_ns;
  judged.has_settled = false;
  for (auto& one : judged.held_back) one.learnt.news.clear();
  release(judged);
  for (const auto& [own, told] : todo.go_on) fleet.incidents().go_on_as(own, told);
  for (const auto& id : todo.drop) fleet.incidents().drop(id);
  for (auto& one : todo.resume) fleet.incidents().resume(std::move(one));
  for (auto& one : todo.news) add_news(std::move(one));
  output_.notice(fmt::format("judges {} (lease {})", peers::on_one_line(group), view.token.lease));
  return true;
}

void Teller::lose(const std::string& group, Judged& judged) {
  judged.is_ours = false;
  judged.holder.clear();
  if (desk_ != nullptr) desk_->lose(group);
  if (keeper_) {
    HeldBack held{.at_ns = leases_->now_ns(), .learnt = {}};
    for (auto& one : keeper_->drop(group)) held.learnt.news.push_back({std::move(one), {}, false});
    if (!held.learnt.is_empty()) judged.held_back.push_front(std::move(held));
  }
  output_.notice(fmt::format("no longer judges {}: lease {} is lost", peers::on_one_line(group),
                             judged.token.lease));
}

void Teller::notice_holder(const std::string& group, Judged& judged, const LeaseView& view) {
  if (judged.is_ours || view.holder.empty() || view.holder == judged.holder) return;
  judged.holder = view.holder;
  output_.notice(fmt::format("{} is judged by {}", peers::on_one_line(group),
                             peers::on_one_line(view.holder)));
}

void Teller::notice_trouble(std::int64_t steady_ns) {
  auto trouble = leases_->trouble();
  const bool is_soon = noticed_ns_ > 0 && steady_ns - noticed_ns_ < kNoticeEvery_ns;
  if (trouble == trouble_ || (!trouble.empty() && is_soon)) return;
  trouble_ = std::move(trouble);
  noticed_ns_ = steady_ns;
  output_.notice(trouble_.empty() ? "the leases are there" : "no leases: " + trouble_);
}

// Returns where what is new of a group belongs. Hosts without a group are everybody's.
Learnt& Teller::place_of(const std::string& group) {
  const auto found = groups_.find(group);
  if (group.empty() || leases_ == nullptr) return now_;
  auto& judged = found == groups_.end() ? groups_[group] : found->second;
  if (judged.is_ours && judged.is_sure) return now_;
  const auto now_ns = leases_->now_ns();
  auto& all = judged.held_back;
  if (all.empty() || all.back().at_ns != now_ns) all.push_back({.at_ns = now_ns, .learnt = {}});
  const auto is_told = [&](const HeldBack& one) {
    return !judged.is_ours && one.at_ns < judged.other_seen_ns - kTold_ns;
  };
  while (all.size() > 1 && (is_told(all.front()) || all.size() > kMaxHeldBack)) all.pop_front();
  return all.back().learnt;
}

bool Teller::is_judged_here(std::string_view group) const {
  const auto found = groups_.find(group);
  return found != groups_.end() && found->second.is_ours && found->second.is_sure;
}

void Teller::add_news(peers::News news, bool is_unseen) {
  if (output_.seen) output_.seen(news);
  const auto group = news.incident.group;
  auto& place = place_of(group);
  const auto token = groups_[group].token;
  news.lease = token.lease;
  place.news.push_back({std::move(news), token, is_unseen});
}

void Teller::release(Judged& judged) {
  for (auto& one : judged.held_back) now_.append(std::move(one.learnt));
  judged.held_back.clear();
}

void Teller::take_news(peers::Fleet& fleet, std::vector<peers::StandingNews> standings) {
  for (auto& [group, judged] : groups_) {
    if (judged.is_ours && judged.is_sure) release(judged);
  }
  for (auto& told : fleet.take_facts()) {
    auto group = fleet.group_of(told.host);
    place_of(group).facts.push_back({std::move(told), group});
  }
  // Behind the facts: a host's group is what it was moved into last.
  for (auto& one : fleet.take_moves()) place_of(one.group).moves.push_back(std::move(one));
  for (auto& one : fleet.take_jobs()) place_of(one.group).jobs.push_back(std::move(one));
  for (auto& one : fleet.take_events()) {
    place_of(fleet.group_of(one.host)).events.push_back(std::move(one));
  }
  // They are the same whoever writes them, and are in the database once.
  now_.late = fleet.late().take_seconds();
  now_.late_dictionaries = fleet.late().take_dictionaries();
  for (auto& one : standings) {
    place_of(fleet.group_of(one.host)).standings.push_back(std::move(one));
  }
  for (auto& one : fleet.incidents().take_news()) add_news(std::move(one));
}

// What an earlier run or another analyser left open, and this one has not seen since, is over.
void Teller::settle(peers::Fleet& fleet, const Moment& moment) {
  if (!moment.on_time_since_ns) return;
  for (auto& [group, judged] : groups_) {
    const auto since_ns = std::max(judged.since_steady_ns, *moment.on_time_since_ns);
    if (!judged.is_ours || judged.has_settled || moment.steady_ns - since_ns <= kSettled_ns) {
      continue;
    }
    judged.has_settled = true;
    for (auto& one : fleet.incidents().give_up(group)) {
      one.is_open = false;
      ++one.revision;
      // If another one has told the end since, the database knows it.
      add_news({peers::Told::kClosed, std::move(one)}, /*is_unseen=*/true);
    }
    now_.settled.push_back({group, judged.token, fleet.open_incidents()});
  }
}

// What is found is written and told in the next round.
base::Result<void> Teller::judge_past(peers::Fleet& fleet, const Moment& moment) {
  if (!keeper_ || keeper_->waiting() > 0 || !moment.hears || moment.is_late) return {};
  if (!moment.on_time_since_ns || moment.steady_ns - *moment.on_time_since_ns < kKnown_ns) {
    return {};
  }
  const auto is_ours = [&](const std::string& group) { return is_judged_here(group); };
  auto done = past_.round(*keeper_, fleet, is_ours, moment.time_ns, moment.steady_ns);
  if (!done) return base::pass(done);
  if (!*done) return {};
  auto& past = **done;
  auto todo = past_news(past.told, past.found);
  for (const auto& [id, earlier] : todo.began_before) fleet.incidents().began_before(id, earlier);
  for (auto& one : todo.news) add_news(std::move(one));
  now_.gaps.push_back({past.gap, groups_[past.gap.group].token});
  return {};
}

base::Result<void> Teller::write(const Moment& moment) {
  auto learnt = std::exchange(now_, {});
  if (!keeper_) {
    std::vector<peers::News> news;
    for (auto& one : learnt.news) news.push_back(std::move(one.news));
    return tell(news, moment);
  }
  if (auto kept = keeper_->keep(std::move(learnt), moment.steady_ns); !kept) return kept;
  for (const auto& group : keeper_->take_refused()) {
    const auto found = groups_.find(group);
    if (found == groups_.end() || !found->second.is_ours) continue;
    found->second.refused = found->second.token;
    lose(group, found->second);
  }
  if (auto forgot = keeper_->forget(moment.time_ns, moment.steady_ns); !forgot) return forgot;
  return tell(keeper_->take_written(), moment);
}

base::Result<void> Teller::tell(const std::vector<peers::News>& news, const Moment& moment) {
  for (const auto& one : news) {
    if (auto told = output_.incident(one); !told) return told;
    // What was written just before its group was lost is for another one to alert.
    const auto group = groups_.find(one.incident.group);
    const bool is_ours = group != groups_.end() && group->second.is_ours;
    if (desk_ != nullptr && is_ours) desk_->take(one, moment.time_ns);
  }
  return {};
}

}  // namespace reveal::analyser
