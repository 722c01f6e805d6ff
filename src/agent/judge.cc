#include "agent/judge.h"

#include <csignal>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "agent/alerting.h"
#include "agent/host_watch.h"
#include "agent/log.h"
#include "agent/mark_desk.h"
#include "agent/pins.h"
#include "agent/published_state.h"
#include "agent/series.h"
#include "alert/announcer.h"
#include "collect/tick_clock.h"
#include "page/assets.h"
#include "record/mark_queue.h"
#include "record/shared_status.h"
#include "serve/server.h"
#include "serve/state_board.h"
#include "text/duration.h"

namespace reveal::agent {
namespace {

constexpr std::int64_t kRound_ns = 500'000'000;

// Blocks the signals that the judge waits for, in all threads that are started from now on.
sigset_t block_signals() {
  sigset_t out;
  sigemptyset(&out);
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) sigaddset(&out, signal);
  ::pthread_sigmask(SIG_BLOCK, &out, nullptr);
  // The first process had it ignored until here; the commands that are told of alerts shall not.
  (void)std::signal(SIGUSR1, SIG_DFL);
  return out;
}

// Returns whether a signal has come that ends the judge.
bool is_asked_to_end() {
  sigset_t pending;
  sigemptyset(&pending);
  ::sigpending(&pending);
  return sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1;
}

// Waits, and returns the signal that came, or a negative number.
int wait_for(const sigset_t& signals, std::int64_t wait_ns) {
  const timespec wait{.tv_sec = wait_ns / 1'000'000'000, .tv_nsec = wait_ns % 1'000'000'000};
  return ::sigtimedwait(&signals, nullptr, &wait);
}

// One line for the journal.
std::string line_of(const LoggedFinding& finding) {
  const auto* what = finding.revision == 1 ? "finding"
                     : finding.open        ? "finding goes on"
                                           : "finding ended";
  auto out = fmt::format("{} {}: {}, {}: {}.", what, finding.id,
                         model::to_string(finding.subsystem), finding.severity, finding.claim);
  for (const auto& sentence : finding.sentences) out += " " + sentence;
  return out;
}

// Says in the log what began, ended or became graver; not every change of a figure.
class Teller {
 public:
  // What is known already was said by the judge before this one.
  explicit Teller(const FindingLog& known) {
    for (const auto& finding : known.recent()) said_[finding.id] = state_of(finding);
  }

  void tell(const FindingLog& findings, const std::vector<std::string>& changed) {
    for (const auto& id : changed) {
      if (const auto* finding = findings.find(id)) tell(*finding);
    }
  }

 private:
  static std::string state_of(const LoggedFinding& finding) {
    return finding.open ? finding.severity : std::string();
  }
  void tell(const LoggedFinding& finding) {
    const auto state = state_of(finding);
    auto& said = said_[finding.id];
    if (std::exchange(said, state) == state) return;
    log(Priority::kWarning, line_of(finding));
  }

  std::map<std::string, std::string> said_;
};

// Begins to keep a stretch, and returns a line on it. `length` is as people type it.
base::Result<std::string> keep_last(Pins& pins, const std::string& length) {
  const auto last_ns = text::parse_duration(length);
  if (!last_ns) return base::pass(last_ns);
  const auto folder = pins.begin(*last_ns, collect::clock_ns(CLOCK_REALTIME));
  if (!folder) return base::pass(folder);
  return fmt::format("the last {} are being kept in {}", length, folder->string());
}

// The web side: a server for each address, so that one that cannot be had costs only itself.
class Web {
 public:
  // `marks` and `pins` outlive it.
  Web(const settings::WebSettings& settings, const std::string& host, const Paths& paths,
      MarkDesk& marks, Pins& pins)
      : marks_(marks), pins_(pins), recording_(paths.recording()) {
    for (const auto& address : settings.listen) open(address, settings.insecure, host);
  }
  void publish(std::shared_ptr<const serve::AgentState> state) { board_.publish(std::move(state)); }

 private:
  void open(const std::string& address, bool insecure, const std::string& host) {
    make_folder(address);
    serve::ServeOptions options;
    options.listen = {address};
    options.insecure = insecure;
    options.names = {host};
    // The first process checks the configuration and starts this one anew if it is sound.
    options.callbacks.reload = [](const std::string&,
                                  const serve::Caller&) -> base::Result<std::string> {
      ::kill(::getppid(), SIGHUP);
      return "the configuration is read anew if it is sound; the log says so";
    };
    options.callbacks.mark = [this](const std::string& text, const serve::Caller&) {
      return marks_.take(text, collect::clock_ns(CLOCK_REALTIME),
                         collect::clock_ns(CLOCK_MONOTONIC));
    };
    options.callbacks.pin = [this](const std::string& text, const serve::Caller&) {
      return keep_last(pins_, text.empty() ? kUsualPin : text);
    };
    options.callbacks.series = [this](const serve::SeriesQuery& query) { return series(query); };
    options.page = {.script = page::live_script(), .style = page::live_style()};
    auto server = serve::Server::start(std::move(options), board_);
    if (!server) return log(Priority::kWarning, server.error().message());
    for (const auto& at : (*server)->addresses()) log(Priority::kInfo, "answers at " + at);
    servers_.push_back(std::move(*server));
  }

  // systemd makes it (RuntimeDirectory=); without systemd nobody does.
  static void make_folder(const std::string& address) {
    constexpr std::string_view kUnix = "unix:";
    if (!address.starts_with(kUnix)) return;
    std::error_code ignored;
    std::filesystem::create_directories(
        std::filesystem::path(address.substr(kUnix.size())).parent_path(), ignored);
  }

