#include "collect/sampler.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "collect/registry.h"
#include "collect/run_facts.h"

namespace reveal::collect {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds kShortestInterval = std::chrono::milliseconds(10);
constexpr nanoseconds kLongestInterval = std::chrono::seconds(60);

base::Result<void> check(const SamplerOptions& options) {
  if (options.interval < kShortestInterval || options.interval > kLongestInterval) {
    return base::fail(base::ErrorKind::kUsage, "the interval must be from 10 ms to 60 s",
                      "interval");
  }
  if (options.duration && *options.duration < nanoseconds::zero()) {
    return base::fail(base::ErrorKind::kUsage, "the duration must not be negative", "duration");
  }
  return {};
}

std::optional<std::uint64_t> last_tick(const SamplerOptions& options) {
  if (!options.duration) return std::nullopt;
  return static_cast<std::uint64_t>(*options.duration / options.interval);
}

Sampler::Collectors all_collectors() {
  Sampler::Collectors out;
  for (const auto& descriptor : registry()) out.push_back(descriptor.make());
  return out;
}

}  // namespace

Sampler::Sampler(SamplerOptions options, Collectors collectors)
    : options_(std::move(options)),
      facts_(facts_of_host(options_.root)),
      clock_(options_.interval, last_tick(options_), options_.stop_fd) {
  facts_.command = options_.command;
  facts_.interval_ns = options_.interval.count();
  facts_.start_wall_ns = clock_ns(CLOCK_REALTIME);
  for (auto& collector : collectors) lanes_.push_back({std::move(collector), {}});
}

base::Result<std::unique_ptr<Sampler>> Sampler::open(SamplerOptions options) {
  auto sampler = open(std::move(options), all_collectors());
  if (sampler) (*sampler)->note_unseen();
  return sampler;
}

base::Result<std::unique_ptr<Sampler>> Sampler::open(SamplerOptions options,
                                                     Collectors collectors) {
  if (auto sound = check(options); !sound) return base::Unexpected(sound.error());
  std::unique_ptr<Sampler> sampler(new Sampler(std::move(options), std::move(collectors)));
  if (auto opened = sampler->open_lanes(); !opened) return base::Unexpected(opened.error());
  return sampler;
}

base::Result<void> Sampler::open_lanes() {
  for (Lane& lane : lanes_) lane.opened = lane.collector->open(options_.root, channels_);
  next_retry_ns_ = clock_ns(CLOCK_MONOTONIC) + options_.retry.count();
  if (std::any_of(lanes_.begin(), lanes_.end(),
                  [](const Lane& lane) { return lane.opened.has_value(); })) {
    return {};
  }
  return base::fail(base::ErrorKind::kAbsent, "nothing to record: no kernel file can be read",
                    options_.root.proc, "check --proc-root and --sys-root");
}

// The lanes of all_collectors() are in the registry's order.
void Sampler::note_unseen() {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (lanes_[i].opened) continue;
    const auto& descriptor = registry()[i];
    facts_.unseen.push_back({std::string(descriptor.name), lanes_[i].opened.error().message(),
                             static_cast<std::uint32_t>(descriptor.metrics().size())});
  }
}

void Sampler::retry_lanes() {
  const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
  if (now < next_retry_ns_) return;
  next_retry_ns_ = now + options_.retry.count();
  for (Lane& lane : lanes_) {
    if (!lane.opened) lane.opened = lane.collector->open(options_.root, channels_);
  }
}

void Sampler::read(std::uint64_t tick) {
  const std::int64_t cpu_before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  frame_.gap = tick > frame_.sequence + 1 ? model::kGapLate : model::kNoGap;
  frame_.sequence = tick;
  frame_.wall_ns = clock_ns(CLOCK_REALTIME);
  frame_.mono_ns = clock_ns(CLOCK_MONOTONIC);
  retry_lanes();
  std::fill(frame_.validity.begin(), frame_.validity.end(), model::Validity::kMissing);
  FrameWriter writer(channels_, frame_);
  for (Lane& lane : lanes_) {
    if (lane.opened) lane.collector->collect(writer);
  }
  frame_.cost_ns = static_cast<std::uint64_t>(clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_before);
}

base::Result<const model::Frame*> Sampler::next() {
  const auto tick = clock_.wait();
  if (!tick) return nullptr;
  read(*tick);
  return &frame_;
}

}  // namespace reveal::collect
