#include "peers/fleet.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "peers/job_name.h"

namespace reveal::peers {
namespace {

// Silence and doubles are looked for so often.
constexpr std::int64_t kWatchEvery_ns = kSecond_ns;
// If the time goes on by more at once, there were no messages: that is no silence of hosts.
constexpr std::int64_t kLongestStep_ns = 5 * kSecond_ns;
// What waits to be fetched, if nobody does.
constexpr std::size_t kMaxWaiting = 100'000;

template <typename T>
void keep(std::vector<T>& in, T one) {
  if (in.size() < kMaxWaiting) in.push_back(std::move(one));
}

}  // namespace

base::Result<void> Fleet::take(const Delivery& message) {
  ++counts_.messages;
  const auto sender = wire::sender_of(message.subject);
  auto taken = sender ? take_of(*sender, message) : base::pass(sender);
  if (taken) return taken;
  ++counts_.refused;
  last_refused_ = fmt::format("{}: {}", message.subject, taken.error().message());
  return taken;
}

base::Result<void> Fleet::take_of(const wire::Sender& sender, const Delivery& message) {
  if (sender.is_late) return late_.take(sender, message.payload, message.stored_ns, meanings_);
  const auto known = hosts_.find(sender.host);
  if (known == hosts_.end()) return take_of_new(sender, message);
  auto taken = dispatch(known->second, sender.type, message);
  if (taken) known->second.spoke_ns = lived_ns_;
  return taken;
}

// Only a sound message makes a host known.
base::Result<void> Fleet::take_of_new(const wire::Sender& sender, const Delivery& message) {
  auto replaced = hosts_.end();
  if (hosts_.size() >= limits_.hosts) {
    replaced = find_replaceable();
    if (replaced == hosts_.end()) {
      return base::fail(base::ErrorKind::kUsage, fmt::format("beyond {} hosts", limits_.hosts));
    }
  }
  Entry fresh{.host = std::make_unique<Host>(sender.host, sender.site), .spoke_ns = lived_ns_};
  if (auto taken = dispatch(fresh, sender.type, message); !taken) return taken;
  if (replaced != hosts_.end()) {
    leave(replaced->second);
    jobs_.forget(replaced->first);
    hosts_.erase(replaced);
  }
  hosts_.emplace(sender.host, std::move(fresh));
  return {};
}

// Looks at all hosts, so at most once a second.
Fleet::Entries::iterator Fleet::find_replaceable() {
  if (lived_ns_ - looked_ns_ < kSecond_ns) return hosts_.end();
  looked_ns_ = lived_ns_;
  const auto oldest =
      std::ranges::min_element(hosts_, {}, [](const auto& one) { return one.second.spoke_ns; });
  if (oldest == hosts_.end()) return oldest;
  return lived_ns_ - oldest->second.spoke_ns > limits_.leave_ns ? oldest : hosts_.end();
}

base::Result<void> Fleet::dispatch(Entry& entry, wire::Type type, const Delivery& message) {
  switch (type) {
    case wire::Type::kLevels:
      return take_levels(entry, message);
    case wire::Type::kEvent:
      return take_event(entry, message);
    case wire::Type::kFacts:
      return take_facts(entry, message);
    case wire::Type::kDictionary:
      break;
  }
  return take_meaning(entry, message);
}

base::Result<void> Fleet::take_levels(Entry& entry, const Delivery& message) {
  const auto second = entry.host->take_levels(message.payload, message.stored_ns);
  if (!second) return base::pass(second);
  set_speaks(entry, true);
  // It was silent for long, and is back.
  if (entry.group == nullptr && entry.host->facts()) place(entry);
  if (*second && entry.group != nullptr &&
      entry.host->standing(message.stored_ns) == Standing::kCompared) {
    entry.group->hear(**second);
  }
  return {};
}

base::Result<void> Fleet::take_facts(Entry& entry, const Delivery& message) {
  auto facts = wire::read_facts(message.payload);
  if (!facts) return base::pass(facts);
  ToldFacts told{entry.host->id(), entry.host->site(), *facts};
  told.is_new = entry.host->take_facts(std::move(*facts));
  keep(facts_, std::move(told));
  jobs_.take(entry.host->id(), jobs_in(*entry.host->facts(), message.stored_ns), message.stored_ns);
  place(entry);
  return {};
}

base::Result<void> Fleet::take_meaning(Entry& entry, const Delivery& message) {
  auto meaning = meanings_.take(message.payload);
  if (!meaning) return base::pass(meaning);
  entry.host->take_meaning(std::move(*meaning));
  return {};
}

base::Result<void> Fleet::take_event(Entry& entry, const Delivery& message) {
  auto event = wire::read_event(message.payload);
  if (!event) return base::pass(event);
  if (entry.host->take_event(*event)) keep(events_, {entry.host->id(), std::move(*event)});
  return {};
}

void Fleet::place(Entry& entry) {
  const auto& job = jobs_.group_of(entry.host->id());
  const auto key = job.empty() ? group_key(*entry.host->facts()) : job;
  if (entry.group != nullptr && entry.group->key() == key) return;
  if (!job.empty()) keep_learnt(entry);
  leave(entry);
  auto& group = groups_[key];
  if (!group) {
    group = std::make_unique<Group>(key);
    group->set_usual(book_.usual_of_all(key));
    if (most_kept_bytes_ > 0) group->keep_levels();
  }
  group->add(*entry.host, book_.usual_of(key, entry.host->id()), take_learnt(entry, key));
  entry.group = group.get();
}

// Of a job nothing is kept: with the next one all is another.
void Fleet::keep_learnt(Entry& entry) {
  if (entry.group == nullptr || job_of_group(entry.group->key())) return;
  entry.learnt = {.group = entry.group->key(),
                  .known = entry.group->known_of(*entry.host),
                  .left_ns = lived_ns_};
}

KnownHost Fleet::take_learnt(Entry& entry, std::string_view group) {
  if (job_of_group(group) || !entry.learnt) return {};
  auto learnt = std::move(*std::exchange(entry.learnt, std::nullopt));
  const bool is_old = lived_ns_ - learnt.left_ns > limits_.leave_ns;
  return is_old || learnt.group != group ? KnownHost() : std::move(learnt.known);
}

void Fleet::leave(Entry& entry) {
  if (entry.group == nullptr) return;
  auto* group = std::exchange(entry.group, nullptr);
  group->remove(*entry.host);
  if (!group->is_empty()) return;
  book_.close(group->key());
  groups_.erase(groups_.find(group->key()));
}

void Fleet::settle_jobs(std::int64_t now_ns) {
  for (const auto& host : jobs_.settle(now_ns)) {
    auto& entry = hosts_.find(host)->second;
    // One that left is placed when it is back.
    if (entry.group == nullptr) continue;
    place(entry);
    keep(moves_, {host, entry.group->key()});
  }
}

void Fleet::set_speaks(Entry& entry, bool speaks) {
  if (std::exchange(entry.speaks, speaks) != speaks) jobs_.set_speaks(entry.host->id(), speaks);
}

void Fleet::advance(std::int64_t now_ns, bool is_late) {
  settle_jobs(now_ns);
  for (const auto& [key, group] : groups_) {
    while (const auto judgment = group->judge(now_ns, is_late)) {
      ++counts_.judged;
      if (!judgment->is_certain) ++counts_.uncertain;
      keep(judged_, {judgment->begin_ns + kSecond_ns, judgment->hosts});
      book_.take(*group, *judgment);
      group->keep_second(judgment->begin_ns);
    }
  }
  if (now_ns - watched_ns_ < kWatchEvery_ns) return;
  const auto step_ns = std::min(now_ns - std::exchange(watched_ns_, now_ns), kLongestStep_ns);
  lived_ns_ += step_ns;
  watch_hosts(now_ns);
  bound_kept();
  book_.pass(step_ns);
}

void Fleet::keep_levels(std::size_t most_bytes) {
  most_kept_bytes_ = most_bytes;
  for (const auto& [key, group] : groups_) group->keep_levels();
}

void Fleet::bound_kept() {
  kept_bytes_ = 0;
  for (const auto& [key, group] : groups_) {
    if (group->kept() != nullptr) kept_bytes_ += group->kept()->bytes();
  }
  if (kept_bytes_ <= most_kept_bytes_) return;
  for (const auto& [key, group] : groups_) {
    if (group->kept() != nullptr) group->kept()->forget_block();
  }
}

bool Fleet::ask_levels(std::string_view group, std::string_view quantity) {
  const auto found = groups_.find(group);
  return found != groups_.end() && found->second->ask_levels(quantity);
}

void Fleet::watch_hosts(std::int64_t now_ns) {
  standing_counts_.fill(0);
  for (auto it = hosts_.begin(); it != hosts_.end();) {
    auto& entry = it->second;
    // The broker has facts of hosts, too, that are silent since long before.
    const auto standing = entry.host->standing(now_ns);
    ++standing_counts_.at(static_cast<std::size_t>(standing));
    if (entry.host->heard_ns() > 0 && std::exchange(entry.standing, standing) != standing) {
      keep(standings_, {entry.host->id(), entry.host->name(), standing, entry.host->other_name()});
    }
    const auto silent_ns = lived_ns_ - entry.spoke_ns;
    if (silent_ns > kSpeaksWithin_ns) set_speaks(entry, false);
    if (silent_ns > limits_.leave_ns) leave(entry);
    const bool is_forgotten = silent_ns > limits_.forget_ns;
    if (is_forgotten) jobs_.forget(it->first);
    it = is_forgotten ? hosts_.erase(it) : std::next(it);
  }
}

void Fleet::resume(std::vector<Incident> open) {
  for (auto& incident : open) book_.resume(std::move(incident));
}

std::vector<StandingNews> Fleet::take_standings() {
  return std::exchange(standings_, {});
}

std::vector<ToldFacts> Fleet::take_facts() {
  return std::exchange(facts_, {});
}

std::vector<ToldEvent> Fleet::take_events() {
  return std::exchange(events_, {});
}

std::vector<JudgedSecond> Fleet::take_judged() {
  return std::exchange(judged_, {});
}

std::vector<Move> Fleet::take_moves() {
  return std::exchange(moves_, {});
}

const Host* Fleet::find(std::string_view id) const {
  const auto found = hosts_.find(id);
  return found == hosts_.end() ? nullptr : found->second.host.get();
}

std::set<std::string> Fleet::groups() const {
  std::set<std::string> out;
  for (const auto& [key, group] : groups_) out.insert(out.end(), key);
  return out;
}

const Group* Fleet::find_group(std::string_view key) const {
  const auto found = groups_.find(key);
  return found == groups_.end() ? nullptr : found->second.get();
}

std::string Fleet::group_of(std::string_view id) const {
  const auto found = hosts_.find(id);
  return found == hosts_.end() || found->second.group == nullptr ? std::string()
                                                                 : found->second.group->key();
}

}  // namespace reveal::peers
