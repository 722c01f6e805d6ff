#include "study/series.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "replay/chosen_frames.h"

namespace reveal::study {
namespace {

std::vector<double> values_of(const model::Frame& frame) {
  std::vector<double> out(frame.bits.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (frame.was_read(model::ChannelId(i))) out[i] = std::bit_cast<double>(frame.bits[i]);
  }
  return out;
}

base::Result<RunFacts> read(const std::string& directory, std::vector<store::Damage>& damage,
                            const TakeFrame& take, const exchange::Part& part) {
  auto chosen = replay::ChosenFrames::open(directory, part, true);
  if (!chosen) return base::pass(chosen);
  RunFacts out;
  std::optional<std::uint64_t> first;
  for (;;) {
    const auto next = chosen->frames().next();
    if (!next) return base::pass(next);
    if (*next == nullptr) break;
    const model::Frame& frame = **next;
    if (!first) {
      first = frame.sequence;
      out.run.begin_ns = frame.wall_ns;
    }
    out.run.end_ns = frame.wall_ns;
    take(frame.sequence - *first, values_of(frame));
  }
  const auto& facts = chosen->frames().facts();
  out.run.directory = directory;
  out.run.host = facts.host;
  out.interval_ns = facts.interval_ns;
  out.channels = chosen->frames().channels().clone();
  const auto& lost = chosen->reader().damage();
  damage.insert(damage.end(), lost.begin(), lost.end());
  if (first) return out;
  return base::fail(base::ErrorKind::kTooLittle, "has no frame", directory, "record longer");
}

}  // namespace

base::Result<RunFacts> read_run(const std::string& directory, std::vector<store::Damage>& damage,
                                const TakeFrame& take, const exchange::Part& part) {
  auto out = read(directory, damage, take, part);
  if (!out && out.error().where.empty()) out.error().where = directory;
  return out;
}

base::Result<Series> read_series(const std::string& directory, std::vector<store::Damage>& damage,
                                 const exchange::Part& part) {
  Series out;
  const auto take = [&out](std::uint64_t tick, std::vector<double> samples) {
    out.ticks.push_back(tick);
    out.frames.push_back(std::move(samples));
  };
  auto facts = read_run(directory, damage, take, part);
  if (!facts) return base::pass(facts);
  out.run = std::move(facts->run);
  out.interval_ns = facts->interval_ns;
  out.channels = std::move(facts->channels);
  return out;
}

std::vector<double> held_samples(const Series& series, model::ChannelId channel) {
  std::vector<double> out;
  double held = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < series.frames.size(); ++i) {
    // Ticks that were missed hold what was there before.
    while (out.size() < series.ticks[i]) out.push_back(held);
    const auto& frame = series.frames[i];
    const double sample = channel.index() < frame.size() ? frame[channel.index()] : held;
    if (std::isfinite(sample)) held = sample;
    out.push_back(held);
  }
  const auto first = std::ranges::find_if(out, [](double value) { return std::isfinite(value); });
  if (first == out.end()) return {};
  std::fill(out.begin(), first, *first);
  return out;
}

}  // namespace reveal::study
