#include "agent/recorded_metrics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "text/utf8.h"

namespace reveal::agent {
namespace {

constexpr std::string_view kTotal = "_total";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Source: https://prometheus.io/docs/concepts/data_model/#metric-names-and-labels
std::string label_name(std::string_view text) {
  std::string out;
  for (const char c : text) out += is_letter(c) || (c >= '0' && c <= '9') ? c : '_';
  if (out.empty() || !is_letter(out.front())) out.insert(0, 1, '_');
  return out;
}

std::string escaped(std::string_view text) {
  std::string mended;
  std::string out;
  for (const char c : text::as_utf8(text, mended)) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view type_of(std::string_view name, bool is_counter, http::Exposition format) {
  if (!is_counter) return "gauge";
  if (name.ends_with(kTotal)) return "counter";
  return format == http::Exposition::kOpenMetrics ? "unknown" : "untyped";
}

// Of a scale such as 0.01 the inverse is exact and gives 35880.95, not 35880.950000000004.
std::optional<double> value_of(std::uint64_t bits, model::Repr repr, double scale) {
  const double raw =
      repr == model::Repr::kF64 ? std::bit_cast<double>(bits) : static_cast<double>(bits);
  const double inverse = 1 / scale;
  const bool is_whole = inverse > 1 && inverse == std::round(inverse);
  const double out = is_whole ? raw / inverse : raw * scale;
  return std::isfinite(out) ? std::optional(out) : std::nullopt;
}

}  // namespace

std::string labels_of(std::string_view instance) {
  if (instance.empty()) return {};
  std::string out;
  std::vector<std::string> names;
  while (!instance.empty()) {
    const auto part = instance.substr(0, instance.find(','));
    instance.remove_prefix(std::min(part.size() + 1, instance.size()));
    const auto equals = part.find('=');
    const bool is_named = equals != std::string_view::npos;
    auto name = is_named ? label_name(part.substr(0, equals)) : std::string("part");
    const auto is_there = [&](const std::string& one) {
      return std::find(names.begin(), names.end(), one) != names.end();
    };
    const auto base = name;
    for (int i = 2; is_there(name); ++i) name = fmt::format("{}_{}", base, i);
    out += fmt::format("{}{}=\"{}\"", out.empty() ? "" : ",", name,
                       escaped(is_named ? part.substr(equals + 1) : part));
    names.push_back(std::move(name));
  }
  return "{" + out + "}";
}

void RecordedMetrics::add_new(const model::ChannelTable& channels) {
  for (std::size_t i = metrics_.size(); i < channels.metric_count(); ++i) {
    const auto& metric = channels.metric(model::MetricId(i));
    metrics_.push_back(
        {.name = std::string(metric.name),
         .label = escaped(metric.label),
         .is_counter = metric.kind == model::Kind::kCounter || metric.kind == model::Kind::kEvent,
         .repr = metric.repr,
         .scale = metric.scale});
  }
  for (std::size_t i = labels_.size(); i < channels.channel_count(); ++i) {
    const auto& channel = channels.channel(model::ChannelId(i));
    metrics_[channel.metric.index()].channels.push_back(i);
    labels_.push_back(labels_of(channel.instance));
  }
}

void RecordedMetrics::take(const model::ChannelTable& channels, const model::Frame& frame) {
  const std::lock_guard lock(mutex_);
  add_new(channels);
  bits_.assign(frame.bits.begin(), frame.bits.end());
  validity_.assign(frame.validity.begin(), frame.validity.end());
}

void RecordedMetrics::append(const Metric& metric, http::Exposition format,
                             std::string& out) const {
  std::string lines;
  for (const auto channel : metric.channels) {
    const bool is_total = labels_[channel].empty() && metric.channels.size() > 1;
    if (is_total || channel >= bits_.size() || validity_[channel] == model::Validity::kMissing) {
      continue;
    }
    const auto value = value_of(bits_[channel], metric.repr, metric.scale);
    if (value) lines += fmt::format("{}{} {}\n", metric.name, labels_[channel], *value);
  }
  if (lines.empty()) return;
  const auto type = type_of(metric.name, metric.is_counter, format);
  std::string_view family = metric.name;
  if (format == http::Exposition::kOpenMetrics && type == "counter") {
    family.remove_suffix(kTotal.size());
  }
  out += fmt::format("# HELP {} {}.\n# TYPE {} {}\n", family, metric.label, family, type);
  out += lines;
}

std::string RecordedMetrics::text(http::Exposition format) const {
  const std::lock_guard lock(mutex_);
  std::string out;
  for (const auto& metric : metrics_) append(metric, format, out);
  return out;
}

}  // namespace reveal::agent
