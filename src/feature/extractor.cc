#include "feature/extractor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "feature/level.h"
#include "feature/pack.h"

namespace reveal::feature {
namespace {

bool any_looks_back(std::span<const FeatureId> features) {
  return std::any_of(features.begin(), features.end(),
                     [](FeatureId id) { return descriptor(id).looks_back; });
}

}  // namespace

FeatureExtractor::FeatureExtractor(const model::ChannelTable& channels, FeatureChoice choice,
                                   const std::vector<model::RatioChannel>* ratios)
    : channels_(channels),
      choice_(std::move(choice)),
      ratios_(channels, ratios),
      looks_back_(any_looks_back(choice_.dynamic) || any_looks_back(choice_.events)) {}

void FeatureExtractor::add_channels(std::size_t count) {
  for (std::size_t i = features_.size(); i < count; ++i) {
    const model::ChannelId channel(i);
    features_.push_back(choice_.of(channels_.metric(channel)));
    first_column_.push_back(columns_.size());
    for (const FeatureId feature : features_.back()) columns_.push_back({channel, feature});
  }
}

void FeatureExtractor::forget(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    std::fill_n(row_.begin() + static_cast<std::ptrdiff_t>(first_column_[i]), features_[i].size(),
                std::numeric_limits<double>::quiet_NaN());
  }
}

// A channel of a slower poll class is as well known by fewer samples: only ticks in which it should
// have been read count against it.
void FeatureExtractor::find_members(const window::WindowView& window) {
  survey(window, survey_);
  for (auto* list : {&members_, &constant_, &partial_}) list->clear();
  for (std::size_t i = 0; i < window.channel_count(); ++i) {
    if (features_[i].empty()) continue;
    const double valid = survey_.valid[i];
    if (valid == 0.0 || 2.0 * valid < survey_.due[i]) {
      forget(i, i + 1);
      continue;
    }
    const Member member{features_[i].data(), survey_.moves[i] != 0.0,
                        static_cast<std::size_t>(valid), static_cast<std::uint32_t>(i)};
    const bool usual =
        member.samples == window.tick_count() && member.features == choice_.dynamic.data();
    (!usual ? partial_ : member.moves ? members_ : constant_).push_back(member);
  }
  forget(window.channel_count(), features_.size());
  // The usual ones are in order already.
  std::sort(partial_.begin(), partial_.end(), [](const Member& a, const Member& b) {
    return std::tie(a.features, a.moves, a.samples, a.channel) <
           std::tie(b.features, b.moves, b.samples, b.channel);
  });
  members_.insert(members_.end(), constant_.begin(), constant_.end());
  members_.insert(members_.end(), partial_.begin(), partial_.end());
}

void FeatureExtractor::load(const window::WindowView& window, std::span<const Member> members) {
  const bool whole = members.front().samples == window.tick_count();
  std::array<std::uint32_t, kPackLanes> channels{};
  for (std::size_t lane = 0; lane < kPackLanes; ++lane) {
    channels[lane] = members[std::min(lane, members.size() - 1)].channel;
  }
  const bool adjacent =
      members.size() == kPackLanes && channels.back() == channels.front() + kPackLanes - 1;
  if (whole && adjacent) {
    for (std::size_t tick = 0; tick < window.tick_count(); ++tick) {
      std::copy_n(window.row(tick) + channels.front(), kPackLanes, x_ + tick * kPackLanes);
    }
    return;
  }
  for (std::size_t lane = 0; lane < kPackLanes; ++lane) {
    double* place = x_ + lane;
    for (std::size_t tick = 0; tick < window.tick_count(); ++tick) {
      const double sample = window.row(tick)[channels[lane]];
      if (!whole && !std::isfinite(sample)) continue;
      *place = sample;
      place += kPackLanes;
    }
  }
}

void FeatureExtractor::find_previous(const window::WindowView& window) {
  PastWindow now(window);
  for (const Member& member : members_) now.keep(window, member.channel);
  past_.add(std::move(now));
  previous_ = past_.before(window.span());
  if (previous_ != nullptr) previous_x_ = samples_.take(previous_->tick_count() * kPackLanes);
}

void FeatureExtractor::load_previous(std::span<const Member> members) {
  for (std::size_t lane = 0; lane < kPackLanes; ++lane) {
    const auto channel = members[std::min(lane, members.size() - 1)].channel;
    for (std::size_t tick = 0; tick < previous_->tick_count(); ++tick) {
      previous_x_[tick * kPackLanes + lane] = previous_->at(tick, channel);
    }
  }
}

void FeatureExtractor::compute_pack(const window::WindowView& window,
                                    std::span<const Member> members) {
  load(window, members);
  const auto features = features_[members.front().channel];
  double* out = x_ + window.tick_count() * kPackLanes;
  Pack pack{members.front().samples, x_};
  if (previous_ != nullptr) {
    load_previous(members);
    pack.previous_samples = previous_->tick_count();
    pack.previous = previous_x_;
  }
  compute(features, pack, scratch_, out);
  for (std::size_t lane = 0; lane < members.size(); ++lane) {
    double* cells = row_.data() + first_column_[members[lane].channel];
    for (std::size_t i = 0; i < features.size(); ++i) cells[i] = out[i * kPackLanes + lane];
  }
}

void FeatureExtractor::extract(const window::WindowView& window) {
  add_channels(window.channel_count());
  row_.resize(columns_.size());
  find_members(window);
  samples_.reset();
  const std::size_t most = std::max(choice_.dynamic.size(), choice_.events.size());
  x_ = samples_.take((window.tick_count() + most) * kPackLanes);
  if (looks_back_) find_previous(window);
  for (auto rest = std::span<const Member>(members_); !rest.empty();) {
    std::size_t count = 1;
    while (count < std::min(rest.size(), kPackLanes) && rest[count].goes_with(rest.front())) {
      ++count;
    }
    compute_pack(window, rest.first(count));
    rest = rest.subspan(count);
  }
  set_ratios(window);
  if (window.span().holds_means) keep_levels();
}

// A channel that cannot be judged stays undefined.
void FeatureExtractor::set_ratios(const window::WindowView& window) {
  static const FeatureId mean = *find_feature("mean");
  for (const auto& [channel, value] : ratios_.of(window)) {
    const auto features = features_[channel.index()];
    const auto found = std::find(features.begin(), features.end(), mean);
    if (found == features.end()) continue;
    const auto place = static_cast<std::size_t>(found - features.begin());
    double& cell = row_[first_column_[channel.index()] + place];
    if (std::isfinite(cell)) cell = value;
  }
}

void FeatureExtractor::keep_levels() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto& [channel, feature] = columns_[i];
    if (!is_level(channels_.metric(channel), feature)) {
      row_[i] = std::numeric_limits<double>::quiet_NaN();
    }
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
