#include "collect/perf/perf_core_plan.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <linux/perf_event.h>

#include "perf/event_group.h"
#include "perf/group_plan.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using perf::EventCode;
using perf::EventDescriptor;
using perf::Team;

constexpr EventCode kCycles{.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES};
constexpr std::string_view kLoadsLeader = "cpu/mem-loads-aux/";

bool watchdog_counts(const procfs::HostRoot& root) {
  procfs::TextFile file(root.proc_path("sys/kernel/nmi_watchdog"));
  const auto text = file.read();
  return text && procfs::trimmed(*text) == "1";
}

bool all_count(std::uint32_t cpu, std::span<const EventCode> codes) {
  const auto group = perf::EventGroup::open(cpu, codes, {.stopped = true});
  return group && std::all_of(group->refusals().begin(), group->refusals().end(),
                              [](int refused) { return refused == 0; });
}

// An event that counts here.
struct Usable {
  const EventDescriptor* row;
  EventCode code;
};

// A kernel that does not know its core's cycles has been given no counters at all.
base::Error without_counters(base::Error error) {
  if (error.kind != base::ErrorKind::kAbsent) return error;
  return {base::ErrorKind::kAbsent, "this machine shows its kernel no performance counters",
          "perf events of the cores",
          "in a virtual machine: give it a virtual PMU (QEMU: -cpu host,pmu=on)"};
}

class Planner {
 public:
  Planner(const procfs::HostRoot& root, std::uint32_t cpu, Absences& absences)
      : names_(root), cpu_(cpu), watchdog_(watchdog_counts(root)), absences_(absences) {
    const auto leader = names_.find(kLoadsLeader);
    if (leader) loads_leader_ = leader->front().event.code;
  }

  base::Result<CorePlan> plan(const CoreTables& tables) {
    std::vector<std::size_t> base;
    std::optional<base::Error> failure;
    for (const auto* row : tables.base) {
      const auto event = find(*row);
      if (event) base.push_back(*event);
      if (!event && !failure) failure = event.error();
    }
    if (base.empty()) return base::Unexpected(without_counters(std::move(*failure)));
    return group(base, tables.turns);
  }

 private:
  base::Result<CorePlan> group(const std::vector<std::size_t>& base,
                               const std::vector<const EventDescriptor*>& rows) {
    std::vector<std::size_t> others;
    std::map<Team, std::vector<std::size_t>> teams;
    std::vector<std::vector<std::size_t>> alone;
    for (const auto* row : rows) {
      const auto event = find(*row);
      if (!event) continue;
      if (row->team == Team::kNone) others.push_back(*event);
      if (row->team == Team::kTopdown) teams[row->team].push_back(*event);
      if (row->team == Team::kLoadLatency) alone.push_back({*event});
    }
    for (auto& [team, events] : teams) alone.push_back(events);
    const auto plan = perf::plan_groups(
        base, others, alone, [&](std::span<const std::size_t> events) { return fits(events); });
    for (const std::size_t event : plan.left_out) leave_out(*usable_[event].row);
    CorePlan out{group_of(plan.base), {}, watchdog_};
    for (const auto& turn : plan.turns) out.turns.push_back(group_of(turn));
    return out;
  }

  // Returns the number of the row's event, which can be opened here.
  base::Result<std::size_t> find(const EventDescriptor& row) {
    EventCode code = row.code;
    if (!row.names.empty()) {
      const auto found = names_.find(row.names);
      if (!found) return absent(row, found.error());
      code = found->front().event.code;
    }
    const std::vector<EventCode> codes = with_leader(row, code);
    const auto group = perf::EventGroup::open(cpu_, codes, {.stopped = true});
    if (!group) return absent(row, group.error());
    if (const int refused = group->refusals().back(); refused != 0) {
      return absent(row, perf::refusal(refused, perf::alias_of(row)));
    }
    usable_.push_back({&row, code});
    return usable_.size() - 1;
  }

  base::Unexpected absent(const EventDescriptor& row, base::Error error) {
    error.where = fmt::format("perf event {}", perf::alias_of(row));
    absences_.add(row, error);
    return base::Unexpected(std::move(error));
  }

  void leave_out(const EventDescriptor& row) {
    absences_.add(row, {base::ErrorKind::kAbsent, "no counter is left for it beside the base group",
                        fmt::format("perf event {}", perf::alias_of(row)), ""});
  }

  std::vector<EventCode> with_leader(const EventDescriptor& row, const EventCode& code) const {
    if (row.team == Team::kLoadLatency && loads_leader_) return {*loads_leader_, code};
    return {code};
  }

  // Asks the kernel, with a stand-in for the watchdog's counter.
  bool fits(std::span<const std::size_t> events) const {
    std::vector<EventCode> codes;
    for (const std::size_t event : events) codes.push_back(usable_[event].code);
    if (watchdog_) codes.push_back(kCycles);
    return all_count(cpu_, codes);
  }

  CoreGroup group_of(const std::vector<std::size_t>& events) const {
    CoreGroup out;
    for (const std::size_t event : events) {
      const auto& [row, code] = usable_[event];
      const auto codes = with_leader(*row, code);
      out.codes.insert(out.codes.end(), codes.begin(), codes.end());
      out.event_of.push_back(out.codes.size() - 1);
      out.metrics.push_back(metric_of(*row));
      out.names += out.names.empty() ? "" : ", ";
      out.names += perf::alias_of(*row);
    }
    return out;
  }

  perf::EventNames names_;
  std::uint32_t cpu_;
  bool watchdog_;
  Absences& absences_;
  std::optional<EventCode> loads_leader_;
  std::vector<Usable> usable_;
};

}  // namespace

CoreTables core_tables() {
  const auto order_of = [](const EventDescriptor& event) {
    return event.team == Team::kTopdown ? 0 : int{event.rank};
  };
  CoreTables out;
  for (const auto& event : perf::base_events()) out.base.push_back(&event);
  for (const auto events : {perf::cache_events(), perf::intel_events(), perf::amd_events(),
                            perf::arm_events(), perf::riscv_events()}) {
    for (const auto& event : events) out.turns.push_back(&event);
  }
  // The slots event must lead its team, so that rows of one team keep their order.
  std::stable_sort(out.turns.begin(), out.turns.end(),
                   [&](const auto* a, const auto* b) { return order_of(*a) < order_of(*b); });
  return out;
}

base::Result<CorePlan> plan_core(const CoreTables& tables, const procfs::HostRoot& root,
                                 std::uint32_t cpu, Absences& absences) {
  return Planner(root, cpu, absences).plan(tables);
}

}  // namespace reveal::collect
