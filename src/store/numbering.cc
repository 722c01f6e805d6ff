#include "store/numbering.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace reveal::store {
namespace {

using model::ChannelId;
using model::MetricId;
using model::SourceId;

bool is_alike(const model::MetricDescriptor& a, const model::MetricDescriptor& b) {
  const auto terms = [](const model::MetricDescriptor& metric) {
    return std::tie(metric.kind, metric.repr, metric.scale, metric.unit, metric.counter_bits);
  };
  return terms(a) == terms(b);
}

SourceId source_named(const model::ChannelTable& table, std::string_view name) {
  std::size_t i = 0;
  while (i < table.source_count() && table.source_name(SourceId(i)) != name) ++i;
  return SourceId(i);
}

}  // namespace

Numbering::Numbering(std::shared_ptr<KnownChannels> known)
    : known_(known ? std::move(known) : std::make_shared<KnownChannels>()) {}

void Numbering::begin(std::uint32_t numbering) {
  if (now_ == numbering) return;
  now_ = numbering;
  if (!first_) first_ = numbering;
  if (known_->table.metric_count() == 0) known_->numbering = numbering;
  own_.reset();
  metrics_.clear();
  channels_.clear();
  sources_.clear();
  if (known_->numbering != numbering) own_.emplace();
}

bool Numbering::learn() {
  if (!own_) return true;
  bool alike = true;
  auto& given = known_->table;
  const std::size_t before = given.metric_count() + given.channel_count();
  for (std::size_t i = metrics_.size(); i < own_->metric_count(); ++i) {
    const auto& metric = own_->metric(MetricId(i));
    metrics_.push_back(given.add_metric(metric));
    alike = alike && is_alike(metric, given.metric(metrics_.back()));
  }
  for (std::size_t i = sources_.size(); i < own_->source_count(); ++i) {
    sources_.push_back(source_named(given, own_->source_name(SourceId(i))));
  }
  for (std::size_t i = channels_.size(); i < own_->channel_count(); ++i) {
    const auto& channel = own_->channel(ChannelId(i));
    channels_.push_back(given.add_channel(metrics_[channel.metric.index()], channel.instance));
  }
  if (given.metric_count() + given.channel_count() > before) known_->numbering.reset();
  return alike;
}

void Numbering::apply(const model::Frame& frame, model::Frame& out) const {
  out.sequence = frame.sequence;
  out.wall_ns = frame.wall_ns;
  out.mono_ns = frame.mono_ns;
  out.cost_ns = frame.cost_ns;
  out.gap = frame.gap;
  out.notes = frame.notes;
  const auto& given = known_->table;
  out.bits.assign(given.channel_count(), 0);
  out.validity.assign(given.channel_count(), model::Validity::kMissing);
  for (std::size_t i = 0; i < frame.bits.size(); ++i) {
    const std::size_t at = channels_[i].index();
    out.bits[at] = frame.bits[i];
    out.validity[at] = frame.validity[i];
  }
  out.read_ns.assign(given.source_count(), frame.mono_ns);
  for (std::size_t i = 0; i < std::min(frame.read_ns.size(), sources_.size()); ++i) {
    const std::size_t at = sources_[i].index();
    if (at < out.read_ns.size()) out.read_ns[at] = frame.read_ns[i];
  }
}

}  // namespace reveal::store
