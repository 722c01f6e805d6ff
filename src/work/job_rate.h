// How much a job got done, second by second, relative to its usual; and what follows from that: how
// much work was lost in a stretch, and the stretches in which a job was slow.
//
// Times are wall clock, ns since the epoch. A rate is a share of the job's usual: 1 is usual, 0.66
// is two thirds of it, NaN is not known (ticks are missing). Plain values that outlive the meter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/channel_table.h"
#include "model/metric.h"
#include "work/counters.h"

namespace reveal::work {

// By which counters the rate is taken: the host's, to which every job adds; a control group's own;
// its GPUs'.
enum class JobKind : std::uint8_t { kHost, kGroup, kGpus };
// Returns "host", "group" or "gpus".
std::string_view to_string(JobKind kind);

// How far one block of a course strays from the next, and what no mean takes away: standard
// deviations.
struct Noise {
  double block = 0;
  double bias = 0;

  // Returns that of the mean of so many blocks.
  double of_mean(double blocks) const;
};

struct JobRate {
  JobKind kind = JobKind::kHost;
  // Whose rate it is, the instance of a control group ("cg=/job1"). Of the host's counters: the
  // group whose CPU time goes along with the rate; empty if none does clearly. Empty for GPUs.
  std::string job;

  // Why there is no rate, as a clause ("no two counters of work move together"). Empty if there is
  // one; then all of the below is set.
  std::string not_known;

  // By block of a second (or of a tick, if ticks are longer), in order of time.
  std::vector<std::int64_t> begin_ns;
  std::vector<std::int64_t> end_ns;
  std::vector<double> rate;
  // Of GPUs: the memory that programs hold on them, by block, bytes; NaN or empty if it is not
  // known. A job that has ended holds none.
  std::vector<double> held;

  // Standard deviation of a block's rate while the job is calm: what steps that fall into one block
  // or the next, and the job's own ups and downs, do to it.
  double block_error = 0;
  // Standard deviation of what no mean takes away: how far the counters disagree over minutes.
  double bias_error = 0;

  // What it was taken from, by channel of the derived table.
  std::vector<model::ChannelId> members;
  std::size_t lead = 0;     // the place of the one that the others were put in proportion to
  bool lead_alone = false;  // the others only tell where the lead is too high
  bool by_bursts = false;   // by the time from one burst to the next, not by counts
  std::vector<Quantity> quantities;         // of the members, without doubles
  std::vector<model::Subsystem> resources;  // likewise

  // The time from one step to the next, s, if steps show in the ticks.
  std::optional<double> period_s;

  bool is_known() const { return not_known.empty(); }
  // Returns the standard deviation of the mean of so many blocks.
  double error_of_mean(double blocks) const {
    return Noise{block_error, bias_error}.of_mean(blocks);
  }
};

// What a stretch cost.
struct Loss {
  double mean_rate = 0;   // over the blocks that have a rate
  double mean_error = 0;  // its standard deviation
  double lost_s = 0;      // seconds of usual work that were not done; negative if more was done
  double lost_error_s = 0;
  double known_s = 0;  // seconds of the stretch that have a rate
};

// Returns what the job lost from `begin_ns` to `end_ns`; nothing if no block of it has a rate. A
// block that reaches beyond the stretch counts by its share, as if it were the same throughout.
std::optional<Loss> lost(const JobRate& job, std::int64_t begin_ns, std::int64_t end_ns);

}  // namespace reveal::work
