#include "serve/health.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "text/safe_text.h"
#include "text/time_text.h"
#include "text/words.h"

namespace reveal::serve {
namespace {

using nlohmann::json;

// Monitors cut longer lines, at a place of their choice.
constexpr std::size_t kMostColumns = 300;

// What the status says, if it says it in the form that it should have.
struct Seen {
  std::string state;
  std::string reason;
  std::optional<double> tick_age_s;
  std::uint64_t open = 0;
  std::uint64_t major = 0;
  std::string fleet;    // what is wrong with the way to the fleet; empty: nothing
  std::string gravest;  // of the open findings that are named: "network, major: claim"
};

const json& member(const json& object, const char* key) {
  static const json kNone;
  if (!object.is_object()) return kNone;
  const auto found = object.find(key);
  return found == object.end() ? kNone : *found;
}

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<std::uint64_t> count_of(const json& value) {
  if (!value.is_number_unsigned()) return {};
  return value.get<std::uint64_t>();
}

std::string gravest_of(const json& named) {
  if (!named.is_array() || named.empty()) return {};
  const auto is_major = [](const json& one) { return text_of(member(one, "severity")) == "major"; };
  const auto found = std::find_if(named.begin(), named.end(), is_major);
  const auto& one = found == named.end() ? named.front() : *found;
  return fmt::format("{}, {}: {}", text_of(member(one, "subsystem")),
                     text_of(member(one, "severity")), text_of(member(one, "claim")));
}

// Returns nothing if the text is not a status.
std::optional<Seen> read_status(const std::string& text) {
  const auto status = json::parse(text, nullptr, false);
  const auto& findings = member(status, "findings");
  const auto open = count_of(member(findings, "open"));
  Seen out;
  out.state = text_of(member(status, "state"));
  out.reason = text_of(member(status, "reason"));
  if (out.state.empty() || !open) return {};
  out.open = *open;
  out.major = count_of(member(member(findings, "open_by_severity"), "major")).value_or(0);
  out.gravest = gravest_of(member(findings, "named"));
  out.fleet = text_of(member(member(status, "fleet"), "trouble"));
  const auto& age = member(member(status, "recorder"), "tick_age_seconds");
  if (age.is_number()) out.tick_age_s = age.get<double>();
  return out;
}

// A bar would begin the numbers.
std::string told(std::string_view text) {
  auto out = text::inert(text);
  std::replace(out.begin(), out.end(), '|', '/');
  return text::shortened(out, kMostColumns, "...");
}

std::string line_of(Health health, std::string_view what) {
  return fmt::format("REVEAL {} - {}", to_string(health), told(what));
}

HealthVerdict unknown(std::string_view what) {
  return {.health = Health::kUnknown, .line = line_of(Health::kUnknown, what)};
}

std::string numbers(const Seen& seen, double max_age_s) {
  return fmt::format(" | open_findings={};0;;0 major_findings={};;0;0 tick_age={:.3f}s;{};;0",
                     seen.open, seen.major, *seen.tick_age_s, max_age_s);
}

// The host is well without its fleet, so this makes no verdict worse.
std::string fleet_text(const Seen& seen) {
  return seen.fleet.empty() ? "" : "; the fleet is not told: " + seen.fleet;
}

std::string open_text(const Seen& seen) {
  auto out = "open: " + text::plural(static_cast<std::size_t>(seen.open), "finding");
  if (!seen.gravest.empty()) out += "; " + seen.gravest;
  return out;
}

std::string state_text(const Seen& seen) {
  return seen.reason.empty() ? seen.state : seen.state + ": " + seen.reason;
}

HealthVerdict of_open_findings(const Seen& seen, const std::string& after) {
  const auto health = seen.major > 0 ? Health::kCritical : Health::kWarning;
  const auto text = open_text(seen);
  return {.health = health,
          .line = line_of(health, text + fleet_text(seen)) + after,
          .slurm = "[node_problem] reveal: " + told(text)};
}

}  // namespace

std::string_view to_string(Health health) {
  switch (health) {
    case Health::kOk:
      return "OK";
    case Health::kWarning:
      return "WARNING";
    case Health::kCritical:
      return "CRITICAL";
    case Health::kUnknown:
      return "UNKNOWN";
  }
  return "";
}

HealthVerdict judge_health(const base::Result<std::string>& status,
                           std::chrono::nanoseconds max_age) {
  if (!status) return unknown(status.error().message());
  const auto seen = read_status(*status);
  if (!seen) return unknown("the agent's answer is not a status that this version can read");
  if (!seen->tick_age_s) return unknown("the recorder has not ticked yet");
  const auto max_age_s = std::chrono::duration<double>(max_age).count();
  if (!(*seen->tick_age_s <= max_age_s)) {
    return unknown(
        fmt::format("no tick for {:.0f} s: the recorder stands still", *seen->tick_age_s));
  }
  const auto after = numbers(*seen, max_age_s);
  if (seen->open > 0) return of_open_findings(*seen, after);
  const auto health = seen->state == "judging" ? Health::kOk : Health::kWarning;
  return {
      .health = health,
      .line = line_of(health, state_text(*seen) + "; no open finding" + fleet_text(*seen)) + after};
}

std::string health_json(const HealthVerdict& verdict) {
  const nlohmann::json json = {{"error", verdict.line}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace reveal::serve
