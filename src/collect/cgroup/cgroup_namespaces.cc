#include "collect/cgroup/cgroup_namespaces.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace reveal::collect {
namespace {

using Member = CgroupNamespaces::Member;
using procfs::CgroupKind;

std::string_view path_above(std::string_view path) {
  const auto slash = path.rfind('/');
  return path.substr(0, slash == std::string_view::npos ? 0 : slash);
}

// Returns the nearest path around both, which may be one of them: "/a" of "/a/b" and "/a/c".
std::string_view around_both(std::string_view a, std::string_view b) {
  const auto is_around = [](std::string_view outer, std::string_view inner) {
    return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/');
  };
  while (!is_around(a, b)) a = path_above(a);
  return a;
}

bool sees(const std::vector<Member::Sight>& sights, std::uint64_t number) {
  return std::any_of(sights.begin(), sights.end(),
                     [&](const Member::Sight& sight) { return sight.number == number; });
}

}  // namespace

CgroupNamespaces::CgroupNamespaces(const procfs::HostRoot& root,
                                   std::vector<CgroupHierarchy> hierarchies,
                                   CgroupNamespaceLimits limits)
    : proc_(root.proc),
      limits_(limits),
      tree_(std::move(hierarchies), limits.groups),
      reader_(root) {
  before_.reserve(kPerGroup);
  namespaces_.reserve(limits.namespaces);
}

base::Result<void> CgroupNamespaces::open() {
  own_ = reader_.number_of("self");
  if (!own_) return base::fail_errno(reader_.error(), "", proc_ + "/self/ns/net");
  host_ = reader_.number_of("1");
  tree_.look(true);
  follow();
  look_at_due(followed_.size());
  assign();
  if (!namespaces_.empty() || !refused_) return {};
  return base::fail(base::ErrorKind::kPermission, "the kernel refuses it for other processes",
                    proc_ + "/PID/ns/net",
                    "give it CAP_SYS_PTRACE, which root has unless it was dropped");
}

void CgroupNamespaces::read() {
  tree_.look();
  if (tree_.version() != version_) follow();
  for (auto& one : namespaces_) one.counts.reset();
  look_at_due(limits_.looks);
  look_in_turn(limits_.looks);
  if (changed_) assign();
  if (read_counters()) return;
  look_at_due(limits_.looks);
  if (changed_) assign();
  read_counters();
}

void CgroupNamespaces::follow() {
  version_ = tree_.version();
  changed_ = true;
  followed_.clear();
  forget_gone();
  for (const CgroupNode* node : tree_.followed()) {
    Member& member = member_of(*node);
    member.due = member.due || member.places != node->places;
    member.places = node->places;
    followed_.push_back(&member);
  }
}

// Namespaces name members, until assign().
void CgroupNamespaces::forget_gone() {
  for (auto& one : namespaces_) one.owner = one.first = nullptr;
  for (auto it = members_.begin(); it != members_.end();) {
    if (tree_.follows(it->first)) {
      ++it;
      continue;
    }
    names_.release(it->second.instance);
    it = members_.erase(it);
  }
}

Member& CgroupNamespaces::member_of(const CgroupNode& node) {
  if (const auto it = members_.find(node.path); it != members_.end()) return it->second;
  Member& member = members_[node.path];
  member.path = node.path;
  member.instance = names_.instance_of(node.path);
  member.kind = node.kind;
  member.sights.reserve(kPerGroup);
  return member;
}

void CgroupNamespaces::look_at_due(std::size_t most) {
  for (Member* member : followed_) {
    if (!member->due) continue;
    if (most-- == 0) return;
    look(*member);
  }
}

void CgroupNamespaces::look_in_turn(std::size_t most) {
  const std::size_t count = followed_.size();
  if (count == 0) return;
  next_ %= count;
  const std::size_t first = next_;
  for (std::size_t i = 0; i < std::min(most, count); ++i) look(*followed_[(first + i) % count]);
  next_ = first + std::min(most, count);
}

