#include "alert/payload.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.h"
#include "text/safe_text.h"
#include "text/time_text.h"

namespace reveal::alert {
namespace {

using Json = nlohmann::json;

// What Go's programs write for no time.
constexpr const char* kNoTime = "0001-01-01T00:00:00Z";

constexpr int kDeepest = 32;  // a finding has 6 levels

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_of(const Posting& posting, const Labels& more) {
  Json out = {{"labels", with_labels(posting.labels, more)},
              {"annotations", posting.annotations},
              {"startsAt", text::iso_time(posting.begin_ns)},
              {"endsAt", text::iso_time(posting.end_ns)}};
  if (!posting.url.empty()) out["generatorURL"] = posting.url;
  return out;
}

// Nothing that is nested without end: to write that would take the thread's whole stack.
Json finding_of(const Event& event) {
  auto out = base::parse_bounded<Json>(event.alert.finding, kDeepest);
  return out.is_object() ? out : Json::object();
}

// sd-daemon(3): critical 2, warning 4, notice 5, information 6.
int priority_of(const Event& event) {
  if (event.kind == EventKind::kClose) return 5;
  switch (severity_of(event.alert.labels)) {
    case Severity::kCritical:
      return 2;
    case Severity::kWarning:
      return 4;
    case Severity::kInfo:
      return 6;
  }
  return 4;
}

std::string value_or(const Labels& labels, const char* name, const std::string& otherwise) {
  const auto found = labels.find(name);
  return found == labels.end() ? otherwise : found->second;
}

// The labels that tell alerts of one host apart, "scope=host subsystem=network".
std::string who_of(const Labels& labels) {
  std::string out;
  for (const auto& [name, value] : labels) {
    if (name == "alertname" || name == "host" || name == kSeverityLabel) continue;
    out += fmt::format(" {}={}", name, value);
  }
  return out;
}

std::string_view verb_of(EventKind kind) {
  switch (kind) {
    case EventKind::kOpen:
      return "is open";
    case EventKind::kUpdate:
      return "is worse";
    case EventKind::kClose:
      return "is over";
  }
  return "";
}

}  // namespace

std::string alertmanager_body(std::span<const Posting> postings, const Labels& more) {
  Json out = Json::array();
  for (const Posting& posting : postings) out.push_back(json_of(posting, more));
  return text_of(out);
}

std::string webhook_body(const Event& event, const std::string& receiver, const Labels& more) {
  const Labels labels = with_labels(event.alert.labels, more);
  const char* status = event.kind == EventKind::kClose ? "resolved" : "firing";
  const Json alert = {
      {"status", status},
      {"labels", labels},
      {"annotations", event.alert.annotations},
      {"startsAt", text::iso_time(event.alert.begin_ns)},
      {"endsAt", event.alert.end_ns ? text::iso_time(*event.alert.end_ns) : kNoTime},
      {"generatorURL", event.alert.url},
      {"fingerprint", fmt::format("{:016x}", fingerprint(labels))}};
  return text_of({{"version", "4"},
                  {"groupKey", event.episode},
                  {"truncatedAlerts", 0},
                  {"status", status},
                  {"receiver", receiver},
                  {"groupLabels", labels},
                  {"commonLabels", labels},
                  {"commonAnnotations", event.alert.annotations},
                  {"externalURL", event.alert.url},
                  {"alerts", Json::array({alert})},
                  {"reveal",
                   {{"event", event.id},
                    {"kind", to_string(event.kind)},
                    {"id", event.alert.id},
                    {"finding", finding_of(event)}}}});
}

std::string journal_line(const Event& event) {
  const Labels& labels = event.alert.labels;
  std::string line = fmt::format("{} {} ({}){}: {}", value_or(labels, "alertname", "alert"),
                                 verb_of(event.kind), value_or(labels, kSeverityLabel, "warning"),
                                 who_of(labels), value_or(event.alert.annotations, "summary", "-"));
  if (event.alert.end_ns) {
    line += fmt::format(", from {} to {}", text::iso_time(event.alert.begin_ns),
                        text::iso_time(*event.alert.end_ns));
  }
  if (!event.alert.url.empty()) line += " " + event.alert.url;
  line = text::inert(line);
  const std::string begin = fmt::format("<{}>", priority_of(event));
  const std::size_t most = kLongestLine - begin.size() - 1;
  // No column takes more than four bytes.
  if (line.size() > most) line = text::cut(line, most / 4);
  return begin + line + "\n";
}

}  // namespace reveal::alert
