#include "analyser/analyser.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "analyser/alert_desk.h"
#include "analyser/leases.h"
#include "analyser/loop.h"
#include "analyser/receivers.h"
#include "analyser/stream_maker.h"
#include "analyser/web_side.h"
#include "bus/library.h"
#include "bus/nats_lease_bucket.h"
#include "bus/nats_subscriber.h"
#include "bus/streams.h"
#include "ledger/ledger.h"
#include "peers/json.h"
#include "wire/subject.h"

namespace reveal::analyser {
namespace {

// How far back findings are read that may be new to the file.
constexpr std::int64_t kDay_ns = 86'400 * peers::kSecond_ns;
constexpr std::int64_t kFindings_ns = kDay_ns;

std::int64_t ns_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * peers::kSecond_ns + now.tv_nsec;
}

std::int64_t steady_ns() {
  return ns_of(CLOCK_MONOTONIC);
}

// Blocks the signals that end it, in all threads that are started from now on.
class EndSignals {
 public:
  EndSignals() {
    sigemptyset(&signals_);
    for (const int signal : {SIGTERM, SIGINT}) sigaddset(&signals_, signal);
    ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }
  // Returns whether one has come.
  bool has_come() const {
    const timespec none{};
    return ::sigtimedwait(&signals_, nullptr, &none) > 0;
  }

 private:
  sigset_t signals_{};
};

base::Result<Loop::Subscribers> subscribe(const AnalyserOptions& options) {
  const auto make = [&](std::string_view stream, std::string subject,
                        std::optional<std::int64_t> since_ns) {
    return bus::NatsSubscriber::make(
        options.broker, {bus::stream_name(stream, options.epoch), std::move(subject), since_ns});
  };
  // Facts and dictionaries have one stream, and the last of each host.
  auto facts = make("RV_FACT", "rv1.>", std::nullopt);
  if (!facts) return base::pass(facts);
  auto events =
      make("RV_EV", wire::subject_of_all(wire::Type::kEvent), ns_of(CLOCK_REALTIME) - kFindings_ns);
  if (!events) return base::pass(events);
  auto levels = make("RV_LVL", wire::subject_of_all(wire::Type::kLevels), std::nullopt);
  if (!levels) return base::pass(levels);
  Loop::Subscribers out{std::move(*facts), std::move(*events), std::move(*levels)};
  if (options.database.empty()) return out;
  // All that the broker has: what is known already changes nothing.
  auto late = make("RV_LATE", wire::subject_of_all_late(), std::nullopt);
  if (!late) return base::pass(late);
  out.late = std::move(*late);
  return out;
}

std::string name_of_this_host() {
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  return host;
}

// Returns a name that says where it runs, and that no other run has.
std::string name_of_this_run() {
  return fmt::format("{}:{}:{:08x}", name_of_this_host(), ::getpid(), std::random_device{}());
}

// Keeps the leases as long as it lives, and gives them back then.
class LeaseThread {
 public:
  explicit LeaseThread(Leases& leases)
      : leases_(leases), thread_([this] {
          while (!is_over_) {
            leases_.round();
            std::this_thread::sleep_for(kPause);
          }
          leases_.give_back();
        }) {}
  LeaseThread(const LeaseThread&) = delete;
  LeaseThread& operator=(const LeaseThread&) = delete;
  ~LeaseThread() {
    is_over_ = true;
    thread_.join();
  }

 private:
  static constexpr std::chrono::milliseconds kPause{50};

  Leases& leases_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

struct File {
  std::optional<Keeper> keeper;
  std::vector<peers::Incident> open;
};

base::Result<File> open_file(const AnalyserOptions& options, const AnalyserOutput& output) {
  File out;
  if (options.database.empty()) return out;
  auto ledger = ledger::Ledger::open(options.database);
  if (!ledger) return base::pass(ledger);
  const auto open = ledger->open_incidents();
  if (!open) return base::pass(open);
  for (const auto& detail : *open) {
    // One that cannot be read is over as far as this run knows.
    if (auto incident = peers::read_incident(detail)) out.open.push_back(std::move(*incident));
  }
  out.keeper.emplace(std::move(*ledger), output.notice, options.keep_days * kDay_ns);
  return out;
}

}  // namespace

base::Result<void> run_analyser(const AnalyserOptions& options, const AnalyserOutput& output) {
  const EndSignals signals;
  if (const auto sound = bus::check(options.broker); !sound) return base::pass(sound);
  if (const auto sound = check_web(options.web); !sound) return base::pass(sound);
  if (const auto library = bus::load_nats(); !library) return base::pass(library);
  auto file = open_file(options, output);
  if (!file) return base::pass(file);
  std::optional<StreamMaker> maker;
  if (options.makes_streams) {
    maker.emplace(
        [&] { return bus::make_streams(options.broker, options.epoch, options.replicas); },
        output.notice);
  }
  auto from = subscribe(options);
  if (!from) return base::pass(from);
  AlertDesk desk(options.page_url);
  std::optional<Receivers> receivers;
  if (!options.alerts.receivers.empty()) {
    auto started = Receivers::start(options.alerts, output.notice);
    if (!started) return base::pass(started);
    receivers.emplace(std::move(*started));
  }
  Leases leases(std::make_unique<bus::NatsLeaseBucket>(options.broker, options.epoch),
                name_of_this_run(), [] { return ns_of(CLOCK_BOOTTIME); });
  std::optional<WebSide> web;
  if (!options.web.listen.empty()) web.emplace(options, name_of_this_host(), output.notice);
  auto told = output;
  if (web) told.seen = [&](const peers::News& news) { web->take(news); };
  Loop loop(std::move(*from), std::move(file->keeper), told, steady_ns, &leases,
            receivers ? &desk : nullptr);
  if (web) loop.fleet().keep_levels(WebSide::kMostKeptBytes);
  loop.resume(std::move(file->open));
  const LeaseThread thread(leases);
  while (!signals.has_come()) {
    if (maker) maker->round(steady_ns());
    if (auto done = loop.round(); !done) return done;
    if (web) web->round(loop, receivers ? &*receivers : nullptr, steady_ns());
    if (receivers) receivers->round(desk, steady_ns(), ns_of(CLOCK_REALTIME));
  }
  return {};
}

}  // namespace reveal::analyser
