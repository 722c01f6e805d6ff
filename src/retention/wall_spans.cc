#include "retention/wall_spans.h"

#include <algorithm>
#include <iterator>

namespace reveal::retention {

std::vector<WallSpan> joined(std::vector<WallSpan> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const WallSpan& a, const WallSpan& b) { return a.begin_ns < b.begin_ns; });
  std::vector<WallSpan> out;
  for (const WallSpan& span : spans) {
    if (!out.empty() && span.begin_ns <= out.back().end_ns) {
      out.back().end_ns = std::max(out.back().end_ns, span.end_ns);
    } else {
      out.push_back(span);
    }
  }
  return out;
}

std::optional<std::size_t> span_of(const std::vector<WallSpan>& spans, std::int64_t wall_ns) {
  const auto after =
      std::upper_bound(spans.begin(), spans.end(), wall_ns,
                       [](std::int64_t ns, const WallSpan& span) { return ns < span.begin_ns; });
  if (after == spans.begin() || wall_ns > std::prev(after)->end_ns) return std::nullopt;
  return static_cast<std::size_t>(after - spans.begin() - 1);
}

}  // namespace reveal::retention
