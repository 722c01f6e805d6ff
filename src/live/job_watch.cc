#include "live/job_watch.h"

#include <algorithm>
#include <utility>

namespace reveal::live {
namespace {

// With fewer the meter knows no rate.
constexpr std::size_t kFirstChoice = 20;

}  // namespace

bool JobWatch::is_choice_due(std::size_t blocks, bool is_urgent) const {
  if (blocks < std::max(next_choice_, kFirstChoice)) return false;
  return !is_urgent || jobs_.empty();
}

bool JobWatch::update(const work::WorkMeter& meter, bool is_urgent) {
  const std::size_t blocks = meter.blocks_so_far();
  const bool chooses = is_choice_due(blocks, is_urgent);
  const std::size_t apart = is_urgent ? kBlocksWhileUrgent : kBlocksWhileCalm;
  if (!chooses && (rates_.empty() || blocks < estimated_at_ + apart)) return false;
  if (chooses) {
    rates_ = meter.estimate();
    // The more is known, the less one more block can tell.
    next_choice_ = blocks + std::clamp(blocks / 2, kFirstChoice, kBlocksOfChoice);
  } else {
    rates_ = meter.follow(rates_);
  }
  jobs_ = attribute::histories_of(rates_);
  estimated_at_ = blocks;
  return true;
}

}  // namespace reveal::live
