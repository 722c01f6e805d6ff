#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "digest/digest_text.h"
#include "text/time_text.h"

namespace reveal::digest {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "reveal.digest";
constexpr int kSchemaVersion = 1;

Json time(std::int64_t wall_ns) {
  return {{"ns", wall_ns}, {"utc", text::iso_time(wall_ns)}};
}

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

template <typename Value>
Json known(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

template <typename Value, typename Function>
Json known(const std::optional<Value>& value, Function json_of) {
  return value ? Json(json_of(*value)) : Json();
}

// Returns a list of what `json_of` makes of each.
template <typename Item>
Json list(const std::vector<Item>& items, Json (*json_of)(const Item&)) {
  Json out = Json::array();
  for (const auto& one : items) out.push_back(json_of(one));
  return out;
}

Json finding(const Finding& one) {
  return {{"id", one.id},
          {"open", one.open},
          {"begin", time(one.begin_ns)},
          {"end", time(one.end_ns)},
          {"subsystem", one.subsystem},
          {"severity_word", one.severity},
          {"claim", one.claim},
          {"culprit", one.culprit},
          {"pattern", one.pattern},
          {"work_lost_seconds", known(one.lost_s)}};
}

Json incident(const Incident& one) {
  return {{"begin", time(one.begin_ns)},
          {"end", time(one.end_ns)},
          {"severity_word", one.severity},
          {"findings", list(one.findings, finding)}};
}

Json recurrence(const Recurrence& one) {
  return {{"subsystem", one.subsystem},  {"culprit", one.culprit},
          {"pattern", one.pattern},      {"count", one.count},
          {"first", time(one.first_ns)}, {"local_hour", known(one.hour)}};
}

Json blind(const Blind& one) {
  return {{"begin", time(one.begin_ns)}, {"end", time(one.end_ns)}, {"why", one.why}};
}

Json id(const Finding& one) {
  return one.id;
}

}  // namespace

std::string to_json(const Digest& it) {
  const Json out = {{"schema", kSchema},
                    {"schema_version", kSchemaVersion},
                    {"host", it.host},
                    {"begin", time(it.from_ns)},
                    {"end", time(it.to_ns)},
                    {"judged_seconds", seconds(it.judged_ns)},
                    {"learning_seconds", seconds(it.learning_ns)},
                    {"degraded_seconds", seconds(it.degraded_ns)},
                    {"unwatched_seconds", seconds(it.unwatched_ns)},
                    {"not_judged", list(it.blind, blind)},
                    {"findings_unreadable", it.unreadable},
                    {"findings", it.findings},
                    {"findings_before", known(it.findings_before)},
                    {"judged_before_seconds", known(it.judged_before_ns, seconds)},
                    {"incidents", list(it.incidents, incident)},
                    {"work_lost_seconds", known(it.lost_s)},
                    {"work_lost_unknown", it.lost_unknown},
                    {"recurring", list(it.recurring, recurrence)},
                    {"open", list(it.open, id)},
                    {"agent_cpu_seconds", it.cpu_s},
                    {"agent_resident_bytes", known(it.resident_bytes)},
                    {"missing_sources", known(it.missing_sources)}};
  // Claims and names of groups need not be UTF-8; such bytes become U+FFFD.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace reveal::digest
