#include "top/plan.h"

#include <algorithm>

#include "model/metric.h"

namespace reveal::top {
namespace {

constexpr std::size_t kDeviationWidth = 6;

// What is left to names after values and curves.
void share_columns(std::size_t columns, Plan& plan) {
  plan.value_width = columns >= 100 ? 18 : 14;
  plan.usual = columns >= 56;
  plan.curve = columns >= 80 ? std::min<std::size_t>(60, 8 + (columns - 80) / 3) : 0;
  const std::size_t values = plan.usual ? 2 : 1;
  const std::size_t taken =
      values * (plan.value_width + 1) + kDeviationWidth + 1 + (plan.curve > 0 ? plan.curve + 1 : 0);
  plan.name_width = columns - taken;
}

}  // namespace

bool too_small(Size size) {
  return size.rows < kSmallest.rows || size.columns < kSmallest.columns;
}

Plan plan_of(Size size, std::size_t strips, std::size_t findings, std::size_t details) {
  Plan out;
  share_columns(size.columns, out);
  constexpr std::size_t kTitleAndFooter = 2;
  out.axis = size.rows >= 16;
  out.findings_header = size.rows >= 16;
  // The time, and the claim: one line of a wide screen holds it.
  out.finding_lines = size.rows < 14 ? 1 : size.rows < 24 || size.columns >= 120 ? 2 : 3;
  out.channels_header = size.rows >= 12;
  static_assert(kSmallest.rows > kTitleAndFooter + model::kSubsystemCount);
  std::size_t left = size.rows - kTitleAndFooter - strips;
  left -= static_cast<std::size_t>(out.axis) + static_cast<std::size_t>(out.findings_header) +
          static_cast<std::size_t>(out.channels_header);
  if (findings == 0) {
    out.finding_lines = 1;
  } else {
    out.details = size.rows < 24 ? 0 : details;
    left -= out.details;
    out.findings = std::clamp<std::size_t>(left * 2 / 5 / out.finding_lines, 1, findings);
  }
  out.channels = left - out.findings * out.finding_lines;
  return out;
}

}  // namespace reveal::top