  MarkDesk& marks_;
  Pins& pins_;
  // One at a time of all servers: the host has other work.
  base::Result<std::string> series(const serve::SeriesQuery& query) {
    const std::unique_lock lock(series_mutex_, std::try_to_lock);
    if (lock.owns_lock()) return series_json(recording_, query);
    return base::fail(base::ErrorKind::kBusy, "another series is being read");
  }

  std::filesystem::path recording_;
  std::mutex series_mutex_;
  serve::StateBoard board_;
  std::vector<std::unique_ptr<serve::Server>> servers_;  // they end before the board
};

// The receivers of alerts, if there are any.
class Alerts {
 public:
  static base::Result<Alerts> start(const JudgeOptions& options) {
    Alerts out;
    if (options.settings.receivers.empty()) return out;
    auto how = alert_options(options.settings, options.agent.paths);
    for (const auto& wrong : alert::check_files(how)) log(Priority::kWarning, wrong.message());
    auto announcer = alert::Announcer::start(how);
    if (!announcer) return base::pass(announcer);
    out.announcer_ = std::move(*announcer);
    if (const auto& damage = out.announcer_->damage()) log(Priority::kError, damage->message());
    return out;
  }

  // While windows are not judged nobody can tell which alerts are open: all stay as they are.
  void update(const HostWatch& watch, std::int64_t now_ns) {
    if (!announcer_) return;
    if (watch.history().not_judged) return announcer_->unknown(now_ns);
    announcer_->update(alerts_of(watch.log().recent(), now_ns), now_ns);
    const auto failed = announcer_->state_error();
    const auto said = failed ? failed->message() : std::string();
    if (!said.empty() && said != trouble_) log(Priority::kError, said);
    trouble_ = said;
  }
  std::vector<alert::ReceiverStatus> status() const {
    return announcer_ ? announcer_->status() : std::vector<alert::ReceiverStatus>();
  }

 private:
  std::unique_ptr<alert::Announcer> announcer_;
  std::string trouble_;  // with the state file, the last time
};

// What the judge does in each round, and once a second.
class Judge {
 public:
  Judge(JudgeOptions options, record::SharedStatus recorder, record::MarkQueue marks, Alerts alerts)
      : paths_(options.agent.paths),
        recorder_(std::move(recorder)),
        alerts_(std::move(alerts)),
        watch_(paths_, options.config, collect::clock_ns(CLOCK_REALTIME), is_asked_to_end),
        state_(std::move(options.version), std::move(options.commit)),
        marks_(std::move(marks)),
        pins_(paths_.recording(), paths_.pins(), options.settings.record.min_free_mib << 20),
        web_(options.settings.web, host_name(), paths_, marks_, pins_) {}

  void round() {
    const auto changed = watch_.refresh();
    const auto said = changed ? std::string() : changed.error().message();
    if (!said.empty() && said != trouble_) log(Priority::kError, said);
    trouble_ = said;
    if (changed) teller_.tell(watch_.log(), *changed);
    const auto wall_ns = collect::clock_ns(CLOCK_REALTIME);
    alerts_.update(watch_, wall_ns);
    if (auto pinned = watch_.pin(); !pinned) log(Priority::kError, pinned.error().message());
    for (const auto& line : watch_.take_troubles()) log(Priority::kError, line);
    for (const auto& line : pins_.take_lines()) {
      log(line.failed ? Priority::kError : Priority::kNotice, line.text);
    }
    if (rounds_++ % 2 == 0) publish(wall_ns);
    if (rounds_ % kSaveRounds == 0) save();
  }

  // As somebody asks with a signal, who sees no answer but the log.
  void pin() {
    const auto begun = keep_last(pins_, kUsualPin);
    log(begun ? Priority::kNotice : Priority::kError, begun ? *begun : begun.error().message());
  }

  void save() const {
    if (auto saved = watch_.save(); !saved) log(Priority::kError, saved.error().message());
  }

 private:
  static constexpr std::uint64_t kSaveRounds = 60;

  static std::string host_name() {
    utsname host{};
    return ::uname(&host) == 0 ? host.nodename : "localhost";
  }

  void publish(std::int64_t wall_ns) {
    web_.publish(state_.make({.history = watch_.history(),
                              .log = watch_.log(),
                              .recorder = recorder_.read(),
                              .receivers = alerts_.status(),
                              .paths = paths_,
                              .configured_ns = configured_ns_},
                             wall_ns));
  }

  Paths paths_;
  std::int64_t configured_ns_ = collect::clock_ns(CLOCK_REALTIME);
  record::SharedStatus recorder_;
  Alerts alerts_;
  HostWatch watch_;
  StateMaker state_;
  MarkDesk marks_;
  Pins pins_;
  Web web_;
  Teller teller_{watch_.log()};
  std::string trouble_;  // of the latest refresh
  std::uint64_t rounds_ = 0;
};

}  // namespace

base::Result<void> run_judge(JudgeOptions options) {
  const auto signals = block_signals();
  auto recorder = record::SharedStatus::open(options.status_fd);
  if (!recorder) return base::pass(recorder);
  auto marks = record::MarkQueue::open(options.marks_fd);
  if (!marks) return base::pass(marks);
  auto alerts = Alerts::start(options);
  if (!alerts) return base::pass(alerts);
  Judge judge(std::move(options), std::move(*recorder), std::move(*marks), std::move(*alerts));
  for (;;) {
    judge.round();
    const int signal = wait_for(signals, kRound_ns);
    if (signal == SIGUSR1) judge.pin();
    if (signal == SIGTERM || signal == SIGINT) break;
  }
  judge.save();
  return {};
}

}  // namespace reveal::agent
