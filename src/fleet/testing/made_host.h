// Tests only: one host of a comparison, made of numbers, a frame a second.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "fleet/host_levels.h"

namespace reveal::fleet {

inline constexpr std::int64_t kMadeBegin_ns = 1'795'255'200'000'000'000;  // a whole second
inline constexpr std::int64_t kSecond_ns = 1'000'000'000;

inline Grid made_grid(std::size_t seconds) {
  return {kMadeBegin_ns, kSecond_ns, seconds};
}

// A normal number, by Box and Muller.
inline double normal(base::Rng& rng) {
  const double radius = std::sqrt(-2 * std::log(1 - rng.uniform()));
  return radius * std::cos(2 * std::numbers::pi * rng.uniform());
}

class MadeHost {
 public:
  explicit MadeHost(const Grid& grid) : levels(grid) {
    facts.interval_ns = kSecond_ns;
    facts.kernel = "6.1.0";
    static_cast<void>(levels.begin(facts));
  }

  // Adds a channel; its samples are NaN, that is missing, until they are set.
  model::ChannelId add(const std::string& metric, const std::string& instance = "",
                       model::Kind kind = model::Kind::kGauge, const std::string& unit = "things",
                       model::Subsystem subsystem = model::Subsystem::kCpu,
                       model::Scope scope = model::Scope::kHost) {
    model::MetricDescriptor row;
    row.name = metric;
    row.label = metric;
    row.unit = unit;
    row.kind = kind;
    row.repr = model::Repr::kF64;
    row.subsystem = subsystem;
    row.scope = scope;
    const auto id = channels.add_channel(channels.add_metric(row), instance);
    samples.resize(channels.channel_count(), std::nan(""));
    return id;
  }

  void set(model::ChannelId channel, double value) { samples[channel.index()] = value; }
  void say(const std::string& subject, const std::string& text) {
    notes.push_back({model::Note::Kind::kFact, "host_facts", subject, text});
  }

  // Lets the source of all channels be read in every so many frames only; in the others it is
  // stale.
  void read_every(std::uint64_t frames) { frames_a_reading = frames; }

  void tick() {
    model::Frame frame;
    frame.sequence = next;
    frame.wall_ns = kMadeBegin_ns + static_cast<std::int64_t>(next) * kSecond_ns;
    frame.mono_ns = static_cast<std::int64_t>(next + 1) * kSecond_ns;
    frame.resize(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (std::isnan(samples[i])) continue;
      frame.set_f64(model::ChannelId(i), samples[i]);
      if (next % frames_a_reading != 0) frame.validity[i] = model::Validity::kStale;
    }
    frame.notes = std::exchange(notes, {});
    static_cast<void>(levels.write(channels, frame));
    if (also_to != nullptr) static_cast<void>(also_to->write(channels, frame));
    ++next;
  }
  // Lets a second pass without a frame.
  void skip() { ++next; }
  void finish() { static_cast<void>(levels.finish()); }

  model::RunFacts facts;
  HostLevels levels;
  model::FrameSink* also_to = nullptr;  // that gets the same frames
  model::ChannelTable channels;
  std::vector<double> samples;
  std::vector<model::Note> notes;
  std::uint64_t next = 0;
  std::uint64_t frames_a_reading = 1;
};

}  // namespace reveal::fleet
