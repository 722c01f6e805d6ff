// Other programs' names of channels, taken apart into metric and instance:
//
//   cpu_busy_ratio{cpu=3}                      Reveal's own
//   node_cpu_seconds_total{cpu="0",mode="user"}  Prometheus' labels, joined to cpu=0,mode=user
//   cpu3_usage, gpu 0 temp, eth0.rx_bytes      a part that numbers a core, GPU, device, ...
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reveal::exchange {

struct ChannelName {
  std::string metric;    // letters, digits, _ and : only, never empty
  std::string instance;  // "" for the whole host, else "cpu=3", "cpu=0,mode=user"
  friend bool operator==(const ChannelName&, const ChannelName&) = default;
};

using Labels = std::vector<std::pair<std::string, std::string>>;

ChannelName channel_of_name(std::string_view name);

// Returns the channel of a metric with these labels in their order; __name__, which is the metric,
// and `left_out` are not part of the instance.
ChannelName channel_of_labels(std::string_view metric, const Labels& labels,
                              const std::vector<std::string>& left_out);

// Returns `text` with everything but letters, digits, _ and : as single underscores.
std::string metric_of_text(std::string_view text);

}  // namespace reveal::exchange
