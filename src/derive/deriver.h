// Turns raw frames into rows of numbers, the same live and in replay: a row depends only on the
// frames so far and the raw channel table. Every raw channel has one derived channel of the same
// name, its signal (signal.h); the metrics of derived_metrics.h follow as their inputs appear.
//
// The derived table only grows, in an order that the frames fix: when a frame brings new raw
// channels, first their signals in raw order, then what became computable in registry order. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "derive/derived_metrics.h"
#include "derive/signal.h"
#include "model/channel_table.h"
#include "model/frame.h"
#include "model/ratio_channel.h"

namespace reveal::derive {

class Deriver {
 public:
  // `rows` must outlive the deriver.
  explicit Deriver(std::span<const DerivedMetric> rows = derived_metrics());

  // Takes the next frame and returns one value per channel of channels(), NaN if there is none,
  // valid until the next call. REQUIRES: `raw` is the table of all frames so far, and holds at
  // least frame.bits.size() channels; frames come in order.
  std::span<const double> step(const model::ChannelTable& raw, const model::Frame& frame);

  // Returns what each channel had on average in the `missing` ticks that never came before the
  // latest frame, as that frame's counters tell: rates as they are in its row, of events the like
  // part of their increment. NaN for what only a reading at the time would have told.
  std::vector<double> means_before(std::uint64_t missing) const;

  const model::ChannelTable& channels() const { return channels_; }

  // Returns the channels of channels() that are computed from several rates each. It only grows,
  // with channels().
  const std::vector<model::RatioChannel>& ratios() const { return ratios_; }

 private:
  // What a value tells of the time since the sample before it.
  enum class Tells { kNothing, kMean, kSum };

  // A sum over cores of time a second: told as the mean of a core, so that no share exceeds 1.
  struct Total {
    std::size_t output = 0;  // index of the derived channel
    double cores = 1;
  };
  struct Computation {
    std::size_t output;               // index of the derived channel
    std::vector<std::size_t> inputs;  // indices of derived channels
  };

  void grow(const model::ChannelTable& raw, std::size_t count);
  void add_signal(const model::ChannelTable& raw, model::ChannelId id);
  void count_cores();
  void add_per_instance(std::size_t row, std::size_t first_new);
  void add_for_instance(std::size_t row, std::string_view instance);
  void add_ratio(const DerivedMetric& row, const Computation& computed);
  void add_across_instances(std::size_t row);
  Tells tells_of(const Computation& computed) const;
  std::size_t add_channel(model::MetricId metric, std::string_view instance, Tells tells);
  void compute(const DerivedMetric& row, const Computation& computed);

  std::span<const DerivedMetric> rows_;
  model::ChannelTable channels_;
  std::vector<Signal> signals_;                     // by raw channel
  std::vector<std::size_t> signal_output_;          // by raw channel: index of its derived channel
  std::vector<std::vector<Computation>> computed_;  // by row, so that a row's inputs come before it
  std::vector<model::RatioChannel> ratios_;
  std::vector<Total> totals_;
  std::vector<Tells> tells_;      // by derived channel
  std::vector<double> values_;    // by derived channel
  std::vector<double> operands_;  // by derived channel, see SignalValue
  std::vector<double> scratch_;
};

}  // namespace reveal::derive
