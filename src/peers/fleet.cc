#include "peers/fleet.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "wire/subject.h"

namespace reveal::peers {
namespace {

// Kinds of keys, the better first.
constexpr std::array<std::string_view, 2> kKeys{"role=", "hw="};
constexpr std::string_view kCluster = "cluster";
// Silence and doubles are looked for so often.
constexpr std::int64_t kWatchEvery_ns = kSecond_ns;
// An incident of which no second was judged for so long is over.
constexpr std::int64_t kLongestSilence_ns = 60 * kSecond_ns;
// What waits to be fetched, if nobody does.
constexpr std::size_t kMaxWaiting = 100'000;

std::string plain_key(const wire::Facts& facts) {
  for (const auto kind : kKeys) {
    for (const auto& group : facts.groups) {
      if (group.starts_with(kind)) return group;
    }
  }
  if (!facts.groups.empty()) return facts.groups.front();
  return fmt::format("hw={} {} processors", facts.machine, facts.cpus_online);
}

template <typename T>
void keep(std::vector<T>& in, T one) {
  if (in.size() < kMaxWaiting) in.push_back(std::move(one));
}

}  // namespace

std::string group_key(const wire::Facts& facts) {
  const auto cluster =
      std::ranges::find(facts.labels, kCluster, [](const auto& label) { return label.first; });
  const auto key = plain_key(facts);
  return cluster == facts.labels.end() ? key : cluster->second + "/" + key;
}

base::Result<void> Fleet::take(const Delivery& message) {
  ++counts_.messages;
  const auto sender = wire::sender_of(message.subject);
  if (!sender) {
    ++counts_.refused;
    return base::pass(sender);
  }
  auto* entry = entry_of(sender->host, sender->site);
  if (entry == nullptr) {
    ++counts_.refused;
    return {};
  }
  auto taken = dispatch(*entry, sender->type, message);
  if (!taken) ++counts_.refused;
  return taken;
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

Fleet::Entry* Fleet::entry_of(const std::string& id, const std::string& site) {
  const auto known = hosts_.find(id);
  if (known != hosts_.end()) return &known->second;
  if (hosts_.size() == limits_.hosts) return nullptr;
  auto& entry = hosts_[id];
  entry.host = std::make_unique<Host>(id, site);
  entry.since_ns = watched_ns_;
  return &entry;
}

base::Result<void> Fleet::take_levels(Entry& entry, const Delivery& message) {
  const auto second = entry.host->take_levels(message.payload, message.stored_ns);
  if (!second) return base::pass(second);
  if (*second && entry.group != nullptr &&
      entry.host->standing(message.stored_ns) == Standing::kCompared) {
    entry.group->hear(**second);
  }
  return {};
}

base::Result<void> Fleet::take_facts(Entry& entry, const Delivery& message) {
  auto facts = wire::read_facts(message.payload);
  if (!facts) return base::pass(facts);
  keep(facts_, {entry.host->id(), entry.host->site(), *facts});
  entry.host->take_facts(std::move(*facts));
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
  const auto key = group_key(*entry.host->facts());
  if (entry.group != nullptr && entry.group->key() == key) return;
  leave(entry);
  auto& group = groups_[key];
  if (!group) group = std::make_unique<Group>(key);
  group->add(*entry.host);
  entry.group = group.get();
}

void Fleet::leave(Entry& entry) {
  if (entry.group == nullptr) return;
  auto* group = std::exchange(entry.group, nullptr);
  group->remove(*entry.host);
  if (!group->is_empty()) return;
  book_.close(group->key());
  groups_.erase(groups_.find(group->key()));
}

void Fleet::advance(std::int64_t now_ns, bool is_late) {
  for (const auto& [key, group] : groups_) {
    while (const auto judgment = group->judge(now_ns, is_late)) {
      ++counts_.judged;
      if (!judgment->is_certain) ++counts_.uncertain;
      book_.take(*group, *judgment);
    }
  }
  if (now_ns - watched_ns_ < kWatchEvery_ns) return;
  watched_ns_ = now_ns;
  watch_standings(now_ns);
}

void Fleet::watch_standings(std::int64_t now_ns) {
  for (auto it = hosts_.begin(); it != hosts_.end();) {
    auto& entry = it->second;
    if (entry.since_ns == 0) entry.since_ns = now_ns;
    // The broker has facts of hosts, too, that are silent since long before.
    const auto heard_ns = entry.host->heard_ns();
    const auto standing = entry.host->standing(now_ns);
    if (heard_ns > 0 && std::exchange(entry.standing, standing) != standing) {
      keep(standings_, {entry.host->id(), entry.host->name(), standing});
    }
    if (now_ns - std::max(heard_ns, entry.since_ns) > limits_.forget_ns) {
      leave(entry);
      it = hosts_.erase(it);
    } else {
      ++it;
    }
  }
  book_.close_before(now_ns - kLongestSilence_ns);
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

const Host* Fleet::find(std::string_view id) const {
  const auto found = hosts_.find(id);
  return found == hosts_.end() ? nullptr : found->second.host.get();
}

std::string Fleet::group_of(std::string_view id) const {
  const auto found = hosts_.find(id);
  return found == hosts_.end() || found->second.group == nullptr ? std::string()
                                                                 : found->second.group->key();
}

}  // namespace reveal::peers
