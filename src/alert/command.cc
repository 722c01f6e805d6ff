#include "alert/command.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alert/lookup.h"
#include "base/program.h"
#include "base/result.h"
#include "base/sigpipe.h"
#include "base/unique_fd.h"
#include "text/safe_text.h"

namespace reveal::alert {
namespace {

using base::UniqueFd;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kAfterStop{2000};
// A killed program is gone at once, unless the kernel holds it; then it is left to itself.
constexpr milliseconds kAfterKill{2000};
// No descriptor tells on every kernel that a child has ended, and its pipes may outlive it.
constexpr milliseconds kLook{50};

struct Pipe {
  UniqueFd from;
  UniqueFd to;
};

std::optional<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// A program that runs, and its streams.
class Child {
 public:
  Child(pid_t id, UniqueFd in, UniqueFd out, std::string_view input)
      : id_(id), in_(std::move(in)), out_(std::move(out)), input_(input) {
    ::fcntl(in_.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(out_.get(), F_SETFL, O_NONBLOCK);
    if (input_.empty()) in_.reset();
  }

  // Feeds it, and hears it, until it has ended; returns its status, or nothing if the time is up.
  std::optional<int> run(Deadline deadline, const Stop& stop) {
    bool is_stopping = false;
    for (;;) {
      if (const auto status = ended()) {
        hear();
        return status;
      }
      const auto now = steady_clock::now();
      if (now >= deadline) return std::nullopt;
      const auto left = std::chrono::ceil<milliseconds>(deadline - now);
      std::array<pollfd, 3> polled = {pollfd{in_.get(), POLLOUT, 0}, pollfd{out_.get(), POLLIN, 0},
                                      pollfd{is_stopping ? -1 : stop.fd(), POLLIN, 0}};
      ::poll(polled.data(), polled.size(), static_cast<int>(std::min(left, kLook).count()));
      if (polled[0].revents != 0) feed();
      if (polled[1].revents != 0) hear();
      if (polled[2].revents == 0) continue;
      is_stopping = true;
      deadline = std::min(deadline, now + kAfterStop);
    }
  }

  // Kills it with all that it has started in its group. It was not waited for yet, so that the
  // group is still its own.
  void kill() {
    ::kill(-id_, SIGKILL);
    const Deadline deadline = steady_clock::now() + kAfterKill;
    while (!ended() && steady_clock::now() < deadline) ::poll(nullptr, 0, 10);
    hear();
  }

  std::string last_line() const {
    std::string_view text = heard_;
    while (text.ends_with('\n')) text.remove_suffix(1);
    const auto begin = text.rfind('\n');
    if (begin != std::string_view::npos) text.remove_prefix(begin + 1);
    // No column takes more than four bytes.
    return text::cut(text::inert(text), kLongestLastLine / 4);
  }

 private:
  std::optional<int> ended() const {
    int status = 0;
    const pid_t got = ::waitpid(id_, &status, WNOHANG);
    if (got == id_) return status;
    // Where SIGCHLD is ignored nobody learns how it ended, only that it did.
    if (got < 0 && errno == ECHILD) return 0;
    return std::nullopt;
  }

  void feed() {
    const auto count = ::write(in_.get(), input_.data(), input_.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    input_.remove_prefix(count < 0 ? input_.size() : static_cast<std::size_t>(count));
    if (input_.empty()) in_.reset();
  }

  // Keeps the end of what it says. One block at a time, so that no flood keeps it from the clock.
  void hear() {
    std::array<char, 65536> block{};
    const auto count = ::read(out_.get(), block.data(), block.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) return out_.reset();
    heard_.append(block.data(), static_cast<std::size_t>(count));
    constexpr std::size_t kKept = 4096;
    if (heard_.size() > kKept) heard_.erase(0, heard_.size() - kKept);
  }

  pid_t id_;
  UniqueFd in_;
  UniqueFd out_;
  std::string_view input_;  // what it has not read yet
  std::string heard_;
};

Delivery delivery_of_status(int status) {
  if (WIFSIGNALED(status)) {
    return {Outcome::kRefused, fmt::format("the command died of signal {}", WTERMSIG(status))};
  }
  if (WEXITSTATUS(status) == 0) return {};
  return {Outcome::kRefused, fmt::format("the command ended with status {}", WEXITSTATUS(status))};
}

CommandRun not_started(int error, const std::string& program) {
  const auto failure = base::fail_errno(error, "cannot run", program).value();
  return {{Outcome::kNotTaken, text::inert(failure.message())}, {}};
}

}  // namespace

CommandRun run_command(const std::vector<std::string>& words, std::string_view input,
                       milliseconds timeout, const Stop& stop,
                       const BeforeSending& before_sending) {
  const base::NoSigpipe quiet;
  auto in = make_pipe();
  auto out = make_pipe();
  if (!in || !out) return not_started(errno, words.front());
  before_sending();
  pid_t id = 0;
  const base::ProgramStreams streams{in->from.get(), out->to.get(), out->to.get()};
  const int error = base::start_program(words, streams, id);
  if (error != 0) return not_started(error, words.front());
  in->from.reset();
  out->to.reset();
  Child child(id, std::move(in->to), std::move(out->from), input);
  const auto status = child.run(steady_clock::now() + timeout, stop);
  if (!status) {
    child.kill();
    return {{Outcome::kRefused,
             fmt::format("the command was killed: its time of {} ms was up", timeout.count())},
            child.last_line()};
  }
  auto delivery = delivery_of_status(*status);
  auto last_line = child.last_line();
  if (!delivery.error.empty() && !last_line.empty()) delivery.error += ": " + last_line;
  return {std::move(delivery), std::move(last_line)};
}

}  // namespace reveal::alert
