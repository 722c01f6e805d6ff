#include "store/table_codec.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>

namespace reveal::store {
namespace {

using base::ErrorKind;
using base::Result;
using model::ChannelTable;
using model::MetricDescriptor;
using model::MetricId;

// The numbers on disk are the enumerators' values; these are the last ones of format version 1. A
// later subsystem is in a field of its own, which older readers pass over.
constexpr auto kLastKind = model::Kind::kStatic;
constexpr auto kLastRepr = model::Repr::kF64;
constexpr auto kLastSubsystem = model::Subsystem::kStorage;
constexpr auto kLastScope = model::Scope::kRecorder;
static_assert(static_cast<int>(kLastKind) == 3 && static_cast<int>(kLastRepr) == 1);
static_assert(static_cast<int>(kLastSubsystem) == 4 && static_cast<int>(kLastScope) == 8);
constexpr auto kUnknown = static_cast<std::uint8_t>(model::Subsystem::kUnknown);
static_assert(kUnknown == 5);

constexpr std::string_view MetricDescriptor::*kTexts[] = {
    &MetricDescriptor::name,   &MetricDescriptor::label, &MetricDescriptor::unit,
    &MetricDescriptor::source, &MetricDescriptor::alias, &MetricDescriptor::doc_url,
    &MetricDescriptor::help};

void put_metric(Bytes& out, const MetricDescriptor& metric) {
  Bytes entry;
  for (const auto text : kTexts) put_text(entry, metric.*text);
  entry.push_back(static_cast<std::uint8_t>(metric.kind));
  entry.push_back(static_cast<std::uint8_t>(metric.repr));
  const bool is_later = metric.subsystem > kLastSubsystem;
  entry.push_back(is_later ? 0 : static_cast<std::uint8_t>(metric.subsystem));
  entry.push_back(static_cast<std::uint8_t>(metric.scope));
  entry.push_back(metric.counter_bits);
  put_u64(entry, std::bit_cast<std::uint64_t>(metric.scale));
  put_zigzag(entry, metric.rank);
  if (!metric.collector.empty() || is_later) put_text(entry, metric.collector);
  if (is_later) entry.push_back(static_cast<std::uint8_t>(metric.subsystem));
  put_varint(out, entry.size());
  put_bytes(out, entry);
}

template <typename Enum>
bool read_enum(ByteCursor& in, Enum last, Enum& out) {
  const std::uint8_t value = in.u8();
  out = static_cast<Enum>(value);
  return value <= static_cast<std::uint8_t>(last);
}

// Returns nothing if the entry is not a metric. Its texts are views into the payload.
std::optional<MetricDescriptor> read_metric(ByteCursor& payload) {
  ByteCursor in(payload.bytes(payload.varint()));
  MetricDescriptor metric;
  for (const auto text : kTexts) metric.*text = in.text();
  const bool known =
      read_enum(in, kLastKind, metric.kind) && read_enum(in, kLastRepr, metric.repr) &&
      read_enum(in, kLastSubsystem, metric.subsystem) && read_enum(in, kLastScope, metric.scope);
  metric.counter_bits = in.u8();
  metric.scale = std::bit_cast<double>(in.u64());
  const std::int64_t rank = in.zigzag();
  metric.rank = static_cast<std::int16_t>(rank);
  if (in.left() > 0) metric.collector = in.text();
  // What a later writer knows is not known here.
  if (in.left() > 0 && in.u8() >= kUnknown) metric.subsystem = model::Subsystem::kUnknown;
  if (!known || !in.ok() || metric.rank != rank || metric.name.empty()) return std::nullopt;
  return metric;
}

base::Unexpected broken(std::string_view what) {
  return base::fail(ErrorKind::kCorrupt, std::string(what));
}

}  // namespace

void put_metrics(Bytes& out, const ChannelTable& table, std::size_t first) {
  put_varint(out, first);
  put_varint(out, table.metric_count() - first);
  for (std::size_t i = first; i < table.metric_count(); ++i) {
    put_metric(out, table.metric(MetricId(i)));
  }
}

void put_channels(Bytes& out, const ChannelTable& table, std::size_t first) {
  put_varint(out, first);
  put_varint(out, table.channel_count() - first);
  for (std::size_t i = first; i < table.channel_count(); ++i) {
    const model::Channel& channel = table.channel(model::ChannelId(i));
    put_varint(out, channel.metric.index());
    put_text(out, channel.instance);
  }
}

Result<void> read_metrics(ByteView payload, ChannelTable& table) {
  ByteCursor in(payload);
  std::uint64_t number = in.varint();
  if (number > table.metric_count()) return broken("metrics before these were lost");
  for (std::uint64_t left = in.varint(); left > 0; --left, ++number) {
    const auto metric = read_metric(in);
    if (!metric) return broken("a metric that cannot be read");
    if (number < table.metric_count()) continue;
    if (table.find_metric(metric->name)) return broken("a metric that is stated twice");
    table.add_metric(*metric);
  }
  return in.ok() ? Result<void>() : broken("a list of metrics that is cut off");
}

Result<void> read_channels(ByteView payload, ChannelTable& table) {
  ByteCursor in(payload);
  std::uint64_t number = in.varint();
  if (number > table.channel_count()) return broken("channels before these were lost");
  for (std::uint64_t left = in.varint(); left > 0; --left, ++number) {
    const std::uint64_t metric = in.varint();
    const std::string_view instance = in.text();
    if (!in.ok()) return broken("a list of channels that is cut off");
    if (metric >= table.metric_count()) return broken("a channel of a metric that was lost");
    if (number < table.channel_count()) continue;
    const auto id = table.add_channel(MetricId(static_cast<std::size_t>(metric)), instance);
    if (id.index() != number) return broken("a channel that is stated twice");
  }
  return in.ok() ? Result<void>() : broken("a list of channels that is cut off");
}

}  // namespace reveal::store
