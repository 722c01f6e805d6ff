// The control groups that have ended, by path, so that one that comes back is known: what it counts
// does not go on from before. A bounded number of them; once there were more, any that comes may
// have been one.
#pragma once

#include <cstddef>
#include <set>
#include <string>

namespace reveal::collect {

class EndedGroups {
 public:
  static constexpr std::size_t kMost = 4096;

  void add(const std::string& path) {
    if (paths_.size() >= kMost) {
      paths_.clear();
      forgot_ = true;
    }
    paths_.insert(path);
  }

  // Returns whether the group that comes has, or may have, ended before.
  bool take(const std::string& path) { return paths_.erase(path) > 0 || forgot_; }

 private:
  std::set<std::string> paths_;
  bool forgot_ = false;
};

}  // namespace reveal::collect
