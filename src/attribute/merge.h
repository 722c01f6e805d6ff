// Which flagged windows belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "attribute/finding_rule.h"
#include "feature/feature_matrix.h"
#include "window/window_view.h"

namespace reveal::attribute {

// Returns whether a flagged window belongs to the finding whose last window ended then: at most one
// window's length lies between them. If the clock was set back or forward by more, it does not.
bool continues(std::int64_t last_end_ns, const window::WindowSpan& window);

// Returns the rows that the rule flags by their votes, as groups in time order. A row joins the
// group before it if it continues() that group: a disturbance that comes and goes is one finding.
std::vector<std::vector<std::size_t>> merge_flagged(const feature::FeatureMatrix& matrix,
                                                    std::span<const int> votes,
                                                    const FindingRule& rule);

}  // namespace reveal::attribute
