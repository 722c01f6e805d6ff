#include "agent/alerting.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alert/board.h"
#include "service/receivers.h"

namespace reveal::agent {

alert::Alert alert_of(const LoggedFinding& finding, const std::string& page_url) {
  alert::Alert out;
  out.id = finding.id;
  out.labels = {
      {"alertname", "RevealFinding"},
      {"host", finding.host},
      {"subsystem", std::string(model::to_string(finding.subsystem))},
      {"scope", "host"},
      {"severity", std::string(alert::to_string(service::alert_severity(finding.severity)))}};
  out.annotations = {{"summary", finding.claim},
                     {"finding", finding.id},
                     {"subsystem", std::string(model::to_string(finding.subsystem))}};
  if (!finding.pattern.empty()) out.annotations["pattern"] = finding.pattern;
  if (!finding.sentences.empty()) {
    out.annotations["description"] = fmt::format("{}", fmt::join(finding.sentences, " "));
  }
  if (!finding.remedy.empty()) out.annotations["remedy"] = finding.remedy;
  if (!page_url.empty()) {
    out.url = fmt::format("{}{}#{}", page_url, page_url.ends_with('/') ? "" : "/", finding.id);
  }
  out.begin_ns = finding.begin_ns;
  if (!finding.open) out.end_ns = finding.end_ns;
  out.finding = to_json(finding);
  return out;
}

std::span<const alert::Alert> CurrentAlerts::of(const std::vector<LoggedFinding>& findings,
                                                std::int64_t now_ns) {
  const std::int64_t history_ns = std::chrono::nanoseconds(alert::kHistory).count();
  std::vector<alert::Alert> now;
  std::vector<std::uint64_t> revisions;
  for (const auto& finding : findings) {
    if (!finding.open && finding.windows_end_ns <= now_ns - history_ns) continue;
    const auto known = std::ranges::find(alerts_, finding.id, &alert::Alert::id);
    const auto place = static_cast<std::size_t>(known - alerts_.begin());
    const bool is_same = known != alerts_.end() && revisions_[place] == finding.revision;
    now.push_back(is_same ? std::move(*known) : alert_of(finding, page_url_));
    revisions.push_back(finding.revision);
  }
  alerts_ = std::move(now);
  revisions_ = std::move(revisions);
  return alerts_;
}

}  // namespace reveal::agent
