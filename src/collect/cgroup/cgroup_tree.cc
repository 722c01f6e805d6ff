#include "collect/cgroup/cgroup_tree.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <limits>

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>

namespace reveal::collect {
namespace {

using procfs::CgroupKind;

std::int64_t now_ns() {
  ::timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

// The kernel's own files begin so. A tree that was damaged or captured badly may have folders in
// their places, and no group is named so.
bool is_interface_file(std::string_view name) {
  static constexpr std::string_view kPrefixes[] = {"cgroup.",  "cpu.",  "cpuacct.", "cpuset.",
                                                   "memory.",  "io.",   "blkio.",   "pids.",
                                                   "hugetlb.", "rdma.", "misc.",    "irq."};
  return std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

int rank_of(CgroupKind kind) {
  switch (kind) {
    case CgroupKind::kContainer:
    case CgroupKind::kJob:
    case CgroupKind::kJobStep:
      return 0;
    case CgroupKind::kPod:
      return 1;
    case CgroupKind::kOther:
      return 2;
    case CgroupKind::kService:
    case CgroupKind::kScope:
      return 3;
    case CgroupKind::kGroup:
      return 4;
    case CgroupKind::kInside:
      break;
  }
  return 5;
}

// Returns whether containers, steps and the like are yet to be made in such a group.
bool gets_children(CgroupKind kind) {
  return kind == CgroupKind::kGroup || kind == CgroupKind::kPod || kind == CgroupKind::kJob;
}

// Of equals, those followed already stay, and then the older ones come first.
bool goes_before(const CgroupNode* a, const CgroupNode* b) {
  const int rank_a = rank_of(a->kind);
  const int rank_b = rank_of(b->kind);
  if (rank_a != rank_b) return rank_a < rank_b;
  if (a->followed != b->followed) return a->followed;
  return a->order < b->order;
}

PlaceSet bit(std::size_t hierarchy) {
  return static_cast<PlaceSet>(1U << hierarchy);
}

}  // namespace

CgroupTree::CgroupTree(std::vector<CgroupHierarchy> hierarchies, CgroupLimits limits)
    : hierarchies_(std::move(hierarchies)), limits_(limits) {
  nodes_.emplace("", Node{});
  nodes_.begin()->second.kind = CgroupKind::kGroup;
  if (limits_.watches > 0 && limits_.rescan > std::chrono::nanoseconds::zero()) {
    inotify_.reset(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  }
}

void CgroupTree::look(bool whole) {
  const bool stirred = drain_watches();
  if (!passing_ && (stirred || whole || is_due())) start_pass();
  std::size_t budget = whole ? std::numeric_limits<std::size_t>::max() : limits_.looks;
  while (passing_ && budget > 0) {
    if (!folder_fd_.valid() && !enter_next()) {
      finish_pass();
    } else {
      read_folder(budget);
    }
  }
}

bool CgroupTree::follows(std::string_view path) const {
  const auto it = nodes_.find(path);
  return it != nodes_.end() && it->second.followed;
}

// A top that is not watched was gone when it was last looked for, and may be back.
bool CgroupTree::is_due() {
  const auto& root = nodes_.find("")->second;
  const bool top_is_lost = inotify_.valid() && root.watched != bit(hierarchies_.size()) - 1;
  return top_is_lost || now_ns() >= next_pass_ns_;
}

void CgroupTree::start_pass() {
  next_pass_ns_ = now_ns() + limits_.rescan.count();
  passing_ = true;
  unknown_ = 0;
  for (auto& [path, node] : nodes_) node.seen = 0;
  Node& root = nodes_.find("")->second;
  for (std::size_t i = hierarchies_.size(); i > 0; --i) pending_.push_back({i - 1, &root});
}

bool CgroupTree::enter_next() {
  while (!pending_.empty()) {
    current_ = pending_.back();
    pending_.pop_back();
    const std::string_view path = path_of(current_);
    folder_fd_.reset(::open(path.data(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    buffer_at_ = buffer_end_ = 0;
    ++looked_;
    if (!folder_fd_.valid()) continue;
    watch(current_);
    return true;
  }
  return false;
}

bool CgroupTree::fill_buffer() {
  const auto got = ::getdents64(folder_fd_.get(), buffer_.data(), buffer_.size());
  buffer_at_ = 0;
  buffer_end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
  return got > 0;
}

void CgroupTree::read_folder(std::size_t& budget) {
  while (budget > 0) {
    if (buffer_at_ >= buffer_end_ && !fill_buffer()) {
      folder_fd_.reset();
      --budget;
      return;
    }
    const auto* entry = reinterpret_cast<const ::dirent64*>(buffer_.data() + buffer_at_);
    buffer_at_ += entry->d_reclen;
    const std::string_view name = entry->d_name;
    const bool folder = entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
    if (!folder || name == "." || name == ".." || is_interface_file(name)) continue;
    --budget;
    meet(name);
  }
}

void CgroupTree::meet(std::string_view name) {
  ++looked_;
  const std::uint64_t links = links_of(name);
  if (links == 0) return;
  Node* node = find_or_add(*current_.node, name);
  if (node == nullptr) {
    ++unknown_;
    return;
  }
  node->seen = static_cast<PlaceSet>(node->seen | bit(current_.hierarchy));
  // A folder of control groups has two links and one for each child, so most need not be opened.
  // Where links are counted otherwise (a tree on some other file system) there may be children.
  const Folder folder{current_.hierarchy, node};
  if (links != 2 && node->depth < limits_.depth) pending_.push_back(folder);
  if (links == 2 && gets_children(node->kind)) watch(folder);
}

// Returns 0 for what is not a folder.
std::uint64_t CgroupTree::links_of(std::string_view name) const {
  struct ::stat status {};
  if (::fstatat(folder_fd_.get(), name.data(), &status, AT_SYMLINK_NOFOLLOW) != 0) return 0;
  return S_ISDIR(status.st_mode) ? status.st_nlink : 0;
}

CgroupTree::Node* CgroupTree::find_or_add(const Node& parent, std::string_view name) {
  scratch_.assign(parent.path).append("/").append(name);
  if (const auto it = nodes_.find(scratch_); it != nodes_.end()) return &it->second;
  if (nodes_.size() > limits_.known) return nullptr;
  Node node;
  node.path = scratch_;
  node.kind = procfs::identify_cgroup(hierarchies_[current_.hierarchy].above + scratch_).kind;
  node.order = ++appeared_;
  node.depth = parent.depth + 1;
  return &nodes_.emplace(scratch_, std::move(node)).first->second;
}

void CgroupTree::finish_pass() {
  passing_ = false;
  ++passes_;
  erase_gone();
  found_ = nodes_.size() - 1 + unknown_;
  if (changed_) choose();
  changed_ = false;
}

void CgroupTree::erase_gone() {
  for (auto it = nodes_.begin(); it != nodes_.end();) {
    Node& node = it->second;
    changed_ = changed_ || node.places != node.seen;
    node.places = node.seen;
    it = node.seen == 0 && !node.path.empty() ? nodes_.erase(it) : std::next(it);
  }
}

void CgroupTree::choose() {
  followed_.clear();
  for (auto& [path, node] : nodes_) {
    if (!path.empty() && node.kind != CgroupKind::kInside) followed_.push_back(&node);
    if (node.kind == CgroupKind::kInside) node.followed = false;
  }
  std::sort(followed_.begin(), followed_.end(), goes_before);
  overflows_ = followed_.size() > limits_.followed;
  if (overflows_) followed_.resize(limits_.followed);
  for (auto& [path, node] : nodes_) node.followed = false;
  for (const auto* node : followed_) nodes_.find(node->path)->second.followed = true;
  ++version_;
}

std::string_view CgroupTree::path_of(const Folder& folder) {
  return scratch_.assign(hierarchies_[folder.hierarchy].point).append(folder.node->path);
}

void CgroupTree::watch(const Folder& folder) {
  if (!inotify_.valid() || (folder.node->watched & bit(folder.hierarchy)) != 0) return;
  if (watches_ >= limits_.watches) return;
  constexpr std::uint32_t kEvents =
      IN_CREATE | IN_DELETE | IN_MOVE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
  if (::inotify_add_watch(inotify_.get(), path_of(folder).data(), kEvents) < 0) {
    if (errno == ENOSPC || errno == ENOMEM) inotify_.reset();  // the passes must do
    return;
  }
  ++watches_;
  folder.node->watched = static_cast<PlaceSet>(folder.node->watched | bit(folder.hierarchy));
}

// Returns whether groups came or went. A watch that ended has lost its folder, and which one is not
// worth knowing: all are set anew by the next pass, which costs nothing if one still stands.
bool CgroupTree::drain_watches() {
  bool stirred = false;
  alignas(::inotify_event) std::array<char, 4096> events{};
  for (int rounds = 0; inotify_.valid() && rounds < 16; ++rounds) {
    const auto got = ::read(inotify_.get(), events.data(), events.size());
    if (got <= 0) break;
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      const auto* event = reinterpret_cast<const ::inotify_event*>(events.data() + at);
      at += sizeof(::inotify_event) + event->len;
      stirred = stirred || (event->mask & (IN_ISDIR | IN_IGNORED | IN_Q_OVERFLOW)) != 0;
      if ((event->mask & IN_IGNORED) == 0) continue;
      watches_ = 0;
      for (auto& [path, node] : nodes_) node.watched = 0;
    }
  }
  return stirred;
}

}  // namespace reveal::collect
