// Channels by the labels of Prometheus' series.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "exchange/channel_name.h"

namespace reveal::exchange {

// A series' channel, what messages call it, and the host that it is of; empty if no label says it.
struct LabeledChannel {
  ChannelName channel;
  std::string name;
  std::string host;
};

// Tells apart the series of one file. The labels instance, host and hostname tell the host. Two
// jobs may tell the same of one host; then the job is part of the instance.
class PrometheusNames {
 public:
  // `stem` is the metric of series that do not name theirs.
  explicit PrometheusNames(std::string_view stem) : stem_(stem) {}

  LabeledChannel of(const Labels& labels);

 private:
  std::string stem_;
  std::set<std::tuple<std::string, std::string, std::string>> seen_;
};

}  // namespace reveal::exchange
