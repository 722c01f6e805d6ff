#include "attribute/side_by_side.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <utility>

namespace reveal::attribute {
namespace {

using Samples = std::vector<window::TickSample>;
using Values = std::vector<double>;

constexpr double kThere = 0.9;       // of the ticks must have a sample
constexpr double kUnevenness = 0.5;  // of a step, by which samples may come early or late

bool has_every_tick(const Samples& samples, std::uint64_t ticks) {
  return static_cast<double>(samples.size()) >= kThere * static_cast<double>(ticks);
}

// Returns the samples tick by tick from that time on, a missing one as the one before.
Values by_tick(const Samples& samples, std::uint64_t ticks, std::int64_t from_ns,
               std::int64_t interval_ns) {
  Values out;
  std::size_t next = 0;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    const auto at_ns = from_ns + static_cast<std::int64_t>(tick) * interval_ns;
    while (next + 1 < samples.size() && samples[next + 1].end_ns <= at_ns + interval_ns / 2) {
      ++next;
    }
    out.push_back(samples[next].value);
  }
  return out;
}

// Returns how far apart the samples come; nothing if they come unevenly.
std::optional<std::int64_t> step_of(std::span<const window::TickSample> samples) {
  if (samples.size() < 2) return std::nullopt;
  const auto steps = static_cast<std::int64_t>(samples.size() - 1);
  const auto step_ns = (samples.back().end_ns - samples.front().end_ns) / steps;
  const auto most = static_cast<double>(step_ns) * kUnevenness;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const auto off = samples[i].end_ns - samples[i - 1].end_ns - step_ns;
    if (static_cast<double>(std::abs(off)) > most) return std::nullopt;
  }
  return step_ns;
}

// Returns the lead's mean over the ticks that end after `begin_ns`, up to `end_ns`; nothing if
// there is none.
std::optional<double> mean_over(const Lead& lead, std::int64_t interval_ns, std::int64_t begin_ns,
                                std::int64_t end_ns) {
  const auto count = static_cast<std::int64_t>(lead.values.size());
  const auto place = [&](std::int64_t at_ns) {
    const auto ticks = static_cast<double>(at_ns - lead.from_ns) / static_cast<double>(interval_ns);
    return std::clamp<std::int64_t>(std::llround(ticks) + 1, 0, count);
  };
  const auto first = place(begin_ns);
  const auto end = place(end_ns);
  if (first >= end) return std::nullopt;
  double sum = 0;
  for (auto i = first; i < end; ++i) sum += lead.values[static_cast<std::size_t>(i)];
  return sum / static_cast<double>(end - first);
}

std::optional<SideBySide> of_every_tick(const Lead& lead, const Samples& samples,
                                        std::int64_t interval_ns) {
  SideBySide out{lead.values,
                 by_tick(samples, lead.values.size(), lead.from_ns, interval_ns),
                 {},
                 interval_ns};
  for (std::size_t i = 0; i < out.first.size(); ++i) {
    out.at_ns.push_back(lead.from_ns + static_cast<std::int64_t>(i) * interval_ns);
  }
  return out;
}

std::optional<SideBySide> of_slower(const Lead& lead, const Samples& samples,
                                    std::int64_t interval_ns) {
  const auto step_ns = step_of(samples);
  if (!step_ns) return std::nullopt;
  SideBySide out{.first = {}, .second = {}, .at_ns = {}, .step_ns = *step_ns};
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const auto mean = mean_over(lead, interval_ns, samples[i].begin_ns, samples[i].end_ns);
    if (!mean) continue;
    out.first.push_back(*mean);
    out.second.push_back(samples[i].value);
    out.at_ns.push_back(samples[i].end_ns);
  }
  return out;
}

}  // namespace

std::optional<Lead> lead_of(const window::TickHistory& ticks, model::ChannelId channel,
                            TickRange range) {
  const auto samples = ticks.samples(channel, range.first, range.end);
  if (samples.empty() || !has_every_tick(samples, range.end - range.first)) return std::nullopt;
  const auto from_ns = samples.front().end_ns;
  return Lead{range, from_ns,
              by_tick(samples, range.end - range.first, from_ns, ticks.interval_ns())};
}

std::optional<SideBySide> side_by_side(const window::TickHistory& ticks, const Lead& lead,
                                       model::ChannelId channel) {
  const auto samples = ticks.samples(channel, lead.ticks.first, lead.ticks.end);
  if (samples.empty()) return std::nullopt;
  return has_every_tick(samples, lead.ticks.end - lead.ticks.first)
             ? of_every_tick(lead, samples, ticks.interval_ns())
             : of_slower(lead, samples, ticks.interval_ns());
}

}  // namespace reveal::attribute
