#include "derive/signal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "model/absence.h"

namespace reveal::derive {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr SignalValue kUnknown{kNan, kNan};

// What the kernel's idle and iowait were seen to step back by; anything more is a hotplugged core
// (https://github.com/prometheus/node_exporter/issues/1903).
constexpr double kTimeStepBackSeconds = 3.0;
constexpr double kCountStepBack = 16.0;

// The largest step back that is noise, in raw units. Event counters never step back by themselves:
// their every fall is a reset, or an error counted after a reload would stay hidden.
double step_back(const model::MetricDescriptor& raw) {
  if (raw.kind == model::Kind::kEvent) return 0.0;
  if (raw.unit == "seconds") return kTimeStepBackSeconds / raw.scale;
  return kCountStepBack;
}

std::string derived_unit(const model::MetricDescriptor& raw) {
  if (raw.kind != model::Kind::kCounter) return std::string(raw.unit);
  return raw.unit == "seconds" ? "ratio" : std::string(raw.unit) + "/s";
}

}  // namespace

Signal::Signal(const model::MetricDescriptor& raw)
    : kind_(raw.kind), repr_(raw.repr), scale_(raw.scale), bits_(raw.counter_bits) {
  if (kind_ != model::Kind::kCounter && kind_ != model::Kind::kEvent) return;
  traits_ = {raw.counter_bits, step_back(raw)};
  forget();
}

void Signal::forget() {
  if (repr_ == model::Repr::kU64) {
    delta_ = CounterDelta<std::uint64_t>(traits_);
  } else {
    delta_ = CounterDelta<double>(traits_);
  }
}

SignalValue Signal::step(std::uint64_t bits, model::Validity validity, std::int64_t mono_ns) {
  if (repr_ == model::Repr::kF64 && !std::isfinite(std::bit_cast<double>(bits))) {
    validity = model::Validity::kMissing;
  }
  if (validity == model::Validity::kReset) {
    if (!std::holds_alternative<std::monostate>(delta_)) forget();
    validity = model::Validity::kFresh;
  }
  if (auto* whole = std::get_if<CounterDelta<std::uint64_t>>(&delta_)) {
    return step(*whole, bits, validity, mono_ns);
  }
  if (auto* real = std::get_if<CounterDelta<double>>(&delta_)) {
    return step(*real, std::bit_cast<double>(bits), validity, mono_ns);
  }
  return step_level(bits, validity);
}

template <typename Value>
SignalValue Signal::step(CounterDelta<Value>& delta, Value raw, model::Validity validity,
                         std::int64_t mono_ns) const {
  if (validity == model::Validity::kMissing) delta.miss();
  if (validity == model::Validity::kStale) return not_read();
  if (validity != model::Validity::kFresh) return kUnknown;
  const auto increment = delta.read(raw, mono_ns);
  if (!increment) return kUnknown;
  const double amount = static_cast<double>(increment->amount) * scale_;
  const double rate = amount / (static_cast<double>(increment->elapsed_ns) * 1e-9);
  return {kind_ == model::Kind::kEvent ? amount : rate, rate};
}

// What happened since the last reading of a slow counter is told by the next one.
SignalValue Signal::not_read() const {
  const double value = kind_ == model::Kind::kEvent ? 0.0 : model::not_due();
  return {value, model::not_due()};
}

SignalValue Signal::step_level(std::uint64_t bits, model::Validity validity) const {
  if (validity == model::Validity::kMissing) return kUnknown;
  if (repr_ == model::Repr::kU64 && bits >> (bits_ - 1) != 0) return kUnknown;
  const double raw =
      repr_ == model::Repr::kF64 ? std::bit_cast<double>(bits) : static_cast<double>(bits);
  return {raw * scale_, raw * scale_};
}

model::MetricId add_signal_metric(model::ChannelTable& table, const model::MetricDescriptor& raw) {
  const std::string unit = derived_unit(raw);  // outlives the call; the table keeps its own copy
  model::MetricDescriptor signal = raw;
  signal.unit = unit;
  signal.repr = model::Repr::kF64;
  signal.scale = 1.0;
  signal.counter_bits = 64;
  return table.add_metric(signal);
}

}  // namespace reveal::derive
