#include "attribute/incidents.h"

#include <algorithm>

namespace reveal::attribute {
namespace {

// A finding may lie within another one. One that lies before the incident has a clock that was set.
bool joins(const Finding& finding, std::int64_t begin_ns, std::int64_t end_ns) {
  const auto& window = finding.windows.front().span;
  const std::int64_t near_ns = window.end_ns - window.begin_ns;
  return finding.begin_ns() <= end_ns + near_ns && finding.end_ns() >= begin_ns - near_ns;
}

// Places by begin, those that begin alike in their order.
void number_places(std::vector<Finding>& findings, std::size_t from, std::size_t to) {
  std::vector<std::size_t> order;
  for (std::size_t i = from; i < to; ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return findings[a].begin_ns() < findings[b].begin_ns();
  });
  for (std::size_t i = 0; i < order.size(); ++i) findings[order[i]].incident_place = i + 1;
}

}  // namespace

void number_incidents(std::vector<Finding>& findings) {
  if (findings.empty()) return;
  std::size_t number = std::max<std::size_t>(findings.front().incident, 1);
  std::size_t from = 0;
  std::int64_t begin_ns = findings.front().begin_ns();
  std::int64_t end_ns = findings.front().end_ns();
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!joins(findings[i], begin_ns, end_ns)) {
      number_places(findings, from, i);
      ++number;
      from = i;
      begin_ns = findings[i].begin_ns();
      end_ns = findings[i].end_ns();
    }
    end_ns = std::max(end_ns, findings[i].end_ns());
    findings[i].incident = number;
  }
  number_places(findings, from, findings.size());
}

}  // namespace reveal::attribute
