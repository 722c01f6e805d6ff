#include "model/process_timeline.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "model/cgroup_instance.h"

namespace reveal::model {
namespace {

constexpr std::int64_t kStep_ns = 500'000'000;
constexpr std::size_t kPeakSteps = 6;  // three seconds, as a window
constexpr std::int64_t kUsual_ns = 60'000'000'000;
constexpr std::int64_t kLeastUsual_ns = 3'000'000'000;
constexpr std::int64_t kReading_ns = 1'500'000'000;  // that a reading's list holds for, at most
constexpr std::int64_t kStart_ns = 10'000'000;       // a tick of USER_HZ
constexpr double kTimes = 1.25;                      // of the usual
constexpr std::size_t kMostProcesses = 4096;         // that are remembered without need

double least_rise(Subsystem resource) {
  constexpr double kMiB = 1024.0 * 1024.0;
  if (resource == Subsystem::kCpu) return 0.1;
  return resource == Subsystem::kStorage ? kMiB : 64 * kMiB;
}

// Returns the `most`-th largest, or 0 if there are fewer.
double cut_of(std::vector<double> values, std::size_t most) {
  if (values.size() < most) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(most) - 1;
  std::nth_element(values.begin(), at, values.end(), std::greater<>());
  return *at;
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double highest_mean(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  const std::size_t length = std::min(kPeakSteps, end - begin);
  double out = 0;
  for (std::size_t at = begin; length > 0 && at + length <= end; ++at) {
    double sum = 0;
    for (std::size_t i = at; i < at + length; ++i) sum += values[i];
    out = std::max(out, sum / static_cast<double>(length));
  }
  return out;
}

}  // namespace

// Points in time, the stretch that is asked about and that which tells what is usual among them.
struct ProcessTimeline::Grid {
  std::int64_t begin_ns = 0;
  std::size_t size = 0;
  std::size_t asked = 0;  // the first point of the stretch
  std::size_t asked_end = 0;

  bool is_asked(std::size_t at) const { return at >= asked && at < asked_end; }
  // Returns the first point that is not before that time.
  std::size_t at(std::int64_t ns) const {
    const std::int64_t from_first = ns - begin_ns - kStep_ns / 2;
    if (from_first <= 0) return 0;
    return std::min(size, static_cast<std::size_t>((from_first + kStep_ns - 1) / kStep_ns));
  }
};

// Processes of one name in one group, on a grid.
struct ProcessTimeline::Family {
  const Process* largest = nullptr;
  double most = 0;                         // that one's
  std::set<std::size_t> processes;         // by index
  std::set<std::size_t> rose;              // of these, those that used anything in the stretch
  std::vector<double> used;                // by point
  std::vector<double> listed;              // by point: processes
  std::map<std::size_t, double> resident;  // by process: the most in the stretch
  std::vector<double> began;  // by point: processes that began there or before the grid

