#include "service/receivers.h"

#include <algorithm>
#include <chrono>

namespace reveal::service {
namespace {

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

alert::Severity alert_severity(std::string_view word) {
  if (word == "minor") return alert::Severity::kInfo;
  return word == "major" ? alert::Severity::kCritical : alert::Severity::kWarning;
}

alert::AlertOptions alert_options(const settings::Settings& settings,
                                  const std::filesystem::path& state_file) {
  alert::AlertOptions out;
  out.resend = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::nanoseconds(settings.alerts.resend_ns));
  // One without a value is refused as the others are (alert::check()).
  for (const auto& label : settings.alerts.labels) {
    const auto name = std::min(label.find('='), label.size());
    out.labels[label.substr(0, name)] = label.substr(std::min(name + 1, label.size()));
  }
  out.state_file = state_file;
  for (const auto& receiver : settings.receivers) {
    out.receivers.push_back(receiver_of(receiver, alert_severity(settings.alerts.min_severity)));
  }
  return out;
}

}  // namespace reveal::service
