// What recording costs by interval, beside perf stat (paper, section 5.3 and Figure 5): the figures
// of studies/overhead/overhead.py as a table and a picture. The script runs the recorders; this
// reads the file that its --json wrote.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/whole_file.h"
#include "report/saved_json.h"
#include "study/study.h"
#include "text/quantity.h"

namespace reveal::study {
namespace {

using report::SavedObject;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPaperInterval_s = 0.1;  // of perf stat in Figure 5
constexpr const char* kRemedy = "make it by studies/overhead/overhead.py --json FILE";

// What ran beside the command, by the script's words and by ours, in the order of the table.
struct Beside {
  const char* word;
  const char* name;
};
constexpr std::array<Beside, 3> kBeside{
    {{"none", "nothing"}, {"reveal", "reveal record"}, {"perf", "perf stat -a"}}};
constexpr std::size_t kAlone = 0;
constexpr std::size_t kReveal = 1;
constexpr std::size_t kPerf = 2;

// A median over the rounds, with the least and the most.
struct Figure {
  double median = kNan;
  double least = kNan;
  double most = kNan;
};

struct Cost {
  std::size_t beside = kAlone;
  double interval_s = kNan;  // of a recorder
  std::uint64_t rounds = 0;
  Figure cores;    // of a recorder: its CPU time over time
  Figure seconds;  // that the command took
  double slower = 0;
};

struct Costs {
  std::vector<std::string> command;
  std::vector<Cost> rows;  // by what ran beside it, then by interval
};

double number(const SavedObject& json, const char* key, report::Problem& problem) {
  const auto out = json.number(key);
  if (!out) problem.set(json.path_of(key), "is not a number");
  return out.value_or(0);
}

double amount(const SavedObject& json, const char* key, report::Problem& problem) {
  const double out = number(json, key, problem);
  if (out < 0) problem.set(json.path_of(key), "is below 0");
  return out;
}

Cost cost_of(const SavedObject& json, report::Problem& problem) {
  Cost out;
  const auto by = json.text("by");
  const auto found = std::ranges::find_if(
      kBeside, [&](const auto& one) { return std::string_view(one.word) == by; });
  if (found == kBeside.end()) problem.set(json.path_of("by"), "is neither none, reveal nor perf");
  out.beside = static_cast<std::size_t>(found - kBeside.begin());
  out.rounds = json.count("rounds");
  out.seconds = {amount(json, "seconds", problem), amount(json, "seconds_least", problem),
                 amount(json, "seconds_most", problem)};
  out.slower = number(json, "slower", problem);
  if (out.beside == kAlone) return out;
  out.cores = {amount(json, "cores", problem), amount(json, "cores_least", problem),
               amount(json, "cores_most", problem)};
  const auto interval_ms = json.count("interval_ms");
  if (interval_ms == 0) problem.set(json.path_of("interval_ms"), "is 0");
  out.interval_s = static_cast<double>(interval_ms) / 1e3;
  return out;
}

Costs costs_of(const SavedObject& json, report::Problem& problem) {
  Costs out{.command = json.texts("command"), .rows = {}};
  for (const auto& row : json.objects("rows")) out.rows.push_back(cost_of(row, problem));
  const auto is_ours = [](const Cost& one) { return one.beside == kReveal; };
  if (std::ranges::none_of(out.rows, is_ours)) problem.set("rows", "has none of reveal");
  std::ranges::stable_sort(out.rows, {}, [](const Cost& one) {
    return std::pair(one.beside, one.beside == kAlone ? 0 : one.interval_s);
  });
  return out;
}

base::Result<Costs> read_costs(const std::string& file) {
  const auto text = base::read_whole_file(file, "figures");
  if (!text) return base::pass(text);
  const auto document = report::saved_document(*text);
  if (document.is_discarded()) {
    return base::fail(base::ErrorKind::kCorrupt, "is not JSON", file, kRemedy);
  }
  report::Problem problem;
  auto out = costs_of(SavedObject(document, "", problem), problem);
  if (problem.text.empty()) return out;
  return base::fail(base::ErrorKind::kCorrupt,
                    "is not laid out as the figures of overhead.py: " + problem.text, file,
                    kRemedy);
}

Table table_of(const std::vector<Cost>& rows) {
  Table out{.name = "costs",
            .title = "Cost by interval: medians, the least and the most over the rounds",
            .columns = {{"beside", "beside", ""},
                        {"interval_seconds", "every", "seconds"},
                        {"rounds", "rounds", ""},
                        {"cores", "share of a core", "ratio"},
                        {"cores_least", "from", "ratio"},
                        {"cores_most", "to", "ratio"},
                        {"seconds", "CMD takes", "seconds"},
                        {"seconds_least", "from", "seconds"},
                        {"seconds_most", "to", "seconds"},
                        {"slower", "slower", "ratio"}},
            .rows = {}};
  for (const auto& one : rows) {
    out.rows.push_back({std::string(kBeside[one.beside].name), one.interval_s,
                        static_cast<double>(one.rounds), one.cores.median, one.cores.least,
                        one.cores.most, one.seconds.median, one.seconds.least, one.seconds.most,
                        one.slower});
  }
  return out;
}

// Returns the shortest interval from which on Reveal costs at most `cores`; nothing if it never
// does.
std::optional<double> costs_at_most(double cores, const std::vector<Cost>& rows) {
  std::optional<double> out;
  for (const auto& one : rows) {
    if (one.beside != kReveal) continue;
    if (one.cores.median > cores) out.reset();
    if (one.cores.median <= cores && !out) out = one.interval_s;
  }
  return out;
}

// The paper's comparison.
std::string perf_note(const std::vector<Cost>& rows) {
  const auto is_perf = [](const Cost& one) { return one.beside == kPerf; };
  if (std::ranges::none_of(rows, is_perf)) {
    return "perf stat did not work there, so nothing stands beside Reveal's figures.";
  }
  const auto found = std::ranges::find_if(
      rows, [&](const Cost& one) { return is_perf(one) && one.interval_s == kPaperInterval_s; });
  if (found == rows.end()) return {};
  const auto interval = costs_at_most(found->cores.median, rows);
  const auto ours = interval ? "no more from " + text::format_quantity(*interval, "seconds") + " on"
                             : std::string("more at each of these intervals");
  return fmt::format("perf stat every 100 ms takes {} of a core. reveal record takes {}.",
                     text::format_quantity(found->cores.median, "ratio"), ours);
}

}  // namespace

base::Result<Result> study_overhead(const Request& request) {
  if (request.directories.size() > 1) {
    return base::fail(base::ErrorKind::kUsage, "is one file more than the study takes",
                      request.directories[1], "give one file of overhead.py --json");
  }
  const auto costs = read_costs(request.directories.front());
  if (!costs) return base::pass(costs);
  Result out;
  out.tables.push_back(table_of(costs->rows));
  out.plots.push_back({.kind = Plot::Kind::kCourses,
                       .title = "Share of a core by interval",
                       .table = "costs",
                       .labels = {"beside"},
                       .values = {"interval_seconds", "cores", "cores_least", "cores_most"}});
  if (auto note = perf_note(costs->rows); !note.empty()) out.notes.push_back(std::move(note));
  out.notes.push_back(fmt::format("CMD: {}", fmt::join(costs->command, " ")));
  return out;
}

}  // namespace reveal::study
