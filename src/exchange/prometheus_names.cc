#include "exchange/prometheus_names.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace reveal::exchange {
namespace {

bool is_host_label(std::string_view key) {
  return key == "instance" || key == "host" || key == "hostname";
}

std::string without_port(const std::string& address) {
  const auto colon = address.rfind(':');
  const bool port = colon != std::string::npos && colon + 1 < address.size() &&
                    std::all_of(address.begin() + static_cast<std::ptrdiff_t>(colon) + 1,
                                address.end(), [](char c) { return c >= '0' && c <= '9'; });
  return port ? address.substr(0, colon) : address;
}

}  // namespace

LabeledChannel PrometheusNames::of(const Labels& labels) {
  LabeledChannel out;
  for (const auto& [key, value] : labels) {
    if (is_host_label(key) && out.host.empty()) out.host = without_port(value);
  }
  std::vector<std::string> left_out{"instance", "host", "hostname", "job"};
  out.channel = channel_of_labels(stem_, labels, left_out);
  if (!seen_.insert({out.channel.metric, out.channel.instance, out.host}).second) {
    left_out.pop_back();
    out.channel = channel_of_labels(stem_, labels, left_out);
  }
  out.name = out.channel.instance.empty()
                 ? out.channel.metric
                 : fmt::format("{}{{{}}}", out.channel.metric, out.channel.instance);
  return out;
}

}  // namespace reveal::exchange
