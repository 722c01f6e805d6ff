#include "work/work_meter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "work/agreement.h"
#include "work/common_course.h"

namespace reveal::work {
namespace {

// What is usual cannot be told of less.
constexpr std::size_t kFewestBlocks = 20;
// A counter must be there in most blocks, and read in most ticks of them: one that is read now and
// then tells of an earlier second.
constexpr double kPresentShare = 0.6;

// The levels of one candidate; nothing if it is too seldom there.
std::optional<Series> series_of(const Blocks& blocks, std::size_t candidate,
                                std::size_t samples_of_block) {
  Series out;
  out.candidate = candidate;
  out.quantity = blocks.candidates()[candidate].quantity;
  std::size_t whole = 0;
  std::size_t present = 0;
  for (const auto& block : blocks.finished()) {
    const bool has = candidate < block.level.size() &&
                     block.samples[candidate] >= samples_of_block && block.is_whole;
    out.level.push_back(has ? static_cast<double>(block.level[candidate])
                            : std::numeric_limits<double>::quiet_NaN());
    whole += block.is_whole ? 1 : 0;
    present += has ? 1 : 0;
  }
  if (static_cast<double>(present) < kPresentShare * static_cast<double>(whole))
    return std::nullopt;
  return out;
}

std::vector<Series> host_series(const Blocks& blocks) {
  const auto samples = static_cast<std::size_t>(
      std::ceil(kPresentShare * static_cast<double>(blocks.ticks_per_block())));
  std::vector<Series> out;
  for (std::size_t i = 0; i < blocks.candidates().size(); ++i) {
    const auto& candidate = blocks.candidates()[i];
    if (!candidate.group.empty() || candidate.scope == model::Scope::kGpu) continue;
    if (auto series = series_of(blocks, i, samples)) out.push_back(*std::move(series));
  }
  return out;
}

void set_times(const Blocks& blocks, JobRate& out) {
  for (const auto& block : blocks.finished()) {
    out.begin_ns.push_back(block.begin_ns);
    out.end_ns.push_back(block.end_ns);
  }
}

void set_members(const Blocks& blocks, std::span<const Series> series, const Agreement& agreement,
                 JobRate& out) {
  std::set<Quantity> quantities;
  std::set<model::Subsystem> resources;
  for (const auto member : agreement.members) {
    out.members.push_back(blocks.candidates()[series[member].candidate].channel);
    quantities.insert(series[member].quantity);
    resources.insert(resource_of(series[member].quantity));
  }
  out.quantities.assign(quantities.begin(), quantities.end());
  out.resources.assign(resources.begin(), resources.end());
}

JobRate host_rate(const Blocks& blocks) {
  JobRate out;
  const auto whole = static_cast<std::size_t>(
      std::ranges::count_if(blocks.finished(), [](const Block& block) { return block.is_whole; }));
  if (whole < kFewestBlocks) {
    out.not_known = "the run is too short to say what is usual";
    return out;
  }
  const auto series = host_series(blocks);
  const auto agreement = best_agreement(series);
  if (!agreement) {
    out.not_known =
        "nothing that the job leaves behind moves with its steps: no two counters of finished work "
        "go up and down together";
    return out;
  }
  auto course = common_course(series, *agreement);
  set_times(blocks, out);
  set_members(blocks, series, *agreement, out);
  out.rate = std::move(course.rate);
  out.block_error = course.block_error;
  out.bias_error = course.bias_error;
  return out;
}

}  // namespace

std::vector<JobRate> WorkMeter::estimate() const {
  return {host_rate(blocks_)};
}

}  // namespace reveal::work
