// The dense numbering of metrics and channels of one run. Ids only ever grow: a disk that goes away
// keeps its number, a disk that comes gets the next one, so a frame's meaning never shifts. In a
// table whose owner releases channels, a number that was released may be given to another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/metric.h"

namespace reveal::model {

struct Channel {
  MetricId metric;
  std::string_view instance;  // "" for the host, else "cpu=3", "dev=sda"
};

class ChannelTable {
 public:
  ChannelTable() = default;
  // Views point into the table's own strings, so a table can be moved but not copied.
  ChannelTable(ChannelTable&&) = default;
  ChannelTable& operator=(ChannelTable&&) = default;
  ChannelTable(const ChannelTable&) = delete;
  ChannelTable& operator=(const ChannelTable&) = delete;

  // Returns one with the same ids and names in strings of its own. REQUIRES: no channel is free.
  ChannelTable clone() const;

  // Returns the metric of that name, adding a copy of `descriptor` when it is new.
  MetricId add_metric(const MetricDescriptor& descriptor);

  // Returns the channel, adding it when it is new. REQUIRES: `metric` came from this table.
  ChannelId add_channel(MetricId metric, std::string_view instance = {});

  // Forgets the channel: its number is free, until a channel that is added gets it. REQUIRES: it is
  // not free.
  void release_channel(ChannelId id);
  bool is_free(ChannelId id) const { return generation(id) % 2 == 1; }
  // Grows by one when the number is released, and when it is given to another channel.
  std::uint32_t generation(ChannelId id) const {
    return id.index() < generations_.size() ? generations_[id.index()] : 0;
  }
  // Returns the numbers that were given again since the last call.
  std::vector<ChannelId> take_reused() { return std::exchange(reused_, {}); }
  // Grows with each channel that is added or released.
  std::uint64_t version() const { return version_; }

  // Names the collector of the metrics that are added from now on and do not say theirs.
  // REQUIRES: the text outlives the next such call.
  void begin_collector(std::string_view name) { collector_ = name; }

  // Collectors are numbered as their first metrics were added.
  std::size_t source_count() const { return sources_.size(); }
  SourceId source(ChannelId id) const { return source_of_metric_[channel(id).metric.index()]; }
  std::string_view source_name(SourceId id) const { return sources_[id.index()]; }

  std::size_t metric_count() const { return metrics_.size(); }
  std::size_t channel_count() const { return channels_.size(); }
  // Returns how many instances have a channel: a table keeps the name of each once, however many
  // metrics it has.
  std::size_t instance_count() const { return instances_.size(); }
  const MetricDescriptor& metric(MetricId id) const { return metrics_[id.index()]; }
  const MetricDescriptor& metric(ChannelId id) const { return metric(channel(id).metric); }
  const Channel& channel(ChannelId id) const { return channels_[id.index()]; }

  std::optional<MetricId> find_metric(std::string_view name) const;
  std::optional<ChannelId> find_channel(std::string_view name) const;

  // Returns "metric" or "metric{instance}", the name by which people and files know a channel.
  std::string name(ChannelId id) const;

 private:
  std::string_view intern(std::string_view text);
  std::string_view intern_instance(std::string_view text);
  SourceId add_source(std::string_view collector);

  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::deque<std::string> strings_;  // a deque never moves its elements
  // How many channels have the instance; a map never moves its elements either.
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> instances_;
  std::deque<MetricDescriptor> metrics_;
  std::deque<Channel> channels_;
  std::vector<ChannelId> free_;             // numbers
  std::vector<std::uint32_t> generations_;  // by number; beyond its end they are 0
  std::vector<ChannelId> reused_;
  std::uint64_t version_ = 0;
  std::string_view collector_;
  std::deque<SourceId> source_of_metric_;
  std::vector<std::string_view> sources_;
  std::map<std::string_view, MetricId> metric_by_name_;
  std::map<std::pair<MetricId, std::string_view>, ChannelId> channel_by_key_;
};

}  // namespace reveal::model
