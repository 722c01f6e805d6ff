#include "feature/extractor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "feature/pack.h"
#include "model/absence.h"

namespace reveal::feature {
namespace {

// Returns how many samples are valid, or 0 where they are too few to judge the channel. One of a
// slower lane is as well known by fewer samples: only ticks in which it should have been read count
// against it.
std::size_t valid_samples(std::span<const double> samples) {
  std::size_t valid = 0;
  std::size_t due = samples.size();
  for (const double sample : samples) {
    if (std::isfinite(sample)) {
      ++valid;
    } else if (model::is_not_due(sample)) {
      --due;
    }
  }
  return 2 * valid < due ? 0 : valid;
}

}  // namespace

void FeatureExtractor::add_channels(std::size_t count) {
  for (std::size_t i = features_.size(); i < count; ++i) {
    const model::ChannelId channel(i);
    features_.push_back(choice_.of(channels_.metric(channel)));
    first_column_.push_back(columns_.size());
    for (const FeatureId feature : features_.back()) columns_.push_back({channel, feature});
  }
}

void FeatureExtractor::find_members(const window::WindowView& window) {
  members_.clear();
  bool alike = true;
  for (std::size_t i = 0; i < window.channel_count(); ++i) {
    if (features_[i].empty()) continue;
    const std::size_t samples = valid_samples(window.values(i));
    if (samples == 0) continue;
    members_.push_back({features_[i].data(), samples, static_cast<std::uint32_t>(i)});
    alike = alike && members_.back().features == members_.front().features &&
            samples == members_.front().samples;
  }
  if (alike) return;
  std::sort(members_.begin(), members_.end(), [](const Member& a, const Member& b) {
    return std::tie(a.features, a.samples, a.channel) < std::tie(b.features, b.samples, b.channel);
  });
}

void FeatureExtractor::load(const window::WindowView& window, std::span<const Member> members) {
  for (std::size_t lane = 0; lane < kPackLanes; ++lane) {
    const auto& member = members[std::min(lane, members.size() - 1)];
    double* place = x_ + lane;
    for (const double sample : window.values(member.channel)) {
      if (!std::isfinite(sample)) continue;
      *place = sample;
      place += kPackLanes;
    }
  }
}

void FeatureExtractor::compute_pack(const window::WindowView& window,
                                    std::span<const Member> members) {
  load(window, members);
  const auto features = features_[members.front().channel];
  double* out = x_ + window.tick_count() * kPackLanes;
  compute(features, {members.front().samples, x_}, scratch_, out);
  for (std::size_t lane = 0; lane < members.size(); ++lane) {
    double* cells = row_.data() + first_column_[members[lane].channel];
    for (std::size_t i = 0; i < features.size(); ++i) cells[i] = out[i * kPackLanes + lane];
  }
}

void FeatureExtractor::extract(const window::WindowView& window) {
  add_channels(window.channel_count());
  row_.assign(columns_.size(), std::numeric_limits<double>::quiet_NaN());
  find_members(window);
  samples_.reset();
  const std::size_t most = std::max(choice_.dynamic.size(), choice_.events.size());
  x_ = samples_.take((window.tick_count() + most) * kPackLanes);
  for (auto rest = std::span<const Member>(members_); !rest.empty();) {
    std::size_t count = 1;
    while (count < std::min(rest.size(), kPackLanes) &&
           rest[count].features == rest.front().features &&
           rest[count].samples == rest.front().samples) {
      ++count;
    }
    compute_pack(window, rest.first(count));
    rest = rest.subspan(count);
  }
}

void FeatureExtractor::append(const window::WindowView& window, FeatureMatrix& matrix) {
  extract(window);
  for (std::size_t i = matrix.column_count(); i < columns_.size(); ++i) {
    matrix.add_column(columns_[i]);
  }
  matrix.add_row(window.span()) = row_;
}

std::string feature_name(const model::ChannelTable& channels, FeatureKey key) {
  std::string name = channels.name(key.channel);
  name += "__";
  name += descriptor(key.feature).name;
  return name;
}

}  // namespace reveal::feature
