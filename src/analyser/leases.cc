#include "analyser/leases.h"

#include <utility>

#include <fmt/format.h>

#include "base/fnv.h"

namespace reveal::analyser {
namespace {

// An entry's value is who holds it and, for people who look at the bucket, the group.
std::string value_of(const std::string& holder, const std::string& group) {
  return holder + "\n" + group;
}

std::string holder_of(const std::string& value) {
  return value.substr(0, value.find('\n'));
}

}  // namespace

std::string lease_key(std::string_view group) {
  return fmt::format("{:016x}", base::fnv1a(group));
}

Leases::Leases(std::unique_ptr<bus::LeaseBucket> bucket, std::string self, Clock clock)
    : bucket_(std::move(bucket)), self_(std::move(self)), clock_(std::move(clock)) {}

void Leases::want(const std::set<std::string>& groups, bool may_take) {
  const std::lock_guard lock(mutex_);
  if (wanted_ != groups) wanted_ = groups;
  may_take_ = may_take;
  wanted_ns_ = clock_();
}

LeaseViews Leases::view() const {
  const std::lock_guard lock(mutex_);
  return views_;
}

std::string Leases::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

bool Leases::may_hold(const Lease& lease, std::int64_t now_ns) const {
  const std::lock_guard lock(mutex_);
  if (now_ns - wanted_ns_ > kLongestStill_ns) return false;
  return may_take_ || lease.standing(now_ns) != Lease::Standing::kNot;
}

void Leases::round() {
  std::set<std::string> wanted;
  {
    const std::lock_guard lock(mutex_);
    wanted = wanted_;
  }
  for (const auto& group : wanted) leases_.try_emplace(group, self_);
  for (auto it = leases_.begin(); it != leases_.end();) {
    // A group that is no more: its lease runs out.
    if (!wanted.contains(it->first)) {
      forget(it->first);
      it = leases_.erase(it);
      continue;
    }
    attend(it->first, it->second);
    publish(it->first, it->second);
    ++it;
  }
}

void Leases::attend(const std::string& group, Lease& lease) {
  const auto key = lease_key(group);
  auto now_ns = clock_();
  auto act = lease.due(now_ns, may_hold(lease, now_ns));
  if (act == Lease::Act::kLook) {
    if (!look(key, lease)) return;
    now_ns = clock_();
    act = lease.due(now_ns, may_hold(lease, now_ns));
  }
  if (act == Lease::Act::kTake || act == Lease::Act::kRenew) write(key, group, lease);
}

bool Leases::look(const std::string& key, Lease& lease) {
  auto entry = bucket_->look(key);
  if (!entry) {
    said_ = entry.error().message();
    return false;
  }
  said_.clear();
  std::optional<Lease::Seen> seen;
  if (*entry) seen = Lease::Seen{holder_of((*entry)->value), (*entry)->revision};
  lease.saw(seen, clock_());
  return true;
}

bool Leases::write(const std::string& key, const std::string& group, Lease& lease) {
  const auto sent_ns = clock_();
  const bool is_taken_anew = lease.standing(sent_ns) == Lease::Standing::kNot;
  if (is_taken_anew || era_ == 0) {
    const auto made_ns = bucket_->made_ns();
    if (!made_ns) return false;
    era_ = *made_ns;
  }
  const auto revision = bucket_->write(key, value_of(self_, group), lease.last());
  if (revision) {
    lease.wrote(*revision, sent_ns);
  } else {
    lease.failed(sent_ns);
  }
  return revision.has_value();
}

void Leases::publish(const std::string& group, const Lease& lease) {
  const std::lock_guard lock(mutex_);
  views_[group] = {.token = {era_, static_cast<std::int64_t>(lease.token())},
                   .sure_until_ns = lease.sure_until_ns(),
                   .held_until_ns = lease.held_until_ns(),
                   .holder = lease.holder(),
                   .other_seen_ns = lease.other_seen_ns()};
  trouble_ = said_;
}

void Leases::forget(const std::string& group) {
  const std::lock_guard lock(mutex_);
  views_.erase(group);
}

void Leases::give_back() {
  for (auto& [group, lease] : leases_) {
    if (lease.standing(clock_()) == Lease::Standing::kNot) continue;
    // If that fails it runs out. A deletion would be that of another's lease, too.
    static_cast<void>(bucket_->write(lease_key(group), value_of("", group), lease.last()));
    lease.gave_back();
    publish(group, lease);
  }
}

}  // namespace reveal::analyser
