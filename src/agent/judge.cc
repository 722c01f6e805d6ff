#include "agent/judge.h"

#include <csignal>
#include <ctime>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "agent/daily_reports.h"
#include "agent/finding_teller.h"
#include "agent/fleet_side.h"
#include "agent/host_watch.h"
#include "agent/kept_space.h"
#include "agent/log.h"
#include "agent/mark_desk.h"
#include "agent/pins.h"
#include "agent/published_state.h"
#include "agent/receivers.h"
#include "agent/size_shares.h"
#include "agent/watch_log.h"
#include "agent/web_side.h"
#include "base/fnv.h"
#include "base/heap.h"
#include "collect/tick_clock.h"
#include "record/free_space.h"
#include "record/mark_queue.h"
#include "record/shared_status.h"

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

KeptSpace::Limits limits_of(const settings::RecordSettings& record, const Paths& paths) {
  return {.most_bytes = shares_of(record.max_bytes).kept,
          .min_free_bytes = record::free_bytes_on(record.min_free, paths.directory)};
}

// What the judge does in each round, and once a second.
class Judge {
 public:
  Judge(JudgeOptions options, record::SharedStatus recorder, record::MarkQueue marks,
        Receivers receivers)
      : paths_(options.agent.paths),
        recorder_(std::move(recorder)),
        receivers_(std::move(receivers)),
        watch_(paths_, options.configuration.analysis,
               options.configuration.settings.record.interval_ns, collect::clock_ns(CLOCK_REALTIME),
               is_asked_to_end),
        state_({.version = std::move(options.version),
                .commit = std::move(options.commit),
                .config_hash = hash_of(options.configuration.text),
                .not_in_force = std::move(options.not_in_force)}),
        marks_(std::move(marks)),
        space_(paths_, limits_of(options.configuration.settings.record, paths_)),
        pins_(paths_.recording(), paths_.pins(), space_),
        web_(options.configuration.settings.web, host_name(), options.agent, watch_.recorded(),
             marks_, pins_),
        fleet_(options.configuration.settings.fleet, paths_, configured_ns_),
        watched_(paths_.watched(), configured_ns_),
        reports_(paths_, options.configuration.settings.agent.daily_report) {
    watch_.remember_workloads(share_of_workloads(space_.limits().most_bytes));
    if (auto* sink = fleet_.sink()) watch_.also_to(*sink);
    fleet_.answer(options.configuration.settings.fleet, web_.site_for_fleet());
  }

  void round() {
    const auto changed = watch_.refresh();
    const auto said = changed ? std::string() : changed.error().message();
    if (!said.empty() && said != trouble_) log(Priority::kError, said);
    trouble_ = said;
    if (changed) teller_.tell(watch_.log(), *changed);
    const auto wall_ns = collect::clock_ns(CLOCK_REALTIME);
    receivers_.update(watch_, wall_ns);
    fleet_.update(watch_, wall_ns);
    if (auto pinned = watch_.pin(space_, wall_ns); !pinned)
      log(Priority::kError, pinned.error().message());
    if (rounds_ % kSpaceRounds == 0) space_.keep_up(wall_ns);
    for (const auto& line : space_.take_lines()) log(Priority::kWarning, line);
    for (const auto& line : watch_.take_troubles()) log(Priority::kError, line);
    for (const auto& line : pins_.take_lines()) {
      log(line.failed ? Priority::kError : Priority::kNotice, line.text);
    }
    if (rounds_++ % 2 == 0) publish(wall_ns);
    if (const auto failed = reports_.update(wall_ns); !failed.empty()) {
      log(Priority::kError, failed);
    }
    // After the first, too: then it is known at once how far it has come, however soon it is
    // killed.
    if (rounds_ % kSaveRounds == 1) save();
  }

  // As somebody asks with a signal, who sees no answer but the log.
  void pin() {
    const auto begun = pins_.begin_last(kUsualPin, collect::clock_ns(CLOCK_REALTIME));
    log(begun ? Priority::kNotice : Priority::kError, begun ? *begun : begun.error().message());
  }

  void save() {
    if (auto saved = watch_.save(); !saved) log(Priority::kError, saved.error().message());
    if (auto saved = watched_.save(); !saved) log(Priority::kError, saved.error().message());
    fleet_.save();
  }

  // Returns whether this process is to end, for another one to go on in its place.
  bool makes_way() const { return watch_.has_outgrown(); }

  // Returns how long to wait for the next round.
  std::int64_t until_round_ns() const {
    return fleet_.until_turn_ns(collect::clock_ns(CLOCK_REALTIME), kRound_ns);
  }

 private:
  static constexpr std::uint64_t kSaveRounds = 60;
  static constexpr std::uint64_t kSpaceRounds = 600;

  static std::string host_name() {
    utsname host{};
    return ::uname(&host) == 0 ? host.nodename : "localhost";
  }

  // Tells one text from another.
  static std::string hash_of(const std::string& text) {
    return fmt::format("{:016x}", base::fnv1a(text));
  }

  void publish(std::int64_t wall_ns) {
    web_.refresh();
    const auto state = state_.make({.history = watch_.history(),
                                    .log = watch_.log(),
                                    .times = watch_.times(),
                                    .recorder = recorder_.read(),
                                    .receivers = receivers_.status(),
                                    .paths = paths_,
                                    .fleet = fleet_.state(),
                                    .web_trouble = web_.trouble(),
                                    .configured_ns = configured_ns_},
                                   wall_ns);
    watched_.take(*state, wall_ns);
    web_.publish(state);
  }

  Paths paths_;
  std::int64_t configured_ns_ = collect::clock_ns(CLOCK_REALTIME);
  record::SharedStatus recorder_;
  Receivers receivers_;
  HostWatch watch_;
  StateMaker state_;
  MarkDesk marks_;
  KeptSpace space_;
  Pins pins_;
  WebSide web_;
  FleetSide fleet_;
  WatchLog watched_;
  DailyReports reports_;
  FindingTeller teller_{watch_.log()};
  std::string trouble_;  // of the latest refresh
  std::uint64_t rounds_ = 0;
};

}  // namespace

base::Result<void> run_judge(JudgeOptions options) {
  base::use_one_heap();
  const auto signals = block_signals();
  auto recorder = record::SharedStatus::open(options.status_fd);
  if (!recorder) return base::pass(recorder);
  auto marks = record::MarkQueue::open(options.marks_fd);
  if (!marks) return base::pass(marks);
  auto receivers = Receivers::start(options.configuration.settings, options.agent.paths);
  if (!receivers) return base::pass(receivers);
  Judge judge(std::move(options), std::move(*recorder), std::move(*marks), std::move(*receivers));
  for (;;) {
    judge.round();
    if (judge.makes_way()) {
      log(Priority::kNotice,
          "most channels that this judge has met are gone: another one goes on, and knows those "
          "of the last minutes");
      break;
    }
    const int signal = wait_for(signals, judge.until_round_ns());
    if (signal == SIGUSR1) judge.pin();
    if (signal == SIGTERM || signal == SIGINT) break;
  }
  judge.save();
  return {};
}

}  // namespace reveal::agent
