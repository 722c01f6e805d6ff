#include "base/program.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <spawn.h>
#include <unistd.h>

#include "base/spawn_attributes.h"

namespace reveal::base {
namespace {

// Variables that are about Reveal's own process.
constexpr std::array<std::string_view, 7> kOwnVariables = {
    "NOTIFY_SOCKET=", "WATCHDOG_PID=",   "WATCHDOG_USEC=",        "LISTEN_FDS=",
    "LISTEN_PID=",    "LISTEN_FDNAMES=", "CREDENTIALS_DIRECTORY="};

bool is_own(std::string_view variable) {
  return std::any_of(kOwnVariables.begin(), kOwnVariables.end(),
                     [&](std::string_view name) { return variable.starts_with(name); });
}

std::vector<char*> environment() {
  std::vector<char*> out;
  for (char** each = ::environ; each != nullptr && *each != nullptr; ++each) {
    if (!is_own(*each)) out.push_back(*each);
  }
  out.push_back(nullptr);
  return out;
}

// What posix_spawn() is told of the child.
class SpawnPlan {
 public:
  explicit SpawnPlan(const ProgramStreams& streams) {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_adddup2(&files_, streams.in, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&files_, streams.out, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files_, streams.error, STDERR_FILENO);
    ::posix_spawn_file_actions_addchdir_np(&files_, "/");
  }
  ~SpawnPlan() { ::posix_spawn_file_actions_destroy(&files_); }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  int spawn(const std::vector<std::string>& words, pid_t& child) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    auto variables = environment();
    return ::posix_spawnp(&child, arguments[0], &files_, attributes_.get(), arguments.data(),
                          variables.data());
  }

 private:
  posix_spawn_file_actions_t files_{};
  SpawnAttributes attributes_;
};

}  // namespace

int start_program(const std::vector<std::string>& words, const ProgramStreams& streams,
                  pid_t& child) {
  return SpawnPlan(streams).spawn(words, child);
}

}  // namespace reveal::base
