#include "tables/score_rows.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace reveal::tables {
namespace {

using exchange::Cell;
using exchange::RowColumn;
using enum exchange::CellType;

// Returns the channels that the detectors saw.
std::vector<model::ChannelId> seen_channels(const report::Report& report) {
  std::vector<model::ChannelId> out;
  if (report.channel_shares.empty()) return out;
  const auto& shares = report.channel_shares.front();
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!std::isnan(shares[i])) out.emplace_back(i);
  }
  return out;
}

std::vector<RowColumn> columns_of(const report::Report& report,
                                  const std::vector<model::ChannelId>& seen) {
  std::vector<RowColumn> out{
      {"window", kCount}, {"begin_ns", kInteger}, {"end_ns", kInteger}, {"missing_ticks", kCount}};
  for (const auto& detector : report.detectors) {
    out.push_back({detector.name, kReal});
    out.push_back({detector.name + "_limit", kReal});
    out.push_back({detector.name + "_quantile", kReal});
    out.push_back({detector.name + "_flag", kCount});
  }
  out.insert(out.end(), {{"agreement", kCount}, {"score", kReal}, {"flag", kCount}});
  for (const auto channel : seen) {
    out.push_back({"share:" + report.channel_table->name(channel), kReal});
  }
  return out;
}

Cell yes(bool value) {
  return std::uint64_t{value ? 1u : 0u};
}

std::vector<Cell> row_of(const report::Report& report, std::size_t row,
                         const std::vector<model::ChannelId>& seen) {
  const auto& window = report.windows[row];
  std::vector<Cell> out{std::uint64_t{window.id.value()}, window.begin_ns, window.end_ns,
                        std::uint64_t{window.missing_ticks}};
  double quantiles = 0;
  for (const auto& detector : report.detectors) {
    out.emplace_back(detector.scores[row]);
    out.emplace_back(detector.limits[row]);
    out.emplace_back(detector.quantiles[row]);
    out.emplace_back(yes(detector.flagged[row]));
    quantiles += detector.quantiles[row];
  }
  const auto detectors = static_cast<double>(report.detectors.size());
  const auto agreement = static_cast<std::uint64_t>(report::agreement(report, row));
  out.emplace_back(agreement);
  out.emplace_back(static_cast<double>(agreement) + quantiles / detectors);
  out.emplace_back(
      yes(agreement >= static_cast<std::uint64_t>(report.configuration.min_agreement)));
  for (const auto channel : seen) {
    out.emplace_back(report.channel_shares[row][channel.index()]);
  }
  return out;
}

}  // namespace

base::Result<void> write_score_rows(const report::Report& report, exchange::RowSink& out) {
  const auto seen = seen_channels(report);
  if (auto begun = out.begin(columns_of(report, seen)); !begun) return begun;
  for (std::size_t row = 0; row < report.windows.size(); ++row) {
    if (auto done = out.write(row_of(report, row, seen)); !done) return done;
  }
  return out.finish();
}

}  // namespace reveal::tables
