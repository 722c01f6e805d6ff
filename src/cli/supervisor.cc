#include "cli/supervisor.h"

#include <cerrno>
#include <cstdlib>
#include <sstream>

#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/exit_status.h"

extern char** environ;

namespace reveal::cli {
namespace {

// Tells the watching thread to stop; nothing else uses this signal, and it is passed to nobody.
const int kStopWatching = SIGRTMIN;

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD}) {
    sigaddset(&set, signal);
  }
  sigaddset(&set, kStopWatching);
  return set;
}

bool ends_a_run(int signal) {
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

base::Result<pid_t> spawn(const std::vector<std::string>& command, const sigset_t& mask) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &mask);
  pid_t child = -1;
  const int error =
      posix_spawnp(&child, arguments[0], nullptr, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return base::fail_errno(error, "cannot run", command[0]);
  return child;
}

}  // namespace

Supervisor::Supervisor() : watched_(watched_signals()), end_(::eventfd(0, EFD_CLOEXEC)) {}

Supervisor::~Supervisor() {
  if (thread_.joinable()) {
    if (child_ < 0) ::kill(::getpid(), kStopWatching);
    thread_.join();
  }
}

base::Result<void> Supervisor::start(const std::vector<std::string>& command) {
  if (!end_.valid()) return base::fail_errno(errno, "cannot create an eventfd");
  // A parent that ignores SIGCHLD would make the kernel drop CMD's exit status.
  std::signal(SIGCHLD, SIG_DFL);
  // SIGPIPE too is blocked: a closed stderr must not end a recording. CMD gets the original mask.
  sigset_t blocked = watched_;
  sigaddset(&blocked, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &blocked, &original_mask_);
  if (!command.empty()) {
    const auto child = spawn(command, original_mask_);
    if (!child) {
      pthread_sigmask(SIG_SETMASK, &original_mask_, nullptr);
      return tl::make_unexpected(child.error());
    }
    child_ = *child;
  }
  thread_ = std::thread([this] { watch(); });
  return {};
}

int Supervisor::wait() {
  if (child_ < 0) return 0;
  if (thread_.joinable()) thread_.join();
  return wait_status_;
}

void Supervisor::watch() {
  for (;;) {
    siginfo_t info{};
    if (sigwaitinfo(&watched_, &info) < 0) continue;
    if (info.si_signo == kStopWatching) {
      if (info.si_pid == ::getpid()) return;
      continue;
    }
    if (handle(info)) break;
  }
  announce_end();
}

bool Supervisor::handle(const siginfo_t& info) {
  if (info.si_signo == SIGCHLD) {
    return child_ > 0 && ::waitpid(child_, &wait_status_, WNOHANG) == child_;
  }
  if (child_ < 0) {
    if (ends_a_run(info.si_signo)) announce_end();
    return false;
  }
  const bool typed = info.si_code == SI_KERNEL;
  if (!typed) ::kill(child_, info.si_signo);
  if (info.si_signo == SIGINT && ++interrupts_ == 2) announce_end();
  return false;
}

void Supervisor::announce_end() {
  const eventfd_t one = 1;
  ::eventfd_write(end_.get(), one);
}

base::Result<void> check_executable(const std::string& program) {
  const auto refuse = [&](int error) {
    return base::fail_errno(error, "cannot run", program,
                            error == ENOENT ? "is it installed, and in PATH?" : "");
  };
  const auto usable = [](const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return errno;
    if (S_ISDIR(status.st_mode)) return EISDIR;
    return ::access(path.c_str(), X_OK) == 0 ? 0 : errno;
  };
  if (program.find('/') != std::string::npos) {
    const int error = usable(program);
    if (error == 0) return {};
    return refuse(error);
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/bin:/usr/bin" : path);
  int worst = ENOENT;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const int error = usable((folder.empty() ? "." : folder) + "/" + program);
    if (error == 0) return {};
    if (error == EACCES) worst = EACCES;
  }
  return refuse(worst);
}

void end_as(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    // A second core file would only hide CMD's own.
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    const int signal = WTERMSIG(wait_status);
    std::signal(signal, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    ::raise(signal);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    std::_Exit(128 + signal);
  }
  std::exit(WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : kFailed);
}

}  // namespace reveal::cli
