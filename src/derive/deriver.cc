#include "derive/deriver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "model/absence.h"

namespace reveal::derive {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::optional<std::size_t> find(const model::ChannelTable& table, std::string_view metric,
                                std::string_view instance) {
  std::string name(metric);
  if (!instance.empty()) name.append("{").append(instance).append("}");
  const auto id = table.find_channel(name);
  return id ? std::optional(id->index()) : std::nullopt;
}

}  // namespace

Deriver::Deriver(std::span<const DerivedMetric> rows) : rows_(rows), computed_(rows.size()) {}

std::span<const double> Deriver::step(const model::ChannelTable& raw, const model::Frame& frame) {
  if (frame.bits.size() > signals_.size()) grow(raw, frame.bits.size());
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    const model::ChannelId id(i);
    const bool present = i < frame.bits.size();
    const SignalValue signal = signals_[i].step(
        present ? frame.bits[i] : 0, present ? frame.validity[i] : model::Validity::kMissing,
        frame.read_ns_of(raw.source(id)));
    values_[signal_output_[i]] = signal.value;
    operands_[signal_output_[i]] = signal.operand;
  }
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    for (const Computation& computed : computed_[row]) compute(rows_[row], computed);
  }
  for (const Total& total : totals_) values_[total.output] /= total.cores;
  return values_;
}

std::vector<double> Deriver::means_before(std::uint64_t missing) const {
  std::vector<double> out(values_);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (tells_[i] == Tells::kNothing) out[i] = kNan;
    if (tells_[i] == Tells::kSum) out[i] /= static_cast<double>(missing + 1);
  }
  return out;
}

void Deriver::grow(const model::ChannelTable& raw, std::size_t count) {
  const std::size_t first_new = channels_.channel_count();
  for (std::size_t i = signals_.size(); i < count; ++i) add_signal(raw, model::ChannelId(i));
  count_cores();
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (rows_[row].shape == Shape::kPerInstance) {
      add_per_instance(row, first_new);
    } else {
      add_across_instances(row);
    }
  }
}

void Deriver::add_signal(const model::ChannelTable& raw, model::ChannelId id) {
  const model::MetricDescriptor& metric = raw.metric(id);
  signals_.emplace_back(metric);
  const auto& instance = raw.channel(id).instance;
  const auto tells = metric.kind == model::Kind::kCounter ? Tells::kMean
                     : metric.kind == model::Kind::kEvent ? Tells::kSum
                                                          : Tells::kNothing;
  signal_output_.push_back(add_channel(add_signal_metric(channels_, metric), instance, tells));
  const bool time = metric.kind == model::Kind::kCounter && metric.unit == "seconds";
  if (time && metric.scope == model::Scope::kCore && instance.empty()) {
    totals_.push_back({signal_output_.back()});
  }
}

void Deriver::count_cores() {
  for (Total& total : totals_) {
    const auto metric = channels_.channel(model::ChannelId(total.output)).metric;
    std::size_t cores = 0;
    for (std::size_t i = 0; i < channels_.channel_count(); ++i) {
      const auto& channel = channels_.channel(model::ChannelId(i));
      if (channel.metric == metric && !channel.instance.empty()) ++cores;
    }
    total.cores = static_cast<double>(std::max<std::size_t>(cores, 1));
  }
}

// Only an instance with a new channel can have become computable.
void Deriver::add_per_instance(std::size_t row, std::size_t first_new) {
  const auto inputs = rows_[row].inputs;
  for (std::size_t i = first_new; i < channels_.channel_count(); ++i) {
    const model::ChannelId id(i);
    if (std::ranges::find(inputs, channels_.metric(id).name) == inputs.end()) continue;
    add_for_instance(row, channels_.channel(id).instance);
  }
}

void Deriver::add_for_instance(std::size_t row, std::string_view instance) {
  const model::MetricDescriptor& descriptor = rows_[row].descriptor;
  if (find(channels_, descriptor.name, instance)) return;
  Computation computed{0, {}};
  for (const std::string_view input : rows_[row].inputs) {
    const auto found = find(channels_, input, instance);
    if (!found) return;
    computed.inputs.push_back(*found);
  }
  computed.output = add_channel(channels_.add_metric(descriptor), instance, tells_of(computed));
  add_ratio(rows_[row], computed);
  computed_[row].push_back(std::move(computed));
}

// Beside a level (a link's speed, memory that is there) the mean of the ticks is the value over a
// time already.
void Deriver::add_ratio(const DerivedMetric& row, const Computation& computed) {
  const auto is_rate = [this](std::size_t input) {
    const auto kind = channels_.metric(model::ChannelId(input)).kind;
    return kind == model::Kind::kCounter || kind == model::Kind::kEvent;
  };
  if (computed.inputs.size() < 2 || !std::ranges::all_of(computed.inputs, is_rate)) return;
  model::RatioChannel ratio{model::ChannelId(computed.output), {}, row.compute, row.takes_unknown};
  for (const std::size_t input : computed.inputs) ratio.inputs.emplace_back(input);
  ratios_.push_back(std::move(ratio));
}

// One instance has nothing to be compared with.
void Deriver::add_across_instances(std::size_t row) {
  const auto metric = channels_.find_metric(rows_[row].inputs.front());
  if (!metric) return;
  std::vector<std::size_t> inputs;
  for (std::size_t i = 0; i < channels_.channel_count(); ++i) {
    const model::Channel& channel = channels_.channel(model::ChannelId(i));
    if (channel.metric == *metric && !channel.instance.empty()) inputs.push_back(i);
  }
  if (inputs.size() < 2) return;
  if (!computed_[row].empty()) {
    computed_[row].front().inputs = std::move(inputs);
  } else if (!find(channels_, rows_[row].descriptor.name, {})) {
    Computation computed{0, std::move(inputs)};
    computed.output =
        add_channel(channels_.add_metric(rows_[row].descriptor), {}, tells_of(computed));
    computed_[row].push_back(std::move(computed));
  }
}

// Rates of sums are rates; beside a level that is not known, nothing is.
Deriver::Tells Deriver::tells_of(const Computation& computed) const {
  const auto tells = [this](std::size_t input) { return tells_[input] != Tells::kNothing; };
  return std::ranges::all_of(computed.inputs, tells) ? Tells::kMean : Tells::kNothing;
}

std::size_t Deriver::add_channel(model::MetricId metric, std::string_view instance, Tells tells) {
  const std::size_t index = channels_.add_channel(metric, instance).index();
  tells_.resize(channels_.channel_count(), tells);
  values_.resize(channels_.channel_count(), kNan);
  operands_.resize(channels_.channel_count(), kNan);
  return index;
}

void Deriver::compute(const DerivedMetric& row, const Computation& computed) {
  scratch_.clear();
  for (const std::size_t input : computed.inputs) {
    const bool known = !std::isnan(operands_[input]);
    if (known || row.takes_unknown) scratch_.push_back(operands_[input]);
  }
  const bool complete = scratch_.size() == computed.inputs.size();
  const bool enough = row.shape == Shape::kPerInstance ? complete : !scratch_.empty();
  const auto due = std::none_of(computed.inputs.begin(), computed.inputs.end(),
                                [this](auto input) { return model::is_not_due(operands_[input]); });
  const double absent = due ? kNan : model::not_due();
  const double computed_value =
      enough && (due || !row.takes_unknown) ? row.compute(scratch_) : kNan;
  const double value = std::isnan(computed_value) ? absent : computed_value;
  values_[computed.output] = value;
  operands_[computed.output] = value;
}

}  // namespace reveal::derive
