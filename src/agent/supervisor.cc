#include "agent/supervisor.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/configuration.h"
#include "agent/hourly_downsampling.h"
#include "agent/log.h"
#include "agent/restart_policy.h"
#include "agent/service_manager.h"
#include "base/new_file.h"
#include "base/unique_fd.h"
#include "collect/tick_clock.h"
#include "record/mark_queue.h"
#include "record/own_process.h"
#include "record/shared_status.h"
#include "settings/file.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using base::Result;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
// A recorder that has not ticked for so long, or for so many of its ticks, has stopped.
constexpr std::int64_t kStuck_ns = 10 * kSecond_ns;
constexpr std::int64_t kStuckTicks = 3;

Result<base::UniqueFd> claim(const Paths& paths) {
  for (const auto& folder : {paths.directory, paths.findings(), paths.state()}) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) {
      return base::fail_errno(failed.value(), "cannot make the agent's folder", folder.string(),
                              "agent.directory names another place");
    }
  }
  base::UniqueFd out(::open(paths.state().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!out.valid()) return base::fail_errno(errno, "cannot open", paths.state().string());
  if (::flock(out.get(), LOCK_EX | LOCK_NB) == 0) return out;
  return base::fail(base::ErrorKind::kBusy, "another agent works in this folder",
                    paths.directory.string(), "stop it first, or give this one another folder");
}

// The judge tells it to whoever asks.
void keep_reload_error(const Paths& paths, const std::string& why) {
  if (auto kept = base::write_new_file(paths.reload_error(), why); !kept) {
    log(Priority::kError, kept.error().message());
  }
}

void forget_reload_error(const Paths& paths) {
  std::error_code ignored;
  fs::remove(paths.reload_error(), ignored);
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

// One of the two processes.
class Part {
 public:
  explicit Part(std::string name) : name_(std::move(name)) {}

  // Sets what it is started with from now on, and the one descriptor that it inherits alone, which
  // outlives this.
  void use(std::vector<std::string> words, int own_fd) {
    words_ = std::move(words);
    own_fd_ = own_fd;
  }

  // Starts it if it does not run and it is time to.
  void keep_up(std::int64_t now) {
    if (process_ && process_->runs()) return;
    if (process_) {
      const int status = process_->wait_status();
      process_.reset();
      const bool in_order = WIFEXITED(status) && WEXITSTATUS(status) == 0;
      ended(now, ending_of(status), fmt::format("the {} {}", name_, how_it_ended(status)),
            in_order ? Priority::kNotice : Priority::kError);
    }
    if (!policy_.is_due(now)) return;
    ::fcntl(own_fd_, F_SETFD, 0);
    auto started = record::OwnProcess::start(words_, STDERR_FILENO);
    ::fcntl(own_fd_, F_SETFD, FD_CLOEXEC);
    policy_.started(now);
    if (started) {
      process_.emplace(std::move(*started));
    } else {
      ended(now, Ending::kByItself, started.error().message(), Priority::kError);
    }
  }
  // Returns in how many ns it is time to start it, at most `most`.
  std::int64_t due_in(std::int64_t now, std::int64_t most) const {
    return process_ ? most : std::clamp(policy_.due_ns() - now, std::int64_t{0}, most);
  }
  void signal(int signal) const {
    if (process_) process_->signal(signal);
  }
  // Ends it in order; it is started again at the next keep_up().
  void restart() { process_.reset(); }

 private:
  // Says why, but not each minute anew once it is clear that it goes on like that: what is wrong
  // tells the part itself.
  void ended(std::int64_t now, Ending how, const std::string& why, Priority priority) {
    const bool was_said = policy_.wait_ns() == RestartPolicy::kLongestWait_ns;
    policy_.ended(now, how);
    if (policy_.wait_ns() < RestartPolicy::kLongestWait_ns) {
      log(priority, why + "; it is started again");
    } else if (!was_said) {
      log(Priority::kError,
          fmt::format("{}, {} times on end soon after its start; from now on it is started once a "
                      "minute, and this is not said again",
                      why, policy_.early_ends()));
    }
  }

  std::string name_;
  std::vector<std::string> words_;
  int own_fd_ = -1;
  std::optional<record::OwnProcess> process_;
  RestartPolicy policy_;
};

// The signals that this process waits for instead of being interrupted by them.
sigset_t block_signals() {
  sigset_t out;
  sigemptyset(&out);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD}) {
    sigaddset(&out, signal);
  }
  ::sigprocmask(SIG_BLOCK, &out, nullptr);
  // The parts inherit this: one that does not wait for it yet must not be killed by it.
  (void)std::signal(SIGUSR1, SIG_IGN);
  return out;
}

class Supervisor {
 public:
  Supervisor(const AgentOptions& options, const settings::Settings& settings,
             HeldConfiguration configuration, record::SharedStatus status, record::MarkQueue marks)
      : options_(options),
        configuration_(std::move(configuration)),
        status_(std::move(status)),
        marks_(std::move(marks)),
        stuck_ns_(std::max(kStuck_ns, kStuckTicks * settings.record.interval_ns)) {
    const int fd = configuration_.recorder_fd();
    recorder_.use(words("agent-recorder", fd), fd);
    apply();
  }

