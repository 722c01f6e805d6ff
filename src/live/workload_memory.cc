#include "live/workload_memory.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "detect/workload_baseline.h"

namespace reveal::live {
namespace {

// As far back as windows are judged anew.
constexpr std::size_t kRemembered = 60;
// As regimes are told from one another.
constexpr std::size_t kApart = 2;

// Of a workload that comes back its groups may have other names now, and the host other devices:
// then it begins anew.
base::Result<detect::FittedBaseline> learned_of(const std::optional<detect::KnownWorkload>& known,
                                                feature::FeatureMatrix levels,
                                                const model::ChannelTable& channels,
                                                const window::WindowSpec& windows,
                                                detect::BaselineOrigin origin) {
  if (known) {
    auto out = detect::learn_workload(*known->baseline, levels, channels, origin);
    if (out) return out;
  }
  return detect::fit_workload(std::move(levels), channels, std::move(origin), windows);
}

}  // namespace

void WorkloadMemory::take(const feature::FeatureMatrix& matrix, const model::ChannelTable& channels,
                          std::size_t row) {
  recent_.push_back(reader_.read(matrix, channels, row));
  if (recent_.size() > kRemembered) recent_.pop_front();
  if (recent_.size() < kSettled) return;
  const auto first = std::prev(recent_.end(), std::ptrdiff_t{kSettled});
  const std::vector<detect::Footprint> latest(first, recent_.end());
  const auto median = detect::median_of(latest);
  const bool is_settled = std::ranges::all_of(
      latest, [&](const detect::Footprint& one) { return detect::are_alike(one, median); });
  if (!is_settled) return;
  if (regime_ && detect::levels_apart(*regime_, median) < kApart) return;
  begin_regime(matrix, row, median);
}

void WorkloadMemory::begin_regime(const feature::FeatureMatrix& matrix, std::size_t row,
                                  const detect::Footprint& footprint) {
  regime_ = footprint;
  const std::size_t windows = std::min(newest_alike(footprint), row + 1);
  regime_begin_ns_ = matrix.window(row + 1 - windows).begin_ns;
  sound_ = 0;
  in_findings_ = 0;
  is_learned_ = false;
  is_chosen_ = false;
}

std::size_t WorkloadMemory::newest_alike(const detect::Footprint& footprint) const {
  const auto other = std::find_if(recent_.rbegin(), recent_.rend(), [&](const auto& one) {
    return !detect::are_alike(one, footprint);
  });
  return static_cast<std::size_t>(other - recent_.rbegin());
}

void WorkloadMemory::note_judged(bool in_finding) {
  sound_ = in_finding ? 0 : sound_ + 1;
  in_findings_ += in_finding ? 1U : 0U;
  if (in_finding && !compared_.empty()) doubts_ = store_.doubt(compared_);
}

void WorkloadMemory::note_judged_anew(const std::vector<bool>& in_finding) {
  sound_ = 0;
  in_findings_ = 0;
  for (const bool one : in_finding) note_judged(one);
}

std::optional<WorkloadMemory::Choice> WorkloadMemory::choose(const detect::FittedBaseline* own,
                                                             const window::WindowSpec& windows) {
  if (!regime_ || is_chosen_) return std::nullopt;
  is_chosen_ = true;
  leave();
  Choice out;
  if (own != nullptr && detect::are_alike(detect::footprint_of(*own), *regime_)) return out;
  auto known = store_.find(*regime_, windows);
  if (!known || known->doubts >= kMostDoubts) return out;
  compared_ = known->name;
  doubts_ = known->doubts;
  out.earlier = std::move(known);
  out.windows = newest_alike(detect::footprint_of(*out.earlier->baseline));
  out.began = out.windows < recent_.size();
  return out;
}

bool WorkloadMemory::is_of_present(const detect::FittedBaseline& baseline) const {
  return regime_ && detect::levels_apart(detect::footprint_of(baseline), *regime_) < kApart;
}

void WorkloadMemory::learn_if_due(const feature::FeatureMatrix& matrix,
                                  const model::ChannelTable& channels,
                                  const window::WindowSpec& windows,
                                  detect::BaselineOrigin origin) {
  if (!regime_ || is_learned_ || sound_ < kLearned) return;
  is_learned_ = true;
  const std::size_t rows = matrix.row_count();
  auto levels = detect::levels_of(matrix, channels, rows - std::min(sound_, rows));
  origin.begin_ns = regime_begin_ns_;
  origin.end_ns = matrix.window(rows - 1).end_ns;
  const auto known = store_.find(*regime_, windows);
  const auto learned = learned_of(known, std::move(levels), channels, windows, std::move(origin));
  if (!learned) return;  // nothing tells what waits, or nothing moved
  const auto kept = store_.keep(known ? known->name : std::string(), *learned);
  if (!kept) troubles_.push_back(kept.error().message());
}

std::vector<std::string> WorkloadMemory::take_troubles() {
  auto out = store_.take_troubles();
  out.insert(out.end(), std::make_move_iterator(troubles_.begin()),
             std::make_move_iterator(troubles_.end()));
  troubles_.clear();
  return out;
}

}  // namespace reveal::live
