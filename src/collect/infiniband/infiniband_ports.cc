// What a port of an InfiniBand or RoCE adapter is: its state and rate.
#include <charconv>
#include <optional>

#include "collect/infiniband/infiniband_metrics.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr double kFastestGigabits = 1e6;  // more, or "nan", is rubbish

// Returns the number that `text` begins with, and moves behind it.
std::optional<double> take_number(std::string_view& text) {
  double value = 0.0;
  const auto [stop, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

constexpr AttributeRow row(AttributeParser parser, Kind kind, std::string_view source,
                           std::string_view alias, std::string_view unit, std::string_view name,
                           std::string_view label, std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = model::Subsystem::kNetwork;
  out.scope = model::Scope::kNic;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://www.kernel.org/doc/Documentation/ABI/stable/sysfs-class-infiniband";
  out.help = help;
  out.rank = rank;
  return {parser, out};
}

constexpr AttributeRow real(AttributeRow out) {
  out.metric.repr = model::Repr::kF64;
  return out;
}

constexpr AttributeRow kPort[] = {
    row(leading_number, Kind::kGauge, "/sys/class/infiniband/*/ports/*/state", "state", "state",
        "network_infiniband_port_state", "InfiniBand port state",
        "Logical state of the port: 1 down, 2 initializing, 3 armed, 4 active, 5 active deferred.",
        30),
    row(leading_number, Kind::kGauge, "/sys/class/infiniband/*/ports/*/phys_state", "phys_state",
        "state", "network_infiniband_physical_state", "InfiniBand physical state",
        "State of the link below: 1 sleep, 2 polling, 3 disabled, 4 training, 5 up, 6 recovering "
        "from errors.",
        40),
    real(row(port_rate, Kind::kStatic, "/sys/class/infiniband/*/ports/*/rate", "rate", "bits/s",
             "network_infiniband_rate_bits_per_second", "InfiniBand port rate",
             "Rate that the port's link was trained to.", 40)),
};

}  // namespace

AttributeValue leading_number(std::string_view line) {
  return decimal_attribute(line.substr(0, line.find(':')));
}

AttributeValue port_rate(std::string_view line) {
  const auto gigabits = take_number(line);
  const bool believable = gigabits && *gigabits >= 0.0 && *gigabits < kFastestGigabits;
  if (!believable || !line.starts_with(" Gb/sec")) return {};
  return *gigabits * 1e9;
}

std::span<const AttributeRow> infiniband_port_rows() {
  return kPort;
}

}  // namespace reveal::collect
