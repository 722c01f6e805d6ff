#include "cli/supervisor.h"

#include <cerrno>
#include <cstdlib>
#include <sstream>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/exit_status.h"

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

void raise_open_files(rlimit& original) {
  if (::getrlimit(RLIMIT_NOFILE, &original) != 0) return;
  const rlimit raised{original.rlim_max, original.rlim_max};
  // Refused where the kernel's own limit is lower; then the one that was there stays.
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &raised));
}

Surroundings take_over(const sigset_t& watched) {
  Surroundings original;
  raise_open_files(original.open_files);
  sigset_t blocked = watched;
  sigaddset(&blocked, SIGPIPE);
  sigaddset(&blocked, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &blocked, &original.mask);
  struct sigaction hangup {};
  ::sigaction(SIGHUP, nullptr, &hangup);
  original.hangup_ignored = hangup.sa_handler == SIG_IGN;
  // While SIGCHLD is ignored the kernel drops CMD's exit status.
  struct sigaction defaults {};
  defaults.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &defaults, &original.child);
  return original;
}

// The child's side of spawn(): turns into CMD, or tells the parent why it cannot.
[[noreturn]] void become(char* const* arguments, const Surroundings& original, int failure_fd) {
  ::setrlimit(RLIMIT_NOFILE, &original.open_files);
  ::sigaction(SIGCHLD, &original.child, nullptr);
  pthread_sigmask(SIG_SETMASK, &original.mask, nullptr);
  ::execvp(arguments[0], arguments);
  const int error = errno;
  static_cast<void>(!::write(failure_fd, &error, sizeof error));
  ::_exit(kNotFound);
}

// Returns the errno that CMD could not be executed with, or 0 once it runs: then the pipe closes.
int failure_from(int fd) {
  int error = 0;
  ssize_t count = 0;
  do count = ::read(fd, &error, sizeof error);
  while (count < 0 && errno == EINTR);
  return count == sizeof error ? error : 0;
}

// posix_spawn() cannot hand an ignored SIGCHLD on, so this is fork and exec.
base::Result<pid_t> spawn(const std::vector<std::string>& command, const Surroundings& original) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return base::fail_errno(errno, "cannot run", command[0]);
  const base::UniqueFd from_child(ends[0]);
  base::UniqueFd to_parent(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), original, to_parent.get());
  if (child < 0) return base::fail_errno(errno, "cannot run", command[0]);
  to_parent.reset();
  const int error = failure_from(from_child.get());
  if (error == 0) return child;
  ::waitpid(child, nullptr, 0);
  return base::fail_errno(error, "cannot run", command[0]);
}

}  // namespace

Supervisor::Supervisor()
    : watched_(watched_signals()),
      original_(take_over(watched_)),
      end_(::eventfd(0, EFD_CLOEXEC)) {}

Supervisor::~Supervisor() {
  if (thread_.joinable()) {
    if (child_ < 0) ::kill(::getpid(), kStopWatching);
    thread_.join();
  }
}

base::Result<void> Supervisor::start(const std::vector<std::string>& command) {
  if (!command.empty()) {
    const auto child = spawn(command, original_);
    if (!child) return tl::make_unexpected(child.error());
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
    if (ends_the_run(info.si_signo)) announce_end();
    return false;
  }
  const bool typed = info.si_code == SI_KERNEL;
  if (!typed) ::kill(child_, info.si_signo);
  if (info.si_signo == SIGINT && ++interrupts_ == 2) announce_end();
  return false;
}

bool Supervisor::ends_the_run(int signal) const {
  if (signal == SIGHUP) return !original_.hangup_ignored;
  return signal == SIGINT || signal == SIGTERM || signal == SIGQUIT;
}

void Supervisor::announce_end() {
  const eventfd_t one = 1;
  ::eventfd_write(end_.get(), one);
}

base::Result<void> check_command(const std::vector<std::string>& command) {
  if (command.empty()) return {};
  const auto& program = command.front();
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
