#include "record/supervisor.h"

#include <cstdlib>

#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/spawn.h"

namespace reveal::record {
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

}  // namespace

Supervisor::Supervisor()
    : watched_(watched_signals()),
      original_(take_over(watched_)),
      end_(::eventfd(0, EFD_CLOEXEC)) {}

Supervisor::~Supervisor() {
  if (!thread_.joinable()) {
    forget_failed_writes();
    restore(original_);  // as if it had never been
    return;
  }
  if (child_ < 0) ::kill(::getpid(), kStopWatching);
  thread_.join();
}

base::Result<void> Supervisor::start(const std::vector<std::string>& command) {
  // First the thread: once CMD runs, nothing may fail any more. It begins when CMD is known.
  auto thread = base::start_thread("what waits for signals", [this] {
    begun_.wait(false);
    watch();
  });
  if (!thread) return base::pass(thread);
  thread_ = std::move(*thread);
  base::Result<void> done;
  if (!command.empty()) {
    const auto child = spawn(command, original_, refused_);
    if (child) {
      child_ = *child;
    } else {
      done = base::pass(child);
    }
  }
  begun_.store(true);
  begun_.notify_all();
  return done;
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

void end_as(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    // A second core file would only hide CMD's own.
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    const int signal = WTERMSIG(wait_status);
    (void)std::signal(signal, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    (void)::raise(signal);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    std::_Exit(128 + signal);
  }
  std::exit(WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : EXIT_FAILURE);
}

}  // namespace reveal::record
