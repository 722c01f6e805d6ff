// report.json as tests make it, with all that the reader of saved reports asks for.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "report/report.h"

namespace reveal::report {

inline nlohmann::json saved_finding(std::int64_t begin_ns, std::int64_t end_ns) {
  return {{"claim", "it is slow"},
          {"claim_channel", ""},
          {"subsystem", "cpu"},
          {"subsystem_shares",
           {{"cpu", 1.0}, {"gpu", 0.0}, {"memory", 0.0}, {"network", 0.0}, {"storage", 0.0}}},
          {"begin", {{"ns", begin_ns}, {"utc", "?"}}},
          {"end", {{"ns", end_ns}, {"utc", "?"}}},
          {"first_window", 4},
          {"last_window", 6},
          {"detectors", {"zscore", "forest"}},
          {"agreement", 2},
          {"severity", nullptr},
          {"patterns", nlohmann::json::array()},
          {"evidence", nlohmann::json::array()}};
}

inline nlohmann::json saved_evidence(const std::string& channel) {
  return {{"channel", channel},
          {"feature", "mean"},
          {"unit", "ratio"},
          {"observed", 0.5},
          {"baseline_median", nullptr}};
}

// Three windows, of which a detector flags the last two.
inline nlohmann::json saved_report(const nlohmann::json& findings) {
  return {{"schema", "reveal.report"},
          {"schema_version", kSchemaVersion},
          {"host", {{"name", "node7"}}},
          {"run", {{"begin", {{"ns", 1'000}, {"utc", "?"}}}, {"interval_ns", 100}}},
          {"configuration", {{"window_ns", 3'000}}},
          {"findings", findings},
          {"detectors",
           {{{"name", "zscore"},
             {"label", "Z-score"},
             {"contamination_limit", 2.5},
             {"windows_flagged", {5, 6}},
             {"scores", {0.5, nullptr, 9}}}}},
          {"windows", {{"id", {4, 5, 6}}, {"begin_ns", {1'000, 2'000, 3'000}}}}};
}

}  // namespace reveal::report
