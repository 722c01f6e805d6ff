// Perf events of the cores' own counters, in the groups that perf_core_plan.h makes.
//
// The base group of a core counts always and is read in every tick. The other groups take turns of
// a second by this collector's own clock, all cores at the same time: at the end of a turn its
// group is read, its counters advance by what was counted times (time since they advanced last /
// time that they counted), and the next group starts. So a counter that takes turns is fresh once a
// round, its rate is the one that was measured during its turn, and its total is an estimate. In
// between it stands as stale. What share of the time a group counted is a channel of its own.
//
// Ratios of a turn's counters to cycles need the cycles of that very turn: cpu_turn_cycles_total is
// the base group's count, taken when turns end.
//
// A reading is an interrupt on the core that is read: one a tick for the base group, three a second
// for the turns.
#include "collect/perf/perf_core_collector.h"

#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "perf/event_group.h"
#include "procfs/cpu_list.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using model::Validity;

// A little less than a second, so that a tick that comes early by its jitter still ends the turn.
constexpr std::int64_t kTurnNs = 950'000'000;

constexpr MetricDescriptor kTurnCycles{
    .name = "cpu_turn_cycles_total",
    .label = "Core cycles by turns",
    .unit = "cycles",
    .kind = model::Kind::kCounter,
    .scope = model::Scope::kCore,
    .source = "perf cpu-cycles at the end of turns",
    .alias = "cpu-cycles",
    .doc_url = "https://man7.org/linux/man-pages/man2/perf_event_open.2.html",
    .help = "Core cycles as of the end of a turn of perf events, to which its counts compare.",
    .rank = 190};

constexpr MetricDescriptor kShare{
    .name = "cpu_perf_counting_ratio",
    .label = "Share of time with perf counters",
    .unit = "ratio",
    .kind = model::Kind::kGauge,
    .repr = model::Repr::kF64,
    .scope = model::Scope::kDevice,
    .source = "perf time_running / time",
    .alias = "time_running",
    .doc_url = "https://man7.org/linux/man-pages/man2/perf_event_open.2.html",
    .help = "Share of time in which a group of perf events was counting, over all cores.",
    .rank = 180};

// How long a group counted, over all cores, of the time that passed.
struct Share {
  InstanceChannels channels;
  double counted_ns = 0.0;
  double passed_ns = 0.0;
  double latest = 0.0;

  void add(std::uint64_t counted, std::int64_t passed) {
    counted_ns += static_cast<double>(counted);
    passed_ns += static_cast<double>(passed);
  }
  void show(FrameWriter& writer, bool fresh) {
    if (passed_ns > 0.0) latest = std::min(1.0, counted_ns / passed_ns);
    counted_ns = passed_ns = 0.0;
    channels.set(writer, 0, std::optional<double>(latest));
    if (!fresh) channels.repeat(writer, Validity::kStale);
  }
};

// A group that takes turns, on one core.
class Turn {
 public:
  Turn(const CoreGroup& group, perf::EventGroup events, const std::string& instance,
       std::int64_t now)
      : group_(&group),
        events_(std::move(events)),
        channels_(group.metrics, instance),
        counts_(group.codes.size()),
        counted_(group.codes.size(), 0),
        total_(group.codes.size(), 0.0),
        advanced_ns_(now) {}

  void begin() { events_.resume(); }

  // Returns whether the counters advanced.
  bool end(std::int64_t now, Share& share) {
    const std::uint64_t enabled_before = events_.enabled_ns();
    const std::uint64_t running_before = events_.running_ns();
    const bool read = events_.read(counts_).has_value();
    events_.stop();
    const std::uint64_t enabled = events_.enabled_ns() - enabled_before;
    if (!read || enabled == 0) return false;
    const std::int64_t passed = now - advanced_ns_;
    share.add(events_.running_ns() - running_before, passed);
    advance(static_cast<double>(passed) / static_cast<double>(enabled));
    advanced_ns_ = now;
    return true;
  }

