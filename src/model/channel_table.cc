#include "model/channel_table.h"

#include <algorithm>
#include <utility>

namespace reveal::model {

std::string_view ChannelTable::intern(std::string_view text) {
  if (text.empty()) return {};
  return strings_.emplace_back(text);
}

// A control group has some dozen metrics, and its name is long.
std::string_view ChannelTable::intern_instance(std::string_view text) {
  if (text.empty()) return {};
  if (const auto known = instances_.find(text); known != instances_.end()) return *known;
  return *instances_.insert(intern(text)).first;
}

SourceId ChannelTable::add_source(std::string_view collector) {
  const auto known = std::find(sources_.begin(), sources_.end(), collector);
  const SourceId id(static_cast<std::size_t>(known - sources_.begin()));
  if (known == sources_.end()) sources_.push_back(intern(collector));
  return id;
}

MetricId ChannelTable::add_metric(const MetricDescriptor& descriptor) {
  if (const auto known = find_metric(descriptor.name)) return *known;
  MetricDescriptor copy = descriptor;
  for (auto field : {&MetricDescriptor::name, &MetricDescriptor::label, &MetricDescriptor::unit,
                     &MetricDescriptor::source, &MetricDescriptor::alias,
                     &MetricDescriptor::doc_url, &MetricDescriptor::help}) {
    copy.*field = intern(descriptor.*field);
  }
  const SourceId source = add_source(copy.collector.empty() ? collector_ : copy.collector);
  copy.collector = sources_[source.index()];
  source_of_metric_.push_back(source);
  const MetricId id(metrics_.size());
  metrics_.push_back(copy);
  metric_by_name_.emplace(copy.name, id);
  return id;
}

ChannelId ChannelTable::add_channel(MetricId metric, std::string_view instance) {
  if (const auto it = channel_by_key_.find({metric, instance}); it != channel_by_key_.end()) {
    return it->second;
  }
  const ChannelId id(channels_.size());
  channels_.push_back({metric, intern_instance(instance)});
  channel_by_key_.emplace(std::pair{metric, channels_.back().instance}, id);
  return id;
}

ChannelTable ChannelTable::clone() const {
  ChannelTable out;
  for (const auto& metric : metrics_) out.add_metric(metric);
  for (const auto& channel : channels_) out.add_channel(channel.metric, channel.instance);
  return out;
}

std::optional<MetricId> ChannelTable::find_metric(std::string_view name) const {
  const auto it = metric_by_name_.find(name);
  if (it == metric_by_name_.end()) return std::nullopt;
  return it->second;
}

std::optional<ChannelId> ChannelTable::find_channel(std::string_view name) const {
  std::string_view instance;
  if (const auto brace = name.find('{'); brace != std::string_view::npos && name.back() == '}') {
    instance = name.substr(brace + 1, name.size() - brace - 2);
    name = name.substr(0, brace);
  }
  const auto metric = find_metric(name);
  if (!metric) return std::nullopt;
  const auto it = channel_by_key_.find({*metric, instance});
  if (it == channel_by_key_.end()) return std::nullopt;
  return it->second;
}

std::string ChannelTable::name(ChannelId id) const {
  std::string out(metric(id).name);
  if (const auto instance = channel(id).instance; !instance.empty()) {
    out.append("{").append(instance).append("}");
  }
  return out;
}

}  // namespace reveal::model
