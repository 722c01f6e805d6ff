#include "attribute/merge.h"

namespace reveal::attribute {

bool continues(std::int64_t last_end_ns, const window::WindowSpan& window) {
  const std::int64_t length_ns = window.end_ns - window.begin_ns;
  return window.begin_ns >= last_end_ns - length_ns && window.begin_ns <= last_end_ns + length_ns;
}

std::vector<std::vector<std::size_t>> merge_flagged(const feature::FeatureMatrix& matrix,
                                                    std::span<const int> votes,
                                                    const FindingRule& rule) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t row = 0; row < matrix.row_count(); ++row) {
    if (!rule.flags(matrix.window(row), votes[row])) continue;
    const bool joins = !groups.empty() &&
                       continues(matrix.window(groups.back().back()).end_ns, matrix.window(row));
    if (!joins) groups.emplace_back();
    groups.back().push_back(row);
  }
  return groups;
}

}  // namespace reveal::attribute
