#include "feature/extractor.h"

#include <algorithm>
#include <cmath>

#include "model/absence.h"

namespace reveal::feature {

void FeatureExtractor::add_columns(std::size_t channel_count, FeatureMatrix& matrix) {
  for (; known_channels_ < channel_count; ++known_channels_) {
    const model::ChannelId channel(known_channels_);
    for (FeatureId feature : features_for(channels_.metric(channel)))
      matrix.add_column({channel, feature});
  }
}

// A channel of a slower lane is as well known by fewer samples: only ticks in which it should have
// been read count against it.
bool FeatureExtractor::load(std::span<const double> samples) {
  values_.clear();
  std::size_t due = samples.size();
  for (double sample : samples) {
    if (std::isfinite(sample)) values_.push_back(sample);
    if (model::is_not_due(sample)) --due;
  }
  if (values_.empty() || 2 * values_.size() < due) return false;
  sorted_.assign(values_.begin(), values_.end());
  std::sort(sorted_.begin(), sorted_.end());
  return true;
}

void FeatureExtractor::append(const window::WindowView& window, FeatureMatrix& matrix) {
  add_columns(window.channel_count(), matrix);
  std::vector<double>& row = matrix.add_row(window.span());
  std::size_t column = 0;
  for (std::size_t channel = 0; channel < window.channel_count(); ++channel) {
    const auto features = features_for(channels_.metric(model::ChannelId(channel)));
    if (!features.empty() && load(window.values(channel))) {
      const FeatureInput input{values_, sorted_, stats::moments(values_)};
      for (std::size_t i = 0; i < features.size(); ++i)
        row[column + i] = compute(descriptor(features[i]), input);
    }
    column += features.size();
  }
}

std::string feature_name(const model::ChannelTable& channels, FeatureKey key) {
  std::string name = channels.name(key.channel);
  name += "__";
  name += descriptor(key.feature).name;
  return name;
}

}  // namespace reveal::feature
