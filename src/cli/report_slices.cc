#include "cli/report_slices.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/saved_report.h"

namespace reveal::cli {
namespace {

using exchange::Slice;
using nlohmann::json;
using nlohmann::ordered_json;
using Slices = std::vector<Slice>;

struct Window {
  std::uint64_t id = 0;
  std::int64_t begin_ns = 0;
  json score;  // of one detector
};

// Windows of one detector that overlap or touch.
struct WindowRun {
  Window first;
  Window last;
  std::uint64_t windows = 1;
  json highest;
};

ordered_json evidence_of(const json& finding) {
  ordered_json out = ordered_json::array();
  for (const json& item : finding.at("evidence")) {
    out.push_back({{"metric", item.at("channel")},
                   {"feature", item.at("feature")},
                   {"observed", item.at("observed")},
                   {"usual", item.at("baseline_median")},
                   {"unit", item.at("unit")}});
  }
  return out;
}

Slice slice_of(const json& finding) {
  const ordered_json args = {{"subsystem", finding.at("subsystem")},
                             {"agreement", finding.at("agreement")},
                             {"detectors", finding.at("detectors")},
                             {"subsystem_shares", finding.at("subsystem_shares")},
                             {"first_window", finding.at("first_window")},
                             {"last_window", finding.at("last_window")},
                             {"evidence", evidence_of(finding)}};
  return {"findings: " + finding.at("subsystem").get<std::string>(),
          finding.at("claim").get<std::string>(), begin_of(finding), end_of(finding), args.dump()};
}

Slices slices_of_findings(const json& report) {
  Slices out;
  for (const json& finding : report.at("findings")) out.push_back(slice_of(finding));
  std::stable_sort(out.begin(), out.end(),
                   [](const Slice& a, const Slice& b) { return a.row < b.row; });
  return out;
}

std::vector<Window> flagged_windows(const json& report, const json& detector) {
  const auto& ids = report.at("windows").at("id");
  std::map<std::uint64_t, std::size_t> place_of;
  for (std::size_t i = 0; i < ids.size(); ++i) place_of[ids.at(i).get<std::uint64_t>()] = i;
  std::vector<Window> out;
  for (const json& flagged : detector.at("windows_flagged")) {
    const auto id = flagged.get<std::uint64_t>();
    const std::size_t place = place_of.at(id);
    out.push_back({id, report.at("windows").at("begin_ns").at(place).get<std::int64_t>(),
                   detector.at("scores").at(place)});
  }
  return out;
}

std::vector<WindowRun> joined_windows(const std::vector<Window>& windows, std::int64_t length_ns) {
  std::vector<WindowRun> out;
  for (const Window& window : windows) {
    if (out.empty() || window.begin_ns > out.back().last.begin_ns + length_ns) {
      out.push_back({window, window, 1, window.score});
      continue;
    }
    WindowRun& run = out.back();
    run.last = window;
    run.highest = std::max(run.highest, window.score);
    ++run.windows;
  }
  return out;
}

Slice slice_of(const WindowRun& run, const json& detector, std::int64_t length_ns) {
  const ordered_json args = {{"detector", detector.at("name")},
                             {"windows", run.windows},
                             {"first_window", run.first.id},
                             {"last_window", run.last.id},
                             {"highest_score", run.highest},
                             {"contamination_limit", detector.at("contamination_limit")}};
  const auto name = run.windows == 1 ? fmt::format("window {}", run.first.id)
                                     : fmt::format("windows {}-{}", run.first.id, run.last.id);
  return {"flagged by " + detector.at("label").get<std::string>(), name, run.first.begin_ns,
          run.last.begin_ns + length_ns, args.dump()};
}

void append_detector(const json& report, const json& detector, Slices& out) {
  const auto length_ns = report.at("configuration").at("window_ns").get<std::int64_t>();
  for (const auto& run : joined_windows(flagged_windows(report, detector), length_ns)) {
    out.push_back(slice_of(run, detector, length_ns));
  }
}

}  // namespace

base::Result<Slices> report_slices(std::string_view text, const std::string& where) {
  const auto report = parse_report(text, where);
  if (!report) return base::pass(report);
  try {
    Slices out = slices_of_findings(*report);
    for (const json& detector : report->at("detectors")) append_detector(*report, detector, out);
    return out;
  } catch (const json::exception& error) {
    return no_report(fmt::format("is not laid out as a report of Reveal ({})", error.what()),
                     where);
  } catch (const std::out_of_range&) {
    return no_report("has a flagged window that it does not list", where);
  }
}

}  // namespace reveal::cli
