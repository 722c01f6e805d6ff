#include "attribute/live_attributor.h"

#include <utility>

#include "attribute/merge.h"
#include "attribute/usual.h"

namespace reveal::attribute {

LiveAttributor::LiveAttributor(const detect::WindowScorer& scorer,
                               const feature::FeatureMatrix& matrix,
                               const model::ChannelTable& channels,
                               const model::ProcessTimeline* processes,
                               const window::TickHistory* ticks)
    : scorer_(scorer),
      matrix_(matrix),
      channels_(channels),
      processes_(processes),
      ticks_(ticks),
      window_(scorer),
      attributor_(window_, matrix, channels, usual_of(scorer.baseline()),
                  {.windows = kExplainedWindows}) {}

SubsystemShares LiveAttributor::take(const detect::WindowVerdict& verdict, std::size_t row) {
  row_ = row;
  window_.take(verdict);
  blame_ = attributor_.blame(row);
  return attributor_.subsystems(blame_.total);
}

bool LiveAttributor::continues(const Finding& last, const window::WindowSpan& window) const {
  return tally_ && attribute::continues(last.windows_end_ns(), window);
}

void LiveAttributor::add(Finding& finding) {
  know_columns();
  if (finding.windows.empty()) tally_ = attributor_.begin();
  attributor_.add(row_, blame_, *tally_, finding);
  attributor_.tell(*tally_, *readers_, finding);
}

void LiveAttributor::add_to_change() {
  const auto& span = matrix_.window(row_);
  if (!change_ || !attribute::continues(change_->windows_end_ns(), span)) {
    change_.emplace();
    tally_of_change_ = attributor_.begin();
  }
  attributor_.add(row_, blame_, tally_of_change_, *change_);
}

Finding LiveAttributor::take_change() {
  know_columns();
  Finding out = *std::move(change_);
  change_.reset();
  tally_ = std::move(tally_of_change_);
  attributor_.tell(*tally_, *readers_, out);
  return out;
}

void LiveAttributor::forget_rows(std::size_t count) {
  const auto forget = [&](Tally& tally) {
    std::erase_if(tally.rows, [&](std::size_t row) { return row < count; });
    for (auto& row : tally.rows) row -= count;
  };
  if (tally_) forget(*tally_);
  forget(tally_of_change_);
  // A change that is over for so long is none of a slowdown that is noticed now.
  if (tally_of_change_.rows.empty()) change_.reset();
}

// Devices may be added while the host is watched.
void LiveAttributor::know_columns() {
  if (readers_ && known_columns_ == matrix_.column_count()) return;
  known_columns_ = matrix_.column_count();
  readers_.emplace(Readers{
      PatternReader(channels_, matrix_, usual_levels(scorer_.baseline(), scorer_.layout())),
      ConsumerReader(channels_, matrix_), StallReader(channels_, matrix_), processes_, ticks_});
}

}  // namespace reveal::attribute
