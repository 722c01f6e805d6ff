#include "feature/joined_runs.h"

#include <map>
#include <utility>

namespace reveal::feature {
namespace {

using Key = std::pair<std::size_t, std::size_t>;  // of channel and feature

Key key_of(const FeatureKey& column) {
  return {column.channel.index(), column.feature.index()};
}

}  // namespace

void JoinedRuns::add(const FeatureMatrix& run, const model::ChannelTable& run_channels) {
  std::map<Key, std::size_t> known;
  for (std::size_t i = 0; i < matrix.column_count(); ++i)
    known.emplace(key_of(matrix.column(i)), i);
  std::vector<std::size_t> place;  // by the run's column
  for (std::size_t i = 0; i < run.column_count(); ++i) {
    const auto [channel, feature] = run.column(i);
    const auto metric = channels.add_metric(run_channels.metric(channel));
    const FeatureKey column{channels.add_channel(metric, run_channels.channel(channel).instance),
                            feature};
    const auto [found, is_new] = known.emplace(key_of(column), matrix.column_count());
    if (is_new) matrix.add_column(column);
    place.push_back(found->second);
  }
  first_rows.push_back(matrix.row_count());
  for (std::size_t row = 0; row < run.row_count(); ++row) {
    auto& values = matrix.add_row(run.window(row));
    for (std::size_t i = 0; i < place.size(); ++i) values[place[i]] = run.at(row, i);
  }
}

}  // namespace reveal::feature
