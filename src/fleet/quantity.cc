#include "fleet/quantity.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "attribute/claim.h"

namespace reveal::fleet {
namespace {

using model::Kind;
using model::Scope;

constexpr std::string_view kCore = "cpu=";

// Units of which two together are twice as much.
constexpr std::array<std::string_view, 12> kAmounts{"bytes",       "pages",   "packets", "requests",
                                                    "tasks",       "sockets", "threads", "inodes",
                                                    "connections", "files",   "watts",   "bytes/s"};

bool adds_up(const Quantity& quantity) {
  if (quantity.kind == Kind::kCounter || quantity.kind == Kind::kEvent) return true;
  return std::find(kAmounts.begin(), kAmounts.end(), quantity.unit) != kAmounts.end();
}

std::string without_core(std::string_view instance) {
  const auto comma = instance.find(',');
  return comma == std::string_view::npos ? std::string() : std::string(instance.substr(comma + 1));
}

}  // namespace

std::string_view to_string(Fold fold) {
  switch (fold) {
    case Fold::kMeanOfCores:
      return "mean_of_cores";
    case Fold::kHighestCore:
      return "highest_core";
    case Fold::kSum:
      return "sum";
    case Fold::kMean:
      return "mean";
    case Fold::kNone:
      break;
  }
  return "channel";
}

bool is_of_core(std::string_view instance) {
  return instance.starts_with(kCore);
}

std::string Quantity::channel() const {
  return instance.empty() ? metric : fmt::format("{}{{{}}}", metric, instance);
}

std::string Quantity::key() const {
  return fmt::format("{} {}", channel(), to_string(fold));
}

std::string Quantity::phrase() const {
  const std::string place = attribute::place_phrase(scope, instance);
  switch (fold) {
    case Fold::kMeanOfCores:
      return fmt::format("{}{}, mean of cores", label, place);
    case Fold::kHighestCore:
      return fmt::format("{}{}, highest core", label, place);
    case Fold::kSum:
      return label + ", all together";
    case Fold::kMean:
      return label + ", mean of all";
    case Fold::kNone:
      break;
  }
  return label + place;
}

Quantity quantity_of(const model::ChannelTable& channels, model::ChannelId channel) {
  const auto& metric = channels.metric(channel);
  const auto instance = channels.channel(channel).instance;
  Quantity out;
  out.metric = metric.name;
  out.label = metric.label;
  out.unit = metric.kind == Kind::kEvent ? fmt::format("{}/s", metric.unit) : metric.unit;
  out.kind = metric.kind;
  out.subsystem = metric.subsystem;
  out.scope = metric.scope;
  out.instance = instance;
  if (is_of_core(instance)) {
    out.fold = Fold::kMeanOfCores;
    out.instance = without_core(instance);
    if (out.scope == Scope::kCore) out.scope = Scope::kHost;
  }
  return out;
}

Quantity folded(const Quantity& quantity) {
  Quantity out = quantity;
  out.instance.clear();
  out.fold = adds_up(quantity) ? Fold::kSum : Fold::kMean;
  return out;
}

}  // namespace reveal::fleet
