// Turns windows into rows of the feature matrix.
//
// A channel that was there for less than half of a window says little about it, so all its features
// are undefined there; the rest compute from the valid samples only. Infinite samples count as
// missing: no statistic of them is finite. Static channels get no columns. Columns are ordered by
// channel, then by the registry, and channels that appear later are appended, so the same frames
// give the same matrix live and in replay. The mean of a ratio is the ratio of its sums in the
// window (window_ratios.h); all other features are of its ticks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "feature/arena.h"
#include "feature/feature_choice.h"
#include "feature/feature_matrix.h"
#include "feature/past_windows.h"
#include "feature/survey.h"
#include "feature/window_ratios.h"
#include "model/channel_table.h"
#include "window/window_view.h"

namespace reveal::feature {

class FeatureExtractor {
 public:
  // `channels` are those of the windows (derived, not raw), `ratios` those that are ratios; they
  // may grow and must outlive this.
  explicit FeatureExtractor(const model::ChannelTable& channels,
                            FeatureChoice choice = default_features(),
                            const std::vector<model::RatioChannel>* ratios = nullptr);

  // Computes the features of all channels of a window, which values() gives until the next call.
  // REQUIRES: the window's channels are in the table; if a feature is chosen that looks back,
  // windows come in the order of time.
  void extract(const window::WindowView& window);
  // Return a channel's features and their values in the window of the last extract().
  std::span<const FeatureId> features(model::ChannelId channel) const {
    return features_[channel.index()];
  }
  std::span<const double> values(model::ChannelId channel) const {
    return std::span(row_).subspan(first_column_[channel.index()], features(channel).size());
  }

  // Appends one row, after columns for the channels that it has not seen before. REQUIRES: as
  // extract(); `matrix` is empty at the first call and the same one at every call.
  void append(const window::WindowView& window, FeatureMatrix& matrix);

 private:
  // A channel whose features are to be computed.
  struct Member {
    const FeatureId* features;  // of its choice; equal for all channels with the same ones
    bool moves;                 // constants go together: what is costly need not be computed then
    std::size_t samples;        // valid ones
    std::uint32_t channel;

    bool goes_with(const Member& other) const {
      return features == other.features && moves == other.moves && samples == other.samples;
    }
  };

  void add_channels(std::size_t count);
  // Leaves undefined all features of the channels from `begin` to `end`.
  void forget(std::size_t begin, std::size_t end);
  // Finds the channels that can be judged, those that go into one pack next to one another; what
  // there is of the others is undefined.
  void find_members(const window::WindowView& window);
  // Computes the features of at most kPackLanes channels.
  void compute_pack(const window::WindowView& window, std::span<const Member> members);
  void load(const window::WindowView& window, std::span<const Member> members);
  // Finds the window before this one, and remembers this one.
  void find_previous(const window::WindowView& window);
  void set_ratios(const window::WindowView& window);
  void keep_levels();
  void load_previous(std::span<const Member> members);

  const model::ChannelTable& channels_;
  FeatureChoice choice_;
  // By channel: its features, and the column of the first.
  std::vector<std::span<const FeatureId>> features_;
  std::vector<std::size_t> first_column_;
  std::vector<FeatureKey> columns_;
  std::vector<double> row_;  // by column: the values of the window at hand
  WindowRatios ratios_;
  Survey survey_;
  std::vector<Member> members_;
  std::vector<Member> constant_;  // while members are found: those that do not move,
  std::vector<Member> partial_;   // and those that lack samples or are events
  Arena samples_;
  Arena scratch_;
  double* x_ = nullptr;  // in samples_: of the pack at hand
  // Only if a feature is chosen that looks back:
  bool looks_back_;
  PastWindows past_;
  const PastWindow* previous_ = nullptr;  // in past_
  double* previous_x_ = nullptr;          // in samples_, likewise
};

// Returns "metric{instance}__maximum", the name of a column.
std::string feature_name(const model::ChannelTable& channels, FeatureKey key);

}  // namespace reveal::feature
