// What ratios were over a whole window: computed from the rates that their inputs had in it, each
// weighted by its time, so that a ratio is the ratio of sums. Windows in ticks of equal length.
//
// Not thread-safe. After the channels have come it allocates nothing.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "model/channel_table.h"
#include "model/ratio_channel.h"
#include "window/window_view.h"

namespace reveal::feature {

class WindowRatios {
 public:
  // `channels` are those of the windows; both may grow and must outlive this. Null: no ratios.
  WindowRatios(const model::ChannelTable& channels, const std::vector<model::RatioChannel>* ratios)
      : channels_(channels), ratios_(ratios) {}

  struct Level {
    model::ChannelId channel;
    double value = 0.0;
  };

  // Returns the ratios that are defined over the window, until the next call. Left out are those of
  // which a counter has fewer than two samples in it: their one tick is all that is known.
  std::span<const Level> of(const window::WindowView& window);

 private:
  // What is added up of a channel. The time of a sample is that from the one before it; that of the
  // first is taken to be the shortest of the others'.
  struct Input {
    std::size_t channel = 0;
    bool counts = false;  // it is an event: samples are amounts, else rates
    std::size_t samples = 0;
    std::size_t begin = 0;  // ticks of the first and the last sample
    std::size_t end = 0;
    std::size_t shortest = 0;  // ticks between two samples
    double first = 0.0;
    double rest = 0.0;  // the sum of all others, of rates times ticks

    void clear() { samples = 0; }
    void add(std::size_t tick, double sample);
    // Returns the rate per second; NaN if it is not known.
    double rate(double seconds_per_tick) const;
  };

  void grow(std::size_t channel_count);
  std::size_t place_of(model::ChannelId channel);
  void add_up(const window::WindowView& window);

  const model::ChannelTable& channels_;
  const std::vector<model::RatioChannel>* ratios_;
  std::vector<Input> inputs_;                 // each channel once
  std::map<std::size_t, std::size_t> place_;  // in inputs_, by channel
  std::vector<std::vector<std::size_t>> of_;  // places, by ratio
  std::vector<double> rates_;
  std::vector<Level> levels_;
};

}  // namespace reveal::feature
