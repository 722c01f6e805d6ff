#include "record/own_process.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace reveal::record {
namespace {

constexpr std::chrono::milliseconds kPoll{5};

// The child's side. Signals that its parent blocks or waits for are as usual again.
[[noreturn]] void become(char* const* arguments, int output_fd, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(EXIT_FAILURE);
  ::setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output_fd, STDOUT_FILENO);
  ::dup2(output_fd, STDERR_FILENO);
  ::execv("/proc/self/exe", arguments);
  ::_exit(EXIT_FAILURE);
}

}  // namespace

base::Result<OwnProcess> OwnProcess::start(const std::vector<std::string>& words, int output_fd) {
  std::vector<std::string> copy{"reveal"};
  copy.insert(copy.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  arguments.reserve(copy.size() + 1);
  for (auto& word : copy) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), output_fd, parent);
  if (child < 0) return base::fail_errno(errno, "cannot start a process");
  return OwnProcess(child);
}

OwnProcess::~OwnProcess() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + kEndsWithin;
  while (runs() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(kPoll);
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool OwnProcess::runs() {
  if (pid_ >= 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = -1;
  return pid_ >= 0;
}

void OwnProcess::signal(int signal) const {
  if (pid_ >= 0) ::kill(pid_, signal);
}

}  // namespace reveal::record
