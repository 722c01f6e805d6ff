#include "agent/alerting.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "alert/board.h"

namespace reveal::agent {
namespace {

// What receivers know of our scale (docs/report.md): somebody should look, or come at once.
alert::Severity severity_of(std::string_view word) {
  if (word == "minor") return alert::Severity::kInfo;
  return word == "major" ? alert::Severity::kCritical : alert::Severity::kWarning;
}

alert::ReceiverOptions receiver_of(const settings::ReceiverSettings& receiver,
                                   alert::Severity least) {
  alert::ReceiverOptions out;
  // The settings have no kind that is not known there; a test holds them to that.
  out.kind = alert::receiver_kind(receiver.kind).value();
  out.url = receiver.url;
  out.ca_file = receiver.ca_file;
  out.token_file = receiver.token_file;
  out.secret_file = receiver.secret_file;
  out.command = receiver.run;
  out.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::nanoseconds(receiver.timeout_ns));
  out.least = least;
  return out;
}

}  // namespace

alert::AlertOptions alert_options(const settings::Settings& settings, const Paths& paths) {
  alert::AlertOptions out;
  out.resend = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::nanoseconds(settings.alerts.resend_ns));
  // One without a value is refused as the others are (alert::check()).
  for (const auto& label : settings.alerts.labels) {
    const auto name = std::min(label.find('='), label.size());
    out.labels[label.substr(0, name)] = label.substr(std::min(name + 1, label.size()));
  }
  out.state_file = paths.alerts();
  for (const auto& receiver : settings.receivers) {
    out.receivers.push_back(receiver_of(receiver, severity_of(settings.alerts.min_severity)));
  }
  return out;
}

alert::Alert alert_of(const LoggedFinding& finding, const std::string& page_url) {
  alert::Alert out;
  out.id = finding.id;
  out.labels = {{"alertname", "RevealFinding"},
                {"host", finding.host},
                {"subsystem", std::string(model::to_string(finding.subsystem))},
                {"scope", "host"},
                {"severity", std::string(alert::to_string(severity_of(finding.severity)))}};
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
