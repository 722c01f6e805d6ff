#include "tables/feature_rows.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "model/absence.h"
#include "text/duration.h"
#include "window/window_choice.h"

namespace reveal::tables {
namespace {

using base::ErrorKind;
using base::Result;
using exchange::Cell;
using feature::FeatureId;

constexpr std::string_view kWhole = "all";

// Returns a length of time: "3s", or a number of ticks.
Result<std::int64_t> length_of(const char* option, const std::string& text,
                               std::int64_t interval_ns) {
  auto ns = window::parse_length(text).and_then(
      [&](const window::Length& length) { return length.ns(interval_ns); });
  if (!ns) {
    ns.error().where = option + (" " + text);
    return ns;
  }
  if (*ns % interval_ns == 0) return ns;
  return base::fail(ErrorKind::kUsage,
                    fmt::format("is not a whole multiple of the interval, {} ns", interval_ns),
                    option + (" " + text));
}

std::vector<FeatureId> all_of(const feature::FeatureChoice& choice) {
  std::set<FeatureId> all(choice.dynamic.begin(), choice.dynamic.end());
  all.insert(choice.events.begin(), choice.events.end());
  return {all.begin(), all.end()};
}

}  // namespace

FeatureRows::FeatureRows(FeatureWindows windows, std::vector<std::string> channels,
                         const feature::FeatureChoice& choice,
                         std::unique_ptr<exchange::RowSink> rows)
    : windows_(std::move(windows)),
      extractor_(deriver_.channels(), choice, &deriver_.ratios()),
      rows_(std::move(rows)),
      features_(all_of(choice)) {
  part_.channels = std::move(channels);
}

Result<void> FeatureRows::begin(const model::RunFacts& facts) {
  interval_ns_ = facts.interval_ns;
  if (windows_.length != kWhole) {
    if (auto done = make_cutter(); !done) return done;
  }
  using enum exchange::CellType;
  std::vector<exchange::RowColumn> columns{
      {"window", kCount}, {"begin_ns", kInteger}, {"end_ns", kInteger}, {"channel", kText}};
  for (const FeatureId id : features_) {
    columns.push_back({std::string(feature::descriptor(id).name), kReal});
  }
  return rows_->begin(columns);
}

Result<void> FeatureRows::write(const model::ChannelTable& channels, const model::Frame& frame) {
  const auto values = deriver_.step(channels, frame);
  if (!cutter_) {
    keep(frame.wall_ns, values);
    return {};
  }
  Result<void> done;
  cutter_->push(
      frame.sequence, frame.wall_ns, values,
      [&](const window::WindowView& view) {
        if (done) done = write_window(view);
      },
      [this](std::uint64_t missing) { return deriver_.means_before(missing); });
  return done;
}

Result<void> FeatureRows::finish() {
  if (!cutter_ && !ticks_.empty()) {
    if (auto done = write_whole(); !done) return done;
  }
  return rows_->finish();
}

Result<void> FeatureRows::make_cutter() {
  const auto length = length_of("--window", windows_.length, interval_ns_);
  if (!length) return base::pass(length);
  const auto stride = length_of("--stride", windows_.stride, interval_ns_);
  if (!stride) return base::pass(stride);
  // A window given in ticks may be shorter than the usual stride.
  const window::WindowSpec spec{interval_ns_, *length, std::min(*length, *stride)};
  if (auto held = spec.check_most(); !held) return held;
  cutter_.emplace(spec);
  return {};
}

void FeatureRows::keep(std::int64_t wall_ns, std::span<const double> values) {
  if (ticks_.empty()) begin_ns_ = wall_ns;
  ticks_.emplace_back(values.begin(), values.end());
}

Result<void> FeatureRows::write_whole() {
  const std::size_t channels = deriver_.channels().channel_count();
  std::vector<const double*> rows;
  for (auto& tick : ticks_) {
    tick.resize(channels, model::kMissingValue);
    rows.push_back(tick.data());
  }
  window::WindowSpan span;
  span.begin_ns = begin_ns_;
  span.end_ns = begin_ns_ + static_cast<std::int64_t>(ticks_.size()) * interval_ns_;
  return write_window({span, rows, channels});
}

Result<void> FeatureRows::write_window(const window::WindowView& view) {
  extractor_.extract(view);
  for (std::size_t i = 0; i < view.channel_count(); ++i) {
    const model::ChannelId channel(i);
    if (!is_written(channel)) continue;
    if (auto done = rows_->write(row_of(view.span(), channel)); !done) return done;
    written_ = true;
  }
  return {};
}

bool FeatureRows::is_written(model::ChannelId channel) const {
  if (extractor_.features(channel).empty()) return false;
  const auto& channels = deriver_.channels();
  return part_.channels.empty() || exchange::is_chosen(part_, channels.metric(channel).name,
                                                       channels.channel(channel).instance);
}

// A channel's features are a part of all, in the same order.
std::vector<Cell> FeatureRows::row_of(const window::WindowSpan& span,
                                      model::ChannelId channel) const {
  std::vector<Cell> out;
  out.reserve(4 + features_.size());
  out.emplace_back(std::uint64_t{span.id.value()});
  out.emplace_back(span.begin_ns);
  out.emplace_back(span.end_ns);
  out.emplace_back(deriver_.channels().name(channel));
  const auto own = extractor_.features(channel);
  const auto values = extractor_.values(channel);
  std::size_t next = 0;
  for (const FeatureId id : features_) {
    const bool is_own = next < own.size() && own[next] == id;
    if (is_own) {
      out.emplace_back(values[next++]);
    } else {
      out.emplace_back();
    }
  }
  return out;
}

}  // namespace reveal::tables