  // Returns by point how many processes there may be that the reading did not list.
  std::vector<double> unlisted() const;
  // Returns whether a full list left some of them out within the stretch, while others were in it.
  bool is_cut(const Grid& grid, const std::vector<double>& cuts) const;
};

std::vector<double> ProcessTimeline::Family::unlisted() const {
  std::vector<double> out(listed.size());
  double there = 0;
  for (std::size_t at = 0; at < out.size(); ++at) {
    there += began[at];
    out[at] = std::max(0.0, there - listed[at]);
  }
  return out;
}

bool ProcessTimeline::Family::is_cut(const Grid& grid, const std::vector<double>& cuts) const {
  const auto there = unlisted();
  for (std::size_t at = grid.asked; at < grid.asked_end; ++at) {
    if (listed[at] > 0 && there[at] > 0 && cuts[at] > 0) return true;
  }
  return false;
}

void ProcessTimeline::add(std::int64_t wall_ns, std::int64_t mono_ns,
                          const std::vector<Note>& notes) {
  if (!first_ns_) first_ns_ = wall_ns;
  last_ns_ = wall_ns;
  std::vector<double> cores;
  std::vector<double> io;
  for (const auto& note : notes) {
    if (note.source != kProcessSource) continue;
    recorded_ = true;
    const auto use = process_use_of(note);
    if (!use) continue;
    if (use->cores >= kLeastCores) cores.push_back(use->cores);
    if (use->io() >= kLeastIo) io.push_back(use->io());
    // The kernel's own threads, which have no memory, do what processes asked for.
    if (use->resident <= 0) continue;
    const auto began_ns = wall_ns - mono_ns + static_cast<std::int64_t>(use->start) * kStart_ns;
    rows_.push_back({wall_ns, use->seconds, use->cores, use->io(), use->grown, use->resident,
                     use->stopped, index_of(*use, began_ns)});
  }
  const Cut cut{wall_ns, cut_of(std::move(cores), kMostByCpu), cut_of(std::move(io), kMostByIo)};
  if (cut.cores > 0 || cut.io > 0) cuts_.push_back(cut);
}

std::size_t ProcessTimeline::index_of(const ProcessUse& use, std::int64_t began_ns) {
  const auto [it, is_new] = index_.try_emplace({use.pid, use.start}, processes_.size());
  if (is_new) processes_.emplace_back();
  processes_[it->second] = {use.name, use.group, use.pid, began_ns};
  return it->second;
}

void ProcessTimeline::forget_before(std::int64_t wall_ns) {
  const auto is_old = [&](const auto& one) { return one.end_ns < wall_ns; };
  std::erase_if(rows_, is_old);
  std::erase_if(cuts_, is_old);
  if (first_ns_) first_ns_ = std::max(*first_ns_, wall_ns);
  if (processes_.size() > kMostProcesses) compact();
}

// Leaves out the processes that no row is of.
void ProcessTimeline::compact() {
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> place(processes_.size(), kNone);
  std::vector<Process> kept;
  for (auto& row : rows_) {
    auto& to = place[row.process];
    if (to == kNone) {
      to = kept.size();
      kept.push_back(std::move(processes_[row.process]));
    }
    row.process = to;
  }
  std::erase_if(index_, [&](const auto& entry) { return place[entry.second] == kNone; });
  for (auto& [identity, index] : index_) index = place[index];
  processes_ = std::move(kept);
}

bool ProcessTimeline::is_of(const Process& process, std::string_view group) const {
  if (group.empty()) return true;
  const auto own = "cg=" + (process.group.empty() ? "/" : process.group);
  return own == group || is_within(own, group);
}

std::vector<ProcessTimeline::Family> ProcessTimeline::families(const Grid& grid, Subsystem resource,
                                                               std::string_view group) const {
  std::map<std::pair<std::string_view, std::string_view>, Family> found;
  for (const auto& row : rows_) {
    const auto& process = processes_[row.process];
    const auto length_ns = static_cast<std::int64_t>(row.seconds * 1e9);
    const std::size_t begin = grid.at(row.end_ns - length_ns);
    const std::size_t end = grid.at(row.end_ns);
    if (begin >= end || !is_of(process, group)) continue;
    auto& family = found[{process.name, process.group}];
    family.used.resize(grid.size);
    family.listed.resize(grid.size);
    family.began.resize(grid.size);
    if (family.processes.insert(row.process).second) {
      // One that was listed was there, whatever the clocks say.
      family.began[std::min(begin, grid.at(process.began_ns))] += 1;
    }
    const double value = resource == Subsystem::kCpu       ? row.cores
                         : resource == Subsystem::kStorage ? row.io
                                                           : row.grown;
    for (std::size_t at = begin; at < end; ++at) {
      family.used[at] += value;
      family.listed[at] += 1;
      if (!grid.is_asked(at) || !(value > 0)) continue;
      family.rose.insert(row.process);
      auto& resident = family.resident[row.process];
      resident = std::max(resident, row.resident);
      if (value > family.most) {
        family.most = value;
        family.largest = &process;
      }
    }
  }
  std::vector<Family> out;
  for (auto& [name, family] : found) {
    if (family.largest != nullptr) out.push_back(std::move(family));
  }
  return out;
}

std::vector<double> ProcessTimeline::cuts_on(const Grid& grid, Subsystem resource) const {
  std::vector<double> out(grid.size);
  for (const auto& cut : cuts_) {
    const std::size_t end = grid.at(cut.end_ns);
    for (std::size_t at = grid.at(cut.end_ns - kReading_ns); at < end; ++at) {
      out[at] = resource == Subsystem::kCpu ? cut.cores : cut.io;
    }
  }
  return out;
}

std::optional<ProcessRise> ProcessTimeline::largest_rise(std::int64_t begin_ns, std::int64_t end_ns,
                                                         Subsystem resource,
                                                         std::string_view group) const {
  const bool known = resource == Subsystem::kCpu || resource == Subsystem::kStorage ||
                     resource == Subsystem::kMemory;
  if (!known || !first_ns_ || end_ns - begin_ns < kStep_ns) return std::nullopt;
  const bool before = begin_ns - *first_ns_ >= kLeastUsual_ns;
  Grid grid;
  grid.begin_ns = before ? std::max(*first_ns_, begin_ns - kUsual_ns) : begin_ns;
  const std::int64_t grid_end = before ? end_ns : std::clamp(last_ns_, end_ns, end_ns + kUsual_ns);
  grid.size = static_cast<std::size_t>((grid_end - grid.begin_ns) / kStep_ns);
  grid.asked = grid.at(begin_ns);
  grid.asked_end = grid.at(end_ns);
  const auto cuts = cuts_on(grid, resource);
  const double step = static_cast<double>(kStep_ns) * 1e-9;

  std::optional<ProcessRise> out;
  double largest = 0;
  double all = 0;
  for (const auto& family : families(grid, resource, group)) {
    ProcessRise one;
    double rise = 0;   // over the stretch, in what it is a rate of
    double level = 0;  // of that, the rise of the level told
    if (resource == Subsystem::kMemory) {
      double grown = 0;
      for (std::size_t at = grid.asked; at < grid.asked_end; ++at) {
        grown += family.used[at] * step;
        rise = std::max(rise, grown);
      }
      for (const auto& [process, bytes] : family.resident) one.observed += bytes;
      one.usual = std::max(0.0, one.observed - rise);
      level = rise;
    } else {
      std::vector<double> outside;
      const auto unlisted = family.unlisted();
      for (std::size_t at = 0; at < grid.size; ++at) {
        if (grid.is_asked(at)) continue;
        outside.push_back(family.used[at] + cuts[at] * unlisted[at]);
      }
      one.usual = median_of(std::move(outside));
      one.observed = highest_mean(family.used, grid.asked, grid.asked_end);
      for (std::size_t at = grid.asked; at < grid.asked_end; ++at) {
        if (family.listed[at] > 0) rise += (family.used[at] - one.usual) * step;
      }
      level = one.observed - one.usual;
    }
    if (rise <= 0) continue;
    all += rise;
    if (rise <= largest || level < least_rise(resource) || one.observed < kTimes * one.usual) {
      continue;
    }
    largest = rise;
    one.name = family.largest->name;
    one.group = family.largest->group;
    one.pid = family.largest->pid;
    one.count = family.rose.size();
    one.resource = resource;
    one.at_least = resource != Subsystem::kMemory && family.is_cut(grid, cuts);
    out = std::move(one);
  }
  if (out) out->share = largest / all;
  return out;
}

// Returns the cores that a process used in the minute before, whenever it was listed.
double ProcessTimeline::cores_before(std::size_t process, std::int64_t ns) const {
  std::vector<double> cores;
  for (const auto& row : rows_) {
    const bool is_before = row.end_ns <= ns && row.end_ns >= ns - kUsual_ns;
    if (row.process == process && is_before && !row.stopped) cores.push_back(row.cores);
  }
  return median_of(std::move(cores));
}

std::optional<ProcessRise> ProcessTimeline::stopped(std::int64_t begin_ns,
                                                    std::int64_t end_ns) const {
  std::map<std::size_t, std::int64_t> since;  // by process, the first reading that said so
  for (const auto& row : rows_) {
    const auto begin = row.end_ns - static_cast<std::int64_t>(row.seconds * 1e9);
    if (row.stopped && begin < end_ns && row.end_ns > begin_ns) {
      since.try_emplace(row.process, row.end_ns);
    }
  }
  std::map<std::pair<std::string_view, std::string_view>, ProcessRise> by_name;
  const ProcessRise* largest = nullptr;
  for (const auto& [index, at_ns] : since) {
    const auto& process = processes_[index];
    const auto [it, is_first] = by_name.try_emplace({process.name, process.group});
    auto& one = it->second;
    if (is_first) {
      one = {.name = process.name, .group = process.group, .pid = process.pid, .stopped = true};
    } else {
      ++one.count;
    }
    one.usual += cores_before(index, at_ns);
    if (largest == nullptr || one.usual > largest->usual) largest = &one;
  }
  return largest == nullptr ? std::nullopt : std::optional(*largest);
}

}  // namespace reveal::model
