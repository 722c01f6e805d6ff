#include "work/gpu_rate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "work/common_course.h"

namespace reveal::work {
namespace {

constexpr double kLeastBusy = 0.1;  // of the time, at its good level: less is a desktop
constexpr double kPresentShare = 0.6;
constexpr double kLeastShared = 0.05;       // of the SMs' time
constexpr std::size_t kLongestUnread = 12;  // blocks from one answer on who shares to the next

using Levels = std::vector<double>;  // by block, NaN if there is none

double present_share(const Levels& levels) {
  const auto present =
      std::ranges::count_if(levels, [](double level) { return std::isfinite(level); });
  return static_cast<double>(present) /
         static_cast<double>(std::max<std::size_t>(levels.size(), 1));
}

// One GPU's levels by quantity, and the channels that they are of.
struct Gpu {
  std::map<Quantity, Levels> levels;
  Levels held;    // bytes of its memory; empty if it does not say
  Levels shared;  // what others than the main group take, where that was read; likewise
  std::map<Quantity, std::vector<model::ChannelId>> channels;
};

std::map<std::string, Gpu> gpus_of(const Blocks& blocks) {
  std::map<std::string, Gpu> out;
  for (std::size_t i = 0; i < blocks.candidates().size(); ++i) {
    const auto& candidate = blocks.candidates()[i];
    if (resource_of(candidate.quantity) != model::Subsystem::kGpu) continue;
    auto levels = blocks.levels_of(i, 1);
    if (candidate.quantity == Quantity::kGpuShared) {
      out[candidate.instance].shared = std::move(levels);
      continue;
    }
    if (present_share(levels) < kPresentShare) continue;
    auto& gpu = out[candidate.instance];
    if (candidate.quantity == Quantity::kGpuHeld) {
      gpu.held = std::move(levels);
      continue;
    }
    const auto [place, is_new] = gpu.levels.try_emplace(candidate.quantity, levels);
    if (!is_new) {  // what is sent and what is received
      for (std::size_t k = 0; k < levels.size(); ++k) place->second[k] += levels[k];
    }
    gpu.channels[candidate.quantity].push_back(candidate.channel);
  }
  return out;
}

// What leads: the use of the multiprocessors, where all GPUs tell it. The driver's busy time is a
// mean over up to a second, so it lags.
Quantity lead_of(const std::vector<Gpu>& gpus) {
  const bool all_tell = std::ranges::all_of(gpus, [](const Gpu& gpu) {
    const auto use = gpu.levels.find(Quantity::kGpuSm);
    return use != gpu.levels.end() && good_level(use->second) > 0;
  });
  return all_tell ? Quantity::kGpuSm : Quantity::kGpuBusy;
}

// Use of a GPU, times its clock: a GPU at half its clock does half as much.
void weigh_by_clock(Gpu& gpu, Quantity lead) {
  const auto other = lead == Quantity::kGpuSm ? Quantity::kGpuBusy : Quantity::kGpuSm;
  gpu.levels.erase(other);
  gpu.channels.erase(other);
  const auto clock = gpu.levels.find(Quantity::kGpuClock);
  if (clock == gpu.levels.end()) return;
  auto& use = gpu.levels[lead];
  const double usual = good_level(clock->second);
  if (usual > 0) {
    for (std::size_t i = 0; i < use.size(); ++i) use[i] *= clock->second[i] / usual;
  }
  gpu.levels.erase(clock);
}

// Returns whether nobody else is known to have worked on a GPU, by block. That is asked every few
// seconds and told of the time before: what was read last and what is read next must both say so.
std::vector<bool> blocks_alone(const Levels& shared) {
  std::vector<bool> out(shared.size(), false);
  std::size_t first = 0;  // of the blocks since the last reading
  bool was_alone = false;
  for (std::size_t i = 0; i < shared.size(); ++i) {
    if (std::isnan(shared[i])) continue;
    const bool is_alone = shared[i] < kLeastShared;
    if (is_alone && was_alone && i - first <= kLongestUnread) {
      std::fill(out.begin() + static_cast<std::ptrdiff_t>(first),
                out.begin() + static_cast<std::ptrdiff_t>(i + 1), true);
    }
    was_alone = is_alone;
    first = i;
  }
  return out;
}

// The same of several GPUs: none of them is shared.
std::vector<bool> blocks_alone(const std::vector<Gpu>& gpus) {
  std::vector<bool> out;
  for (const auto& gpu : gpus) {
    const auto one = blocks_alone(gpu.shared);
    if (one.empty()) return {};
    if (out.empty()) out.assign(one.size(), true);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = out[i] && one[i];
  }
  return out;
}

// The memory of all of them that is held, bytes.
Levels held_of(const std::vector<Gpu>& gpus) {
  Levels out(gpus.front().levels.begin()->second.size(), 0);
  for (const auto& gpu : gpus) {
    if (gpu.held.empty()) return {};
    double last = std::nan("");  // it is read once a second: a block may have none
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (!std::isnan(gpu.held[i])) last = gpu.held[i];
      out[i] += last;
    }
  }
  return out;
}

// Of each quantity the mean over the GPUs, each relative to its own good level.
std::vector<Series> series_of(const std::vector<Gpu>& gpus) {
  std::map<Quantity, std::pair<Levels, double>> sums;
  for (const auto& gpu : gpus) {
    for (const auto& [quantity, levels] : gpu.levels) {
      const double usual = good_level(levels);
      if (!(usual > 0)) continue;
      auto& [sum, count] = sums[quantity];
      sum.resize(levels.size(), 0);
      ++count;
      for (std::size_t i = 0; i < levels.size(); ++i) sum[i] += levels[i] / usual;
    }
  }
  std::vector<Series> out;
  for (auto& [quantity, sum] : sums) {
    Series series;
    series.candidate = out.size();
    series.quantity = quantity;
    for (double& level : sum.first) level /= sum.second;
    series.level = std::move(sum.first);
    out.push_back(std::move(series));
  }
  return out;
}

}  // namespace

std::optional<JobRate> gpu_rate(const Blocks& blocks) {
  std::vector<Gpu> used;
  for (auto& [name, gpu] : gpus_of(blocks)) {
    const auto busy = gpu.levels.find(Quantity::kGpuBusy);
    if (busy == gpu.levels.end() || !(good_level(busy->second) >= kLeastBusy)) continue;
    used.push_back(std::move(gpu));
  }
  if (used.empty()) return std::nullopt;
  const auto lead = lead_of(used);
  for (auto& gpu : used) weigh_by_clock(gpu, lead);
  const auto series = series_of(used);
  Agreement all;
  all.seed_leads = true;
  all.only_beside_others.push_back(Quantity::kGpuFloat);
  all.is_alone = blocks_alone(used);
  const auto leading = std::ranges::find(series, lead, &Series::quantity);
  if (leading == series.end()) return std::nullopt;
  all.seed = static_cast<std::size_t>(leading - series.begin());
  all.members.resize(series.size());
  std::iota(all.members.begin(), all.members.end(), std::size_t{0});
  auto course = common_course(series, all);
  JobRate out;
  out.kind = JobKind::kGpus;
  out.rate = std::move(course.rate);
  out.held = held_of(used);
  out.block_error = course.block_error;
  out.bias_error = course.bias_error;
  for (const auto& gpu : used) {
    for (const auto& [quantity, channels] : gpu.channels) {
      out.members.insert(out.members.end(), channels.begin(), channels.end());
    }
  }
  for (const auto& one : series) out.quantities.push_back(one.quantity);
  out.resources.push_back(model::Subsystem::kGpu);
  return out;
}

}  // namespace reveal::work
