// Alerts and times for tests.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "alert/alert.h"
#include "alert/board.h"

namespace reveal::alert::testing {

// A round time in 2026, and times after it.
inline constexpr std::int64_t kStartNs = 1'790'000'000'000'000'000;

inline std::int64_t at(double seconds) {
  return kStartNs + static_cast<std::int64_t>(seconds * 1e9);
}

inline Alert made_alert(const std::string& subsystem, std::int64_t begin_ns,
                        const std::string& severity = "warning") {
  Alert out;
  out.id = "finding of " + subsystem;
  out.labels = {{"alertname", "RevealFinding"},
                {"host", "n017"},
                {"subsystem", subsystem},
                {"severity", severity}};
  out.annotations = {{"summary", subsystem + " is slow"}};
  out.begin_ns = begin_ns;
  out.finding = R"({"id":"01J9","claim":")" + subsystem + R"("})";
  out.url = "https://n017:7383/findings/01J9";
  return out;
}

// Returns the alert with another value of one of its labels.
inline Alert labeled(Alert alert, const std::string& name, const std::string& value) {
  alert.labels[name] = value;
  return alert;
}

// Returns the next event of the receiver, noted as told.
inline std::optional<Event> take(Board& board, const std::string& receiver) {
  auto out = board.next(receiver);
  if (out) board.note(receiver, *out);
  return out;
}

inline Alert ended(Alert alert, std::int64_t end_ns) {
  alert.end_ns = end_ns;
  return alert;
}

}  // namespace reveal::alert::testing
