// A control group of the running kernel, and a child that works in it. Needs root and a hierarchy
// that may be written. Only tests include this.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "collect/cgroup/cgroup_hierarchies.h"

namespace reveal::collect {

inline double live_seconds(const ::timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// One new group in the hierarchy that has a controller; "" is version 2.
class LiveGroup {
 public:
  explicit LiveGroup(std::string_view controller) {
    const auto hierarchies = find_cgroup_hierarchies({});
    if (!hierarchies) return;
    for (const auto& one : *hierarchies) {
      if (controller.empty() ? one.unified : one.has(controller)) point_ = one.point;
    }
    std::error_code error;
    made_ = !point_.empty() && std::filesystem::create_directory(path(), error) && !error;
    made_ = made_ && write("cgroup.procs", "");
  }
  ~LiveGroup() { remove(); }
  LiveGroup(const LiveGroup&) = delete;
  LiveGroup& operator=(const LiveGroup&) = delete;

  bool made() const { return made_; }
  void remove() {
    if (made_) ::rmdir(path().c_str());
    made_ = false;
  }
  static std::string name() { return fmt::format("reveal_test_{}", ::getpid()); }
  static std::string instance() { return "cg=/" + name(); }
  std::filesystem::path path() const { return std::filesystem::path(point_) / name_; }
  bool has(const std::string& file) const { return std::filesystem::exists(path() / file); }
  // Returns what the kernel says behind a key of cpu.stat.
  std::uint64_t number_of(std::string_view key) const {
    std::ifstream in(path() / "cpu.stat");
    std::string word;
    std::uint64_t number = 0;
    while (in >> word >> number) {
      if (word == key) return number;
    }
    return 0;
  }
  // Returns the number that a file holds.
  std::uint64_t number_in(std::string_view file) const {
    std::ifstream in(path() / file);
    std::uint64_t number = 0;
    in >> number;
    return number;
  }
  // Returns whether the kernel took the text; of an empty one whether it would take any.
  bool write(const std::string& file, std::string_view text) const {
    const base::UniqueFd to(::open((path() / file).c_str(), O_WRONLY | O_CLOEXEC));
    if (!to.valid() || text.empty()) return to.valid();
    return ::write(to.get(), text.data(), text.size()) == static_cast<::ssize_t>(text.size());
  }

 private:
  std::string point_;
  std::string name_ = name();
  bool made_ = false;
};

// A child that enters the group before it does its work, and waits to be ended after it.
class Child {
 public:
  Child(const LiveGroup& group, const std::function<void()>& work) {
    if (::pipe2(done_, O_CLOEXEC) != 0 || ::pipe2(end_, O_CLOEXEC) != 0) return;
    pid_ = ::fork();
    if (pid_ != 0) return;
    const bool entered = group.write("cgroup.procs", "0");
    if (entered) work();
    char byte = entered ? 'y' : 'n';
    if (::write(done_[1], &byte, 1) != 1) ::_exit(1);
    ::close(end_[1]);
    if (::read(end_[0], &byte, 1) < 0) ::_exit(1);
    ::_exit(0);
  }
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Returns whether it entered the group, when its work is done.
  bool wait_for_work() const {
    char byte = 'n';
    return ::read(done_[0], &byte, 1) == 1 && byte == 'y';
  }
  ::pid_t pid() const { return pid_; }
  // Returns the CPU time that the child took in all.
  double end() {
    if (pid_ <= 0) return 0;
    ::close(end_[1]);
    ::rusage usage{};
    int status = 0;
    ::wait4(pid_, &status, 0, &usage);
    for (const int fd : {done_[0], done_[1], end_[0]}) ::close(fd);
    pid_ = -1;
    return live_seconds(usage.ru_utime) + live_seconds(usage.ru_stime);
  }

 private:
  int done_[2]{-1, -1};
  int end_[2]{-1, -1};
  ::pid_t pid_ = -1;
};

}  // namespace reveal::collect
