// What the jobs' work rate did from one run to another (module work).
//
// A work rate is relative to what is usual in its run, so the rates of two runs say nothing of each
// other. Here both runs go through one meter, one after the other: what counters count as usual is
// then the same for both, and so is what must hold of them, that several go up and down together in
// a steady proportion.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fleet/level_change.h"
#include "model/channel_table.h"
#include "work/work_meter.h"

namespace reveal::fleet {

// One number, not one of many: the usual confidence.
inline constexpr double kWorkConfidence = 0.95;

struct WorkChange {
  work::JobKind kind = work::JobKind::kHost;
  std::string job;   // the instance of its control group; empty for the host's job
  std::string name;  // of its pod, job, service or container, else the group's path; or empty
  // Why it is not known, as a clause. Empty if it is; then `rate` is set.
  std::string not_known;
  // The rate after in proportion to that before, with the interval of kWorkConfidence.
  Interval rate;
  std::vector<work::Quantity> counted;  // by what

  bool is_known() const { return not_known.empty(); }
};

class JoinedWork {
 public:
  // Begins the run before, and after it the other one. REQUIRES: twice at most.
  void begin_run(std::int64_t interval_ns);
  // Takes the next tick's derived row. REQUIRES: as WorkMeter::add(), of each run.
  void add(const model::ChannelTable& derived, std::uint64_t sequence, std::span<const double> row);

  // Returns what could be told of each job, at least one; the first says why if nothing is known.
  // REQUIRES: two runs.
  std::vector<WorkChange> result() const;

 private:
  struct Span {
    std::int64_t interval_ns = 0;
    std::optional<std::uint64_t> first;  // sequence in the recording
    std::uint64_t begin = 0;             // in the meter
    std::uint64_t end = 0;
  };

  void grow(const model::ChannelTable& derived);
  WorkChange change_of(const work::JobRate& job) const;
  std::vector<double> rates_in(const work::JobRate& job, const Span& span) const;

  std::array<Span, 2> runs_;
  std::size_t begun_ = 0;
  model::ChannelTable channels_;                     // that count work, of both runs
  std::vector<std::optional<model::ChannelId>> as_;  // by channel of the run: its place there
  std::vector<double> row_;
  work::WorkMeter meter_;
};

}  // namespace reveal::fleet