  void show(FrameWriter& writer, bool fresh) {
    for (std::size_t i = 0; i < group_->event_of.size(); ++i) {
      const std::size_t event = group_->event_of[i];
      if (events_.refusals()[event] != 0) continue;
      channels_.set(writer, i, procfs::Value(static_cast<std::uint64_t>(total_[event])));
    }
    if (!fresh) channels_.repeat(writer, Validity::kStale);
  }

 private:
  void advance(double stretch) {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (!counts_[i]) continue;
      total_[i] += static_cast<double>(*counts_[i] - counted_[i]) * stretch;
      counted_[i] = *counts_[i];
    }
  }

  const CoreGroup* group_;
  perf::EventGroup events_;
  InstanceChannels channels_;
  std::vector<perf::ScaledCount> counts_;
  std::vector<std::uint64_t> counted_;  // by event, as of the turn before
  std::vector<double> total_;           // by event, extrapolated
  std::int64_t advanced_ns_;
};

class PerfCoreCollector final : public Collector {
 public:
  explicit PerfCoreCollector(CoreTables tables) : tables_(std::move(tables)) {}

  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (auto live = check_live(root); !live) return live;
    online_ = procfs::TextFile(root.sys_path("devices/system/cpu/online"));
    const auto text = online_.read();
    if (!text) return base::pass(text);
    const auto cpus = procfs::parse_cpu_list(*text);
    if (cpus.empty()) return base::fail(base::ErrorKind::kAbsent, "no core is online");
    if (auto planned = plan(root, cpus.front()); !planned) return planned;
    follow(*text);
    if (cores_.empty()) {
      return base::fail(base::ErrorKind::kIo, "perf events cannot be opened on any core", "",
                        "raise `ulimit -n`");
    }
    add_channels_of(*this, channels);
    said_ = false;
    for (auto& [cpu, core] : cores_) core.is_new = true;
    return {};
  }

  void collect(FrameWriter& writer) override {
    if (const auto text = online_.read(); text && *text != online_text_) follow(*text);
    if (!said_) say_groups(writer);
    for (auto& [cpu, core] : cores_) read_base(writer, core);
    const std::int64_t now = monotonic_ns();
    const bool ends = now - turn_began_ns_ >= kTurnNs;
    for (auto& [cpu, core] : cores_) show_turns(writer, core, ends, now);
    for (auto& share : shares_) share.show(writer, ends);
    if (!ends) return;
    turn_ = next_turn();
    turn_began_ns_ = now;
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    return absences_.of(metric);
  }

 private:
  struct Core {
    perf::EventGroup base;
    InstanceChannels channels;
    InstanceChannels cycles;
    std::vector<Turn> turns;
    procfs::Value latest_cycles{};
    std::uint64_t enabled_ns = 0;
    std::uint64_t running_ns = 0;
    bool is_new = true;
  };

  base::Result<void> plan(const procfs::HostRoot& root, std::uint32_t cpu) {
    absences_.clear();
    cores_.clear();
    shares_.clear();
    auto planned = plan_core(tables_, root, cpu, absences_);
    if (!planned) return base::pass(planned);
    plan_ = std::move(*planned);
    counts_.resize(plan_.base.codes.size());
    shares_.push_back({InstanceChannels(share_metric_, "group=base")});
    for (std::size_t i = 0; i < plan_.turns.size(); ++i) {
      shares_.push_back({InstanceChannels(share_metric_, fmt::format("group={}", i + 1))});
    }
    turn_ = 0;
    turn_began_ns_ = monotonic_ns();
    return {};
  }

  // Keeps the cores that stay, drops those that went, opens those that came. A core that cannot be
  // opened stays missing; there is nobody to tell in the middle of a run.
  void follow(std::string_view online) {
    online_text_ = online;
    std::map<std::uint32_t, Core> cores;
    for (const std::uint32_t cpu : procfs::parse_cpu_list(online_text_)) {
      if (auto kept = cores_.extract(cpu); !kept.empty()) {
        cores.insert(std::move(kept));
      } else {
        add_core(cores, cpu);
      }
    }
    cores_ = std::move(cores);
  }

  void add_core(std::map<std::uint32_t, Core>& cores, std::uint32_t cpu) const {
    auto base = perf::EventGroup::open(cpu, plan_.base.codes);
    if (!base) return;
    const std::string instance = fmt::format("cpu={}", cpu);
    Core core{std::move(*base),
              InstanceChannels(plan_.base.metrics, instance),
              InstanceChannels(cycles_metric_, instance),
              {}};
    const std::int64_t now = monotonic_ns();
    for (const auto& group : plan_.turns) {
      auto events = perf::EventGroup::open(cpu, group.codes, {.stopped = true});
      if (!events) return;  // all or nothing: turns are known by their place
      core.turns.emplace_back(group, std::move(*events), instance, now);
    }
    if (!core.turns.empty()) core.turns[turn_].begin();
    cores.emplace(cpu, std::move(core));
  }

  void say_groups(FrameWriter& writer) {
    said_ = true;
    writer.note_fact("perf group base", plan_.base.names);
    for (std::size_t i = 0; i < plan_.turns.size(); ++i) {
      writer.note_fact(fmt::format("perf group {}", i + 1), plan_.turns[i].names);
    }
    writer.note_fact("perf counter of the NMI watchdog", plan_.watchdog ? "taken" : "free");
  }

  void read_base(FrameWriter& writer, Core& core) {
    core.latest_cycles.reset();
    if (!core.base.read(counts_)) return;
    for (std::size_t i = 0; i < counts_.size(); ++i) core.channels.set(writer, i, counts_[i]);
    if (plan_.base.metrics.front().alias == kTurnCycles.alias) core.latest_cycles = counts_.front();
  }

  void show_turns(FrameWriter& writer, Core& core, bool ends, std::int64_t now) {
    for (std::size_t i = 0; i < core.turns.size(); ++i) {
      const bool advanced = ends && i == turn_ && core.turns[i].end(now, shares_[i + 1]);
      core.turns[i].show(writer, advanced || core.is_new);
    }
    if (!core.turns.empty()) {
      core.cycles.set(writer, 0, core.latest_cycles);
      if (!ends && !core.is_new) core.cycles.repeat(writer, Validity::kStale);
    }
    core.is_new = false;
    if (!ends) return;
    if (!core.turns.empty()) core.turns[next_turn()].begin();
    shares_.front().add(core.base.running_ns() - core.running_ns, now - turn_began_ns_);
    core.running_ns = core.base.running_ns();
  }

  std::size_t next_turn() const {
    return plan_.turns.empty() ? 0 : (turn_ + 1) % plan_.turns.size();
  }

  CoreTables tables_;
  Absences absences_;
  CorePlan plan_;
  const std::vector<MetricDescriptor> cycles_metric_{kTurnCycles};
  const std::vector<MetricDescriptor> share_metric_{kShare};
  std::map<std::uint32_t, Core> cores_;
  std::vector<Share> shares_;  // of the base, then of the turns
  std::vector<perf::ScaledCount> counts_;
  procfs::TextFile online_;
  std::string online_text_;
  std::size_t turn_ = 0;
  std::int64_t turn_began_ns_ = 0;
  bool said_ = true;
};

}  // namespace

std::vector<MetricDescriptor> perf_core_metrics() {
  std::vector<MetricDescriptor> out;
  const auto tables = core_tables();
  for (const auto* event : tables.base) out.push_back(metric_of(*event));
  for (const auto* event : tables.turns) out.push_back(metric_of(*event));
  out.push_back(kTurnCycles);
  out.push_back(kShare);
  return out;
}

std::unique_ptr<Collector> make_perf_core_over(CoreTables tables) {
  return std::make_unique<PerfCoreCollector>(std::move(tables));
}

std::unique_ptr<Collector> make_perf_core() {
  return make_perf_core_over(core_tables());
}

extern const CollectorDescriptor kPerfCoreCollector = {
    .name = "perf_core",
    .help = "the cores' own performance counters",
    .make = make_perf_core,
    .metrics = perf_core_metrics,
};

}  // namespace reveal::collect
