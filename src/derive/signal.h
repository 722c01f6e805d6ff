// One raw channel's samples turned into its signal, by the kind of its metric:
//
//   counter   the rate per second of monotonic time; unit u becomes u/s, and seconds per second
//             become a ratio
//   event     the increment since the last fresh sample; unit unchanged, summed by features
//   gauge     the value; none if the highest bit of its width is set, which is a number below zero
//             or a sentinel that was printed without its sign
//   static    the value
//
// A reading that is marked as a reset starts its counter anew.
//
// All times the descriptor's scale. While a source is on a slower poll class (stale), its counters
// have no signal, which is told apart from a missing one (model/absence.h), and its events add
// nothing: the next fresh sample stands for the whole time. A stale gauge still holds. What is not
// known is NaN.
#pragma once

#include <cstdint>
#include <variant>

#include "derive/counter_delta.h"
#include "model/channel_table.h"
#include "model/frame.h"

namespace reveal::derive {

struct SignalValue {
  double value;    // in the unit of derived_unit()
  double operand;  // what derived metrics compute with: as value, but events as a rate per second
};

class Signal {
 public:
  explicit Signal(const model::MetricDescriptor& raw);

  // Takes the channel's sample of the next frame.
  SignalValue step(std::uint64_t bits, model::Validity validity, std::int64_t mono_ns);

 private:
  void forget();
  template <typename Value>
  SignalValue step(CounterDelta<Value>& delta, Value raw, model::Validity validity,
                   std::int64_t mono_ns) const;
  SignalValue not_read() const;
  SignalValue step_level(std::uint64_t bits, model::Validity validity) const;

  model::Kind kind_;
  model::Repr repr_;
  double scale_;
  unsigned bits_;
  CounterTraits traits_{};
  std::variant<std::monostate, CounterDelta<std::uint64_t>, CounterDelta<double>> delta_;
};

// Adds the metric of the signals of `raw` to `table`: same name and kind, values in base units.
model::MetricId add_signal_metric(model::ChannelTable& table, const model::MetricDescriptor& raw);

}  // namespace reveal::derive
