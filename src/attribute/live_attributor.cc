#include "attribute/live_attributor.h"

#include <utility>

#include "attribute/finding_rule.h"
#include "attribute/merge.h"
#include "attribute/subsystem_split.h"
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
                  {.windows = kExplainedWindows}) {
  for (std::size_t i = 0; i < window_.detector_count(); ++i) {
    if (window_.sees_saturation(i)) judge_ = i;
  }
}

// Returns the subsystem that clearly stalls the work of the window that was taken last.
std::optional<model::Subsystem> LiveAttributor::stalled_by() const {
  if (!stalled_ || !judge_ || !tells_stalls_) return std::nullopt;
  return clearly_one(attributor_.subsystems(*judge_, row_), kClearly);
}

SubsystemShares LiveAttributor::take(const detect::WindowVerdict& verdict, std::size_t row) {
  row_ = row;
  window_.take(verdict);
  stalled_ = verdict.stalled;
  blame_ = attributor_.blame(row);
  return attributor_.subsystems(blame_.total);
}

bool LiveAttributor::continues(const Finding& last, const window::WindowSpan& window) const {
  return tally_ && attribute::continues(last.windows_end_ns(), window);
}

void LiveAttributor::add(Finding& finding) {
  know_columns();
  if (finding.windows.empty()) begin_finding(attributor_.begin());
  follow(finding);
  attributor_.add(row_, blame_, *tally_, finding);
  attributor_.tell(*tally_, *readers_, finding);
  if (next_) attributor_.add(row_, blame_, next_->tally, next_->finding);
}

void LiveAttributor::begin_finding(Tally tally) {
  tally_ = std::move(tally);
  succession_ = {};
  next_.reset();
  taken_over_ = false;
}

void LiveAttributor::follow(const Finding& finding) {
  const bool alarmed = judge_ && window_.flags(*judge_, row_);
  const auto step = succession_.take(matrix_.window(row_), stalled_by(), alarmed);
  taken_over_ = step == Succession::Step::kTakesOver;
  if (step == Succession::Step::kHasNot) next_.reset();
  if (step == Succession::Step::kMayBegin) next_ = {finding, {}, attributor_.begin()};
}

std::optional<Finding> LiveAttributor::split(Finding& finding) {
  if (!taken_over_) return std::nullopt;
  taken_over_ = false;
  finding = std::move(next_->before);
  tally_ = std::move(next_->tally);
  Finding out = std::move(next_->finding);
  next_.reset();
  attributor_.tell(*tally_, *readers_, out);
  return out;
}

void LiveAttributor::add_to_change() {
  const auto& span = matrix_.window(row_);
  if (!change_ || !attribute::continues(change_->windows_end_ns(), span)) {
    change_.emplace();
    tally_of_change_ = attributor_.begin();
  }
  attributor_.add(row_, blame_, tally_of_change_, *change_);
}

Finding LiveAttributor::take_change(std::optional<model::Subsystem> idle) {
  know_columns();
  Finding out = *std::move(change_);
  change_.reset();
  begin_finding(std::move(tally_of_change_));
  tally_->idle = idle;
  attributor_.tell(*tally_, *readers_, out);
  return out;
}

void LiveAttributor::forget_rows(std::size_t count) {
  const auto forget = [&](Tally& tally) {
    std::erase_if(tally.rows, [&](std::size_t row) { return row < count; });
    for (auto& row : tally.rows) row -= count;
  };
  if (tally_) forget(*tally_);
  if (next_) forget(next_->tally);
  forget(tally_of_change_);
  // A change that is over for so long is none of a slowdown that is noticed now.
  if (tally_of_change_.rows.empty()) change_.reset();
}

// Devices may be added while the host is watched.
void LiveAttributor::know_columns() {
  if (readers_ && known_columns_ == matrix_.column_count()) return;
  known_columns_ = matrix_.column_count();
  tells_stalls_ = tells_stalls(channels_, judge_.has_value());
  readers_.emplace(Readers{
      PatternReader(channels_, matrix_, usual_levels(scorer_.baseline(), scorer_.layout())),
      ConsumerReader(channels_, matrix_), StallReader(channels_, matrix_), processes_, ticks_});
}

}  // namespace reveal::attribute
