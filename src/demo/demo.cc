#include "demo/demo.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include "demo/process.h"
#include "text/streams.h"
#include "text/time_text.h"

namespace reveal::demo {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr auto kLook = 50ms;  // how often it is asked whether a process has ended
// Nothing of a disturbance is left this long after it should have ended.
constexpr unsigned kGrace_s = 5;
constexpr double kNs = 1e-9;

std::int64_t wall_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

int shell_status(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int become(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  static_cast<void>(std::signal(SIGINT, SIG_DFL));
  ::execv("/proc/self/exe", arguments.data());
  return 127;
}

int disturb(const Plan& plan, const Prepared& prepared) {
  name_process("demo-neighbor");
  ::alarm(static_cast<unsigned>(plan.length.count()) + kGrace_s);
  const auto done = plan.disturbance->disturb(prepared, plan.length);
  if (done) return 0;
  text::tell(done.error().message());
  return 1;
}

// Whether a process has ended, within so long; then `status` has how.
bool ended_within(pid_t process, milliseconds patience, int& status) {
  const auto end = std::chrono::steady_clock::now() + patience;
  do {
    if (::waitpid(process, &status, WNOHANG) == process) return true;
    std::this_thread::sleep_for(kLook);
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

base::Result<void> disturb_beside(const Plan& plan, const Prepared& prepared, Done& done) {
  done.begin_ns = wall_ns();
  auto neighbor = start_process("the demo's disturbance", [&] { return disturb(plan, prepared); });
  if (!neighbor) return base::pass(neighbor);
  done.disturbed = status_of(*neighbor) == 0;
  done.end_ns = wall_ns();
  return {};
}

// By how much two times differ, as people say it.
std::string difference(std::int64_t told_ns, std::int64_t true_ns) {
  const double s = static_cast<double>(told_ns - true_ns) * kNs;
  return fmt::format("{:.1f} s {}", std::abs(s), s < 0 ? "early" : "late");
}

}  // namespace

base::Result<Done> run(const Plan& plan) {
  Prepared prepared;
  if (plan.disturbance->prepare != nullptr) {
    auto made = plan.disturbance->prepare();
    if (!made) return base::pass(made);
    prepared = std::move(*made);
  }
  auto words = plan.run;
  if (prepared.group) words.push_back(prepared.group->path().string());
  // Ctrl-C ends the job and brings the report; this waits for it.
  static_cast<void>(std::signal(SIGINT, SIG_IGN));
  text::tell(fmt::format("a job of two ranks runs under: reveal {}; in {} s something disturbs it",
                         fmt::join(words.begin() + 1, words.end(), " "), plan.before.count()));
  auto watching = start_process("the demo's recorder", [&] { return become(words); });
  if (!watching) return base::pass(watching);
  Done done;
  int status = 0;
  if (!ended_within(*watching, plan.before, status)) {
    if (auto beside = disturb_beside(plan, prepared, done); !beside) {
      ::kill(*watching, SIGTERM);
      return base::pass(beside);
    }
    status = status_of(*watching);
  }
  done.status = shell_status(status);
  return done;
}

std::string held_against(const report::SavedReport& report, const Disturbance& disturbance,
                         const Done& done, bool& found) {
  const auto overlap = [&](const report::SavedFinding& finding) {
    return std::min(finding.end_ns, done.end_ns) - std::max(finding.begin_ns, done.begin_ns);
  };
  const auto best =
      std::max_element(report.findings.begin(), report.findings.end(),
                       [&](const auto& a, const auto& b) { return overlap(a) < overlap(b); });
  found = best != report.findings.end() && overlap(*best) > 0;
  const auto told = fmt::format("The disturbance was {}, from {} to {} UTC.\n", disturbance.what,
                                text::clock_time(done.begin_ns), text::clock_time(done.end_ns));
  if (!found) return told + "Reveal did not find it. It may not have slowed the job here.";
  return told + fmt::format("Reveal found it as finding {}: {}, begin {}, end {}.",
                            best - report.findings.begin() + 1, best->claim,
                            difference(best->begin_ns, done.begin_ns),
                            difference(best->end_ns, done.end_ns));
}

}  // namespace reveal::demo
