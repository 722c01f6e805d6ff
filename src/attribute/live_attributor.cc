#include "attribute/live_attributor.h"

#include <algorithm>
#include <utility>

#include "attribute/finding_rule.h"
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
                  {.windows = kExplainedWindows}) {
  for (std::size_t i = 0; i < window_.detector_count(); ++i) {
    if (window_.sees_saturation(i)) judge_ = i;
  }
}

SubsystemShares LiveAttributor::take(const detect::WindowVerdict& verdict, std::size_t row) {
  row_ = row;
  window_.take(verdict);
  blame_ = attributor_.blame(row);
  return attributor_.subsystems(blame_.total);
}

bool LiveAttributor::continues(const std::vector<Finding>& findings,
                               const window::WindowSpan& window) const {
  if (!faults_) return false;
  const auto goes_on = [&](const Fault& fault) {
    const auto* finding = finding_of(fault, findings);
    return finding != nullptr && attribute::continues(finding->windows_end_ns(), window);
  };
  return std::ranges::any_of(faults_->open(), goes_on);
}

void LiveAttributor::add(std::vector<Finding>& findings) {
  know_columns();
  if (!continues(findings, matrix_.window(row_))) begin_group();
  faults_->add(row_, blame_, *readers_, findings);
  faults_->take_ended();
  tell_open(findings);
}

void LiveAttributor::begin_group() {
  faults_.emplace(attributor_, matrix_, channels_, tells_stalls_ ? judge_ : std::nullopt);
}

void LiveAttributor::tell_open(std::vector<Finding>& findings) {
  for (const auto& fault : faults_->open()) {
    if (auto* finding = finding_of(fault, findings)) {
      attributor_.tell(fault.tally, *readers_, *finding);
    }
  }
}

void LiveAttributor::add_to_change() {
  const auto& span = matrix_.window(row_);
  if (!change_ || !attribute::continues(change_->windows_end_ns(), span)) {
    change_.emplace();
    tally_of_change_ = attributor_.begin();
  }
  attributor_.add(row_, blame_, tally_of_change_, *change_);
}

void LiveAttributor::take_change(std::vector<Finding>& findings,
                                 std::optional<model::Subsystem> idle) {
  know_columns();
  findings.push_back(*std::move(change_));
  change_.reset();
  tally_of_change_.idle = idle;
  tally_of_change_.harmed = true;
  begin_group();
  faults_->go_on(findings.back(), std::move(tally_of_change_));
  tell_open(findings);
}

void LiveAttributor::forget_rows(std::size_t count) {
  if (faults_) faults_->forget_rows(count);
  tally_of_change_.forget_rows(count);
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
