#include "probes/command_run.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/program.h"
#include "base/result.h"

namespace reveal::probes {
namespace {

using base::UniqueFd;

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

std::string problem_of(int status) {
  if (WIFSIGNALED(status)) return fmt::format("died of signal {}", WTERMSIG(status));
  if (WEXITSTATUS(status) == 0) return {};
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

}  // namespace

CommandRun::~CommandRun() {
  if (!is_running()) return;
  kill();
  // It is gone at once, unless the kernel holds it; then init takes it over.
  static_cast<void>(ended());
}

std::optional<CommandRun::Outcome> CommandRun::step(Clock::time_point now) {
  if (!is_running()) {
    if (now < due_) return std::nullopt;
    return start(now);
  }
  const bool fits = hear();
  if (const auto status = ended()) {
    static_cast<void>(hear());
    auto out = end_with(problem_of(*status));
    if (std::exchange(was_killed_, false)) return std::nullopt;  // its end was told
    return out;
  }
  if (was_killed_) return std::nullopt;
  if (fits && now < deadline_) return std::nullopt;
  kill();
  was_killed_ = true;
  Outcome out;
  out.problem = fits ? fmt::format("was killed: its time of {} s was up", seconds(command_.timeout))
                     : fmt::format("was killed: it said more than {} bytes", kMostBytes);
  return out;
}

// Returns an outcome if it cannot be started.
std::optional<CommandRun::Outcome> CommandRun::start(Clock::time_point now) {
  due_ = now + command_.every;
  deadline_ = now + command_.timeout;
  heard_.clear();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Outcome{{}, "there is no pipe for its output"};
  UniqueFd from(ends[0]);
  const UniqueFd to(ends[1]);
  const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const int error =
      base::start_program(command_.words, {nothing.get(), to.get(), nothing.get()}, child_);
  if (error != 0) {
    child_ = 0;
    return Outcome{{}, base::fail_errno(error, "cannot be run").value().message()};
  }
  ::fcntl(from.get(), F_SETFL, O_NONBLOCK);
  // So that it need not wait for the next step to say the rest; if not, it waits.
  ::fcntl(from.get(), F_SETPIPE_SZ, static_cast<int>(kMostBytes));
  out_ = std::move(from);
  return std::nullopt;
}

// Takes what it has said so far. Returns false if that is too much.
bool CommandRun::hear() {
  std::array<char, 65536> block{};
  while (out_.valid() && heard_.size() <= kMostBytes) {
    const auto count = ::read(out_.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count <= 0) {
      out_.reset();
    } else {
      heard_.append(block.data(), static_cast<std::size_t>(count));
    }
  }
  return heard_.size() <= kMostBytes;
}

std::optional<int> CommandRun::ended() const {
  int status = 0;
  const pid_t got = ::waitpid(child_, &status, WNOHANG);
  if (got == child_) return status;
  // Where SIGCHLD is ignored nobody learns how it ended, only that it did.
  if (got < 0 && errno == ECHILD) return 0;
  return std::nullopt;
}

CommandRun::Outcome CommandRun::end_with(std::string problem) {
  child_ = 0;
  out_.reset();
  return {std::exchange(heard_, {}), std::move(problem)};
}

// It was not waited for yet, so the group is still its own.
void CommandRun::kill() {
  ::kill(-child_, SIGKILL);
  out_.reset();
}

}  // namespace reveal::probes