void CgroupNamespaces::look(Member& member) {
  member.due = false;
  member.sights.swap(before_);
  member.sights.clear();
  for (const auto pid : processes_.find(member.path, member.kind, member.places)) {
    sight(member, pid);
  }
  if (!processes_.complete()) {
    // Of many processes others are asked than before. A namespace does not end by that.
    for (const auto& known : before_) {
      const bool is_asked = sees(member.sights, known.number);
      // Another process may have that number by now, in another group.
      if (!is_asked && reader_.number_of(known.pid) == known.number) sight(member, known.pid);
    }
  }
  changed_ = changed_ || member.sights != before_;
}

void CgroupNamespaces::sight(Member& member, std::uint32_t pid) {
  const auto number = reader_.number_of(pid);
  refused_ = refused_ || reader_.error() == EACCES || reader_.error() == EPERM;
  if (!number || number == own_ || number == host_) return;
  if (member.sights.size() < kPerGroup && !sees(member.sights, *number)) {
    member.sights.push_back({*number, pid});
  }
}

// Returns whether none was lost. Groups of those that were are due for another look.
bool CgroupNamespaces::read_counters() {
  bool all = true;
  for (auto& one : namespaces_) {
    if (!one.counts) one.counts = reader_.read(one.pid, one.number);
    if (one.counts) continue;
    mark_due(one.number);
    all = false;
  }
  return all;
}

void CgroupNamespaces::mark_due(std::uint64_t number) {
  for (Member* member : followed_) member->due = member->due || sees(member->sights, number);
}

void CgroupNamespaces::assign() {
  changed_ = false;
  overflows_ = false;
  std::erase_if(namespaces_, [&](const Namespace& one) { return !is_seen(one.number); });
  for (auto& one : namespaces_) one.first = nullptr;
  for (const Member* member : followed_) {
    for (const auto& sight : member->sights) {
      Namespace* one = find_or_add(sight.number);
      if (one == nullptr) continue;
      const Member& lives = pod_of(*member);
      if (one->first == nullptr) {
        one->first = &lives;
        one->around = lives.path;
        one->pid = sight.pid;
      } else {
        one->around = around_both(one->around, lives.path);
      }
    }
  }
  for (auto& one : namespaces_) choose_owner(one);
}

bool CgroupNamespaces::is_seen(std::uint64_t number) const {
  return std::any_of(followed_.begin(), followed_.end(),
                     [&](const Member* member) { return sees(member->sights, number); });
}

CgroupNamespaces::Namespace* CgroupNamespaces::find_or_add(std::uint64_t number) {
  const auto it = std::find_if(namespaces_.begin(), namespaces_.end(),
                               [&](const Namespace& one) { return one.number == number; });
  if (it != namespaces_.end()) return &*it;
  if (namespaces_.size() >= limits_.namespaces) {
    overflows_ = true;
    return nullptr;
  }
  Namespace one;
  one.number = number;
  one.serial = ++serials_;
  namespaces_.push_back(one);
  return &namespaces_.back();
}

void CgroupNamespaces::choose_owner(Namespace& one) const {
  one.owner = one.first;
  if (one.around == one.first->path) return;
  for (auto path = one.around; !path.empty(); path = path_above(path)) {
    const Member* member = followed(path);
    if (member == nullptr || member->kind == CgroupKind::kGroup) continue;
    one.owner = member;
    return;
  }
}

// Returns nothing if the group of that path is not followed now.
const Member* CgroupNamespaces::followed(std::string_view path) const {
  const auto it = members_.find(path);
  return it != members_.end() ? &it->second : nullptr;
}

const Member& CgroupNamespaces::pod_of(const Member& member) const {
  for (std::string_view path = member.path; !path.empty(); path = path_above(path)) {
    const Member* around = followed(path);
    if (around != nullptr && around->kind == CgroupKind::kPod) return *around;
  }
  return member;
}

}  // namespace reveal::collect
