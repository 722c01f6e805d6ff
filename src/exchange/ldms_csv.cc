#include "exchange/ldms_csv.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "exchange/channel_name.h"
#include "exchange/csv_cells.h"
#include "exchange/table_errors.h"
#include "exchange/time_column.h"

namespace reveal::exchange {
namespace {

using base::Result;
using Cells = CsvRecords::Cells;

constexpr std::string_view kRemedy = "take the file of LDMS's store_csv as it is, with its header";
constexpr std::string_view kHost = "ProducerName";
constexpr std::string_view kNoMetrics[] = {"Time_usec",    "DT",      "DT_usec", "ProducerName",
                                           "component_id", "job_id",  "app_id",  "uid",
                                           "job_start",    "job_end", "CompId",  "Flag"};

bool is_metric(std::string_view head) {
  return std::ranges::find(kNoMetrics, head) == std::end(kNoMetrics) &&
         !head.ends_with(".userdata");
}

// "rx_bytes#eth0", "user#cpu3"; per-core metrics of older versions are "per_core_user3".
ChannelName channel_of(std::string_view head) {
  if (head.ends_with(".value")) head.remove_suffix(6);
  const auto mark = head.find('#');
  if (mark == std::string_view::npos) return channel_of_name(head);
  auto instance = head.substr(mark + 1);
  const bool core = instance.starts_with("cpu") && instance.size() > 3;
  if (core) instance.remove_prefix(3);
  return channel_of_labels(head.substr(0, mark), {{core ? "cpu" : "dev", std::string(instance)}},
                           {});
}

class LdmsTable {
 public:
  LdmsTable(const AheadRecords& records, const ImportOptions& options, Gathering& out)
      : records_(records), options_(options), out_(out) {}

  void read_names(const Cells& cells) {
    heads_.assign(cells.begin(), cells.end());
    const auto host = std::ranges::find(heads_, kHost);
    host_ = static_cast<std::size_t>(host - heads_.begin());
  }

  Result<void> take(const Cells& cells) {
    if (!cells.empty() && cells[0].starts_with('#')) return {};  // the header again
    if (cells.size() != heads_.size()) {
      return wrong_width(cells.size(), heads_.size(), records_.where(), kRemedy);
    }
    const auto time = time_.read(cells[0]);
    if (!time) return not_a_time("Time", cells[0], records_.where(), kRemedy);
    auto& series = series_of(std::string(text::trimmed(cells[host_])));
    for (std::size_t i = 1; i < cells.size(); ++i) {
      const auto cell = text::trimmed(cells[i]);
      if (!series[i] || nothing_.is(cell, heads_[i], records_)) continue;
      const auto number = text::parse_number(cell);
      if (!number) return not_a_number(heads_[i], cell, records_.where(), kRemedy);
      out_.add(*series[i], *time, *number);
    }
    return {};
  }

  void end() { nothing_.tell(out_); }

 private:
  using HostSeries = std::vector<std::optional<SeriesId>>;  // by column

  HostSeries& series_of(const std::string& host) {
    const auto [place, is_new] = by_host_.try_emplace(host);
    if (!is_new) return place->second;
    place->second.resize(heads_.size());
    for (std::size_t i = 1; i < heads_.size(); ++i) {
      if (!is_metric(heads_[i])) continue;
      if (options_.mapping.rule_of(heads_[i]).skip.value_or(false)) continue;
      place->second[i] = out_.series(channel_of(heads_[i]), heads_[i], host);
    }
    return place->second;
  }

  const AheadRecords& records_;
  const ImportOptions& options_;
  Gathering& out_;
  Nothing nothing_;
  TimeColumn time_{"Time"};
  std::size_t host_ = 0;
  std::vector<std::string> heads_;
  std::map<std::string, HostSeries> by_host_;
};

}  // namespace

bool is_ldms(const std::vector<AheadRecords::Row>& rows) {
  return !rows.empty() && !rows[0].empty() && rows[0][0] == "#Time" &&
         std::ranges::find(rows[0], kHost) != rows[0].end();
}

Result<void> gather_ldms(AheadRecords& records, const ImportOptions& options, Gathering& out) {
  LdmsTable table(records, options, out);
  const auto names = records.next();
  if (!names) return base::pass(names);
  if (*names == nullptr) return {};
  table.read_names(**names);
  return take_all(records, table);
}

}  // namespace reveal::exchange
