#include "exchange/perf_stat.h"

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "exchange/channel_name.h"
#include "exchange/csv_cells.h"
#include "text/parse_number.h"
#include "text/parse_time.h"

namespace reveal::exchange {
namespace {

using base::ErrorKind;
using base::Result;
using Cells = CsvRecords::Cells;

constexpr std::string_view kStarted = "# started on ";

bool is_number(std::string_view cell) {
  return text::parse_number(cell).has_value();
}

bool is_value(std::string_view cell) {
  return is_number(cell) || cell.starts_with("<not ");
}

bool is_name(std::string_view cell) {
  return !cell.empty() && !is_number(cell);
}

// Where the cells of a row are.
struct Places {
  std::size_t value = 0;
  std::size_t event = 0;
  std::optional<std::size_t> part{};    // "CPU0", "S0-D0-C1"
  std::optional<std::size_t> cgroup{};  // of --for-each-cgroup
};

// The value is followed by its unit, which may be empty, and the event. Before it may stand the
// part of the machine, and how many processors were added up in it.
std::optional<Places> places_in(const Cells& cells) {
  constexpr std::size_t kMostBefore = 3;
  if (cells.size() < 6 || !is_number(cells[0])) return std::nullopt;
  for (std::size_t i = 1; i <= kMostBefore && i + 3 < cells.size(); ++i) {
    if (!is_value(text::trimmed(cells[i])) || is_number(cells[i + 1]) || !is_name(cells[i + 2])) {
      continue;
    }
    Places out{.value = i, .event = i + 2};
    if (i > 1) out.part = 1;
    if (is_name(cells[i + 3])) out.cgroup = i + 3;
    return out;
  }
  return std::nullopt;
}

// "# started on Tue Nov 14 22:13:20 2023"
std::optional<std::int64_t> started_ns(const Cells& cells) {
  if (cells.size() != 1 || !cells[0].starts_with(kStarted)) return std::nullopt;
  const std::string date(cells[0].substr(kStarted.size()));
  std::tm parts{};
  if (::strptime(date.c_str(), "%a %b %d %H:%M:%S %Y", &parts) == nullptr) return std::nullopt;
  return std::int64_t{::timegm(&parts)} * 1'000'000'000;
}

bool is_left_out(const Cells& cells) {
  const auto first = cells.empty() ? std::string_view() : text::trimmed(cells[0]);
  return first.empty() || first.starts_with('#');
}

// "CPU3" is cpu=3, "S0-D1-C2" the core of that name, "S1" a socket, "N0" a node.
std::pair<std::string, std::string> label_of_part(std::string_view part) {
  if (part.starts_with("CPU")) return {"cpu", std::string(part.substr(3))};
  if (part.find("-C") != std::string_view::npos) return {"core", std::string(part)};
  if (part.find("-D") != std::string_view::npos) return {"die", std::string(part)};
  if (part.starts_with('S')) return {"socket", std::string(part.substr(1))};
  if (part.starts_with('N')) return {"node", std::string(part.substr(1))};
  return {"part", std::string(part)};
}

class PerfTable {
 public:
  PerfTable(const AheadRecords& records, const ImportOptions& options, Gathering& out)
      : records_(records), options_(options), out_(out) {}

  Result<void> take(const Cells& cells) {
    if (const auto started = started_ns(cells)) {
      started_ns_ = started;
      return {};
    }
    if (is_left_out(cells)) return {};
    const auto places = places_in(cells);
    const auto since = places ? text::parse_decimal_time(text::trimmed(cells[0]), kSeconds)
                              : std::optional<std::int64_t>();
    if (!since) {
      return base::fail(ErrorKind::kCorrupt, "is not a row of perf stat", records_.where(),
                        "write the file with perf stat -I 1000 -x, -o FILE");
    }
    const auto number = text::parse_number(cells[places->value]);
    if (!number) {
      ++not_counted_;
      return {};
    }
    if (const auto series = series_of(cells, *places)) {
      out_.add(*series, started_ns_.value_or(0) + *since, *number);
    }
    return {};
  }

  void end() const {
    if (not_counted_ > 0) {
      out_.remark(
          fmt::format("{} values of perf were not counted or not supported, and are left "
                      "out",
                      not_counted_));
    }
    out_.remark(started_ns_ ? "perf's start is taken for UTC: the file has local time without its "
                              "offset"
                            : "the file does not say when perf was started, so its times begin at "
                              "1970-01-01");
  }

 private:
  static constexpr auto kSeconds = text::TimeUnit::kS;

  // Returns nothing if the user leaves it out.
  std::optional<SeriesId> series_of(const Cells& cells, const Places& places) {
    Labels labels;
    if (places.part) labels.push_back(label_of_part(text::trimmed(cells[*places.part])));
    if (places.cgroup) labels.emplace_back("cg", std::string(text::trimmed(cells[*places.cgroup])));
    const auto event = text::trimmed(cells[places.event]);
    auto channel = channel_of_labels("perf_" + metric_of_text(event), labels, {});
    const auto key = std::pair(channel.metric, channel.instance);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    std::optional<SeriesId> out;
    if (!options_.mapping.rule_of(std::string(event)).skip.value_or(false)) {
      const auto unit = text::trimmed(cells[places.value + 1]);
      out = out_.series(channel,
                        unit.empty() ? std::string(event) : fmt::format("{} [{}]", event, unit));
    }
    known_.emplace(key, out);
    return out;
  }

  const AheadRecords& records_;
  const ImportOptions& options_;
  Gathering& out_;
  std::optional<std::int64_t> started_ns_;
  std::uint64_t not_counted_ = 0;
  std::map<std::pair<std::string, std::string>, std::optional<SeriesId>> known_;
};

}  // namespace

bool is_perf_stat(const std::vector<AheadRecords::Row>& rows) {
  for (const auto& row : rows) {
    const Cells cells(row.begin(), row.end());
    if (!is_left_out(cells)) return places_in(cells).has_value();
  }
  return false;
}

Result<void> gather_perf_stat(AheadRecords& records, const ImportOptions& options, Gathering& out) {
  PerfTable table(records, options, out);
  return take_all(records, table);
}

}  // namespace reveal::exchange