  void run() {
    const auto signals = block_signals();
    ticked_ns_ = collect::clock_ns(CLOCK_MONOTONIC);
    for (;;) {
      const auto now = collect::clock_ns(CLOCK_MONOTONIC);
      recorder_.keep_up(now);
      judge_.keep_up(now);
      if (ready_) downsampling_.keep_up(now);
      tell(now);
      const int signal = wait_for_signal(signals, now);
      if (signal == SIGTERM || signal == SIGINT) break;
      if (signal == SIGHUP) reload();
      if (signal == SIGUSR1) judge_.signal(SIGUSR1);
    }
    manager_.tell("STOPPING=1");
    // Both at once, so that neither waits for the end of the other.
    judge_.signal(SIGTERM);
    recorder_.signal(SIGTERM);
  }

 private:
  // Waits for a second, or until it is time to start a part. Returns the signal, or a negative
  // number.
  int wait_for_signal(const sigset_t& signals, std::int64_t now) const {
    const auto wait_ns = judge_.due_in(now, recorder_.due_in(now, kSecond_ns));
    const timespec wait{.tv_sec = wait_ns / kSecond_ns, .tv_nsec = wait_ns % kSecond_ns};
    return ::sigtimedwait(&signals, nullptr, &wait);
  }

  std::vector<std::string> words(const char* role, int config_fd) const {
    std::vector<std::string> out{role,
                                 "--directory",
                                 options_.paths.directory.string(),
                                 "--proc-root",
                                 options_.root.proc,
                                 "--sys-root",
                                 options_.root.sys,
                                 "--status-fd",
                                 std::to_string(status_.fd()),
                                 "--marks-fd",
                                 std::to_string(marks_.fd()),
                                 "--config-fd",
                                 std::to_string(config_fd)};
    if (!options_.config_file.empty()) {
      out.insert(out.end(), {"--config", options_.config_file});
    }
    return out;
  }

  // Has all but the recorder use what holds now.
  void apply() {
    downsampling_.use(downsampling_words(configuration_.settings(), options_.paths));
    const int fd = configuration_.judge_fd();
    auto out = words("agent-judge", fd);
    for (const auto& key : configuration_.not_in_force()) {
      out.insert(out.end(), {"--not-in-force", key});
    }
    judge_.use(std::move(out), fd);
  }

  // Says that it is ready once a frame is stored, and that it lives as long as ticks come: a
  // recorder that is stuck is started again with all of the service.
  void tell(std::int64_t now) {
    const auto recorder = status_.read();
    if (recorder.frames != frames_) ticked_ns_ = now;
    frames_ = recorder.frames;
    if (!ready_ && frames_ > 0) {
      ready_ = true;
      manager_.tell("READY=1");
    }
    if (now - ticked_ns_ < stuck_ns_) manager_.tell("WATCHDOG=1");
    if (!ready_ || now < next_status_ns_) return;
    next_status_ns_ = now + 10 * kSecond_ns;
    manager_.tell(fmt::format("STATUS={} channels, {} ticks, {} missed{}", recorder.channels,
                              recorder.frames, recorder.missed,
                              recorder.storing ? "" : ", the disk is full"));
  }

  // The judge reads the configuration when it starts, and what is usual from the recording. The
  // recorder goes on: no tick is lost.
  void reload() {
    const auto changes = configuration_.reload(options_.config_file);
    if (!changes) {
      const auto why = changes.error().message();
      log(Priority::kError, "the configuration is not read anew: " + why);
      keep_reload_error(options_.paths, why);
      return;
    }
    forget_reload_error(options_.paths);
    log(Priority::kNotice, "the configuration is read anew; " + *changes);
    apply();
    judge_.restart();
  }

  const AgentOptions& options_;
  HeldConfiguration configuration_;
  record::SharedStatus status_;
  record::MarkQueue marks_;
  ServiceManager manager_;
  Part recorder_{"recorder"};
  Part judge_{"judge"};
  HourlyDownsampling downsampling_;
  std::int64_t stuck_ns_;
  std::int64_t ticked_ns_ = 0;
  std::int64_t next_status_ns_ = 0;
  std::uint64_t frames_ = 0;
  bool ready_ = false;
};

}  // namespace

Result<void> run_agent(const AgentOptions& options, const Configuration& start) {
  const auto lock = claim(options.paths);
  if (!lock) return base::pass(lock);
  forget_reload_error(options.paths);
  auto held = HeldConfiguration::begin(start.text, settings::name_of(options.config_file));
  if (!held) return base::pass(held);
  auto status = record::SharedStatus::create();
  if (!status) return base::pass(status);
  auto marks = record::MarkQueue::create();
  if (!marks) return base::pass(marks);
  Supervisor(options, start.settings, std::move(*held), std::move(*status), std::move(*marks))
      .run();
  return {};
}

}  // namespace reveal::agent
