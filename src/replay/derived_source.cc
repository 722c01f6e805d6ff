#include "replay/derived_source.h"

#include <cmath>

namespace reveal::replay {

using model::ChannelId;

base::Result<const model::Frame*> DerivedSource::next() {
  const auto raw = raw_.next();
  if (!raw || *raw == nullptr) return raw;
  const auto row = deriver_.step(raw_.channels(), **raw);
  grow();
  frame_.sequence = (*raw)->sequence;
  frame_.wall_ns = (*raw)->wall_ns;
  frame_.mono_ns = (*raw)->mono_ns;
  frame_.cost_ns = (*raw)->cost_ns;
  frame_.gap = (*raw)->gap;
  frame_.notes = (*raw)->notes;
  frame_.bits.clear();
  frame_.validity.clear();
  frame_.resize(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!std::isnan(row[i])) frame_.set_f64(ChannelId(i), row[i]);
  }
  return &frame_;
}

void DerivedSource::grow() {
  const auto& derived = deriver_.channels();
  for (std::size_t i = channels_.channel_count(); i < derived.channel_count(); ++i) {
    model::MetricDescriptor metric = derived.metric(ChannelId(i));
    metric.repr = model::Repr::kF64;
    metric.scale = 1.0;
    if (metric.kind != model::Kind::kStatic) metric.kind = model::Kind::kGauge;
    channels_.add_channel(channels_.add_metric(metric), derived.channel(ChannelId(i)).instance);
  }
}

}  // namespace reveal::replay
