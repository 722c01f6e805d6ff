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
  auto known = instances_.find(text);
  if (known == instances_.end()) known = instances_.emplace(text, 0).first;
  ++known->second;
  return known->first;
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
  ++version_;
  const Channel added{metric, intern_instance(instance)};
  ChannelId id(channels_.size());
  if (free_.empty()) {
    channels_.push_back(added);
  } else {
    id = free_.back();
    free_.pop_back();
    ++generations_[id.index()];
    channels_[id.index()] = added;
    reused_.push_back(id);
  }
  channel_by_key_.emplace(std::pair{metric, added.instance}, id);
  return id;
}

void ChannelTable::release_channel(ChannelId id) {
  Channel& channel = channels_[id.index()];
  channel_by_key_.erase({channel.metric, channel.instance});
  const auto instance = instances_.find(channel.instance);
  channel.instance = {};
  if (instance != instances_.end() && --instance->second == 0) instances_.erase(instance);
  generations_.resize(channels_.size(), 0);
  ++generations_[id.index()];
  free_.push_back(id);
  ++version_;
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
