#include "probes/series_channels.h"

#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace reveal::probes {
namespace {

// A name that nobody has declared may be of anybody's making: some are told, the rest are not even
// remembered.
constexpr std::size_t kMostNames = 8;

constexpr std::chrono::seconds kLook{10};  // between two looks for series that are gone

void remember(std::set<std::string, std::less<>>& names, std::string_view name) {
  if (names.size() <= kMostNames && names.find(name) == names.end()) names.emplace(name);
}

std::string list_of(const std::set<std::string, std::less<>>& names) {
  if (names.size() <= kMostNames) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and others", fmt::join(names.begin(), std::prev(names.end()), ", "));
}

}  // namespace

void SeriesChannels::begin(Clock::time_point now) {
  now_ = now;
  ++reading_;
}

const model::MetricDescriptor* SeriesChannels::metric(std::string_view name) {
  const auto* found = metrics_->find(name);
  if (found == nullptr) {
    remember(undeclared_, name);
  } else if (!metrics_->claim(name, probe_)) {
    remember(elsewhere_, name);
    found = nullptr;
  }
  return found;
}

SeriesChannels::Series* SeriesChannels::series(collect::FrameWriter& writer,
                                               const model::MetricDescriptor& metric,
                                               const std::string& instance) {
  Key key(metric.name, instance);
  const auto found = series_.find(key);
  if (found != series_.end()) return &found->second;
  if (series_.size() == kMost) return nullptr;
  auto& out = series_[std::move(key)];
  out.channel = writer.add_channel(metric, instance);
  return &out;
}

void SeriesChannels::set(collect::FrameWriter& writer, const model::MetricDescriptor& metric,
                         const std::string& instance, double value, model::Validity validity) {
  auto* one = series(writer, metric, instance);
  if (one == nullptr) {
    ++too_many_;
    return;
  }
  if (one->reading == reading_) {
    if (twice_.empty()) twice_ = fmt::format("{}{{{}}}", metric.name, instance);
    return;
  }
  one->reading = reading_;
  one->set_at = now_;
  writer.set(one->channel, value);
  if (validity != model::Validity::kFresh) writer.repeat(one->channel, validity);
}

void SeriesChannels::forget_old(collect::FrameWriter& writer) {
  if (now_ < next_look_) return;
  next_look_ = now_ + kLook;
  for (auto each = series_.begin(); each != series_.end();) {
    if (now_ - each->second.set_at < kKept) {
      ++each;
      continue;
    }
    writer.release_channel(each->second.channel);
    each = series_.erase(each);
  }
}

void SeriesChannels::end(collect::FrameWriter& writer) {
  forget_old(writer);
  if (!undeclared_.empty()) {
    say(writer, fmt::format("{}: metrics that are not declared", probe_), list_of(undeclared_));
  }
  if (!elsewhere_.empty()) {
    say(writer, fmt::format("{}: metrics that another probe has", probe_), list_of(elsewhere_));
  }
  if (!twice_.empty()) {
    say(writer, fmt::format("{}: a series that comes twice", probe_),
        twice_ + "; the first value counts");
  }
  if (too_many_ > 0) {
    say(writer, fmt::format("{}: too many series", probe_),
        fmt::format("{} are recorded, the others are not", kMost));
  }
}

}  // namespace reveal::probes
