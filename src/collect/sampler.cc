#include "collect/sampler.h"

#include <algorithm>
#include <ctime>
#include <utility>

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

base::Error unknown_collector(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& descriptor : registry()) names.push_back(descriptor.name);
  return {base::ErrorKind::kUsage, fmt::format("no collector is called {}", name),
          "collect.poll_classes", fmt::format("choose from {}", fmt::join(names, ", "))};
}

SourceSpec spec_of(const CollectorDescriptor& descriptor, const PollPlan& plan) {
  SourceSpec spec;
  spec.name = descriptor.name;
  spec.poll_class = poll_class_of(descriptor, plan);
  spec.may_block = descriptor.may_block;
  spec.metrics = static_cast<std::uint32_t>(descriptor.metrics().size());
  if (spec.poll_class) {
    spec.collector = descriptor.make();
  } else {
    spec.why_off = plan.choices.contains(descriptor.name)
                       ? "is turned off in the configuration"
                       : fmt::format("is read only where the configuration gives {} a poll class",
                                     descriptor.name);
  }
  return spec;
}

}  // namespace

base::Result<std::vector<SourceSpec>> planned_sources(const PollPlan& plan) {
  for (const auto& choice : plan.choices) {
    if (find_collector(choice.first) == nullptr) {
      return base::Unexpected(unknown_collector(choice.first));
    }
  }
  std::vector<SourceSpec> out;
  for (const auto& descriptor : registry()) out.push_back(spec_of(descriptor, plan));
  return out;
}

Sampler::Sampler(SamplerOptions options, Sources sources)
    : options_(std::move(options)),
      facts_(facts_of_host(options_.root)),
      clock_(options_.interval, last_tick(options_), options_.stop_fd) {
  facts_.command = options_.command;
  facts_.interval_ns = options_.interval.count();
  facts_.start_wall_ns = clock_ns(CLOCK_REALTIME);
  for (auto& spec : sources) sources_.emplace_back(std::move(spec), crews_);
  for (Source& source : sources_) turns_.push_back({0, &source});
  std::stable_partition(turns_.begin(), turns_.end(), [](const Turn& turn) {
    return turn.source->poll_class() == PollClass::kFast;
  });
  vitals_.storage = options_.storage;
  vitals_.sources = [this] {
    std::vector<SourceVitals> out;
    for (const Source& source : sources_) {
      if (source.is_open()) out.push_back(source.vitals());
    }
    return out;
  };
  for (Source& source : sources_) source.watch(vitals_);
}

base::Result<std::unique_ptr<Sampler>> Sampler::open(SamplerOptions options) {
  auto sources = planned_sources(options.poll_plan);
  if (!sources) return base::pass(sources);
  return open(std::move(options), std::move(*sources));
}

base::Result<std::unique_ptr<Sampler>> Sampler::open(SamplerOptions options, Sources sources) {
  if (auto sound = check(options); !sound) return base::pass(sound);
  std::unique_ptr<Sampler> sampler(new Sampler(std::move(options), std::move(sources)));
  if (auto opened = sampler->open_sources(); !opened) return base::pass(opened);
  sampler->note_unseen();
  return sampler;
}

base::Result<void> Sampler::open_sources() {
  for (Source& source : sources_) source.begin_opening(options_.root, channels_);
  const std::int64_t deadline = clock_ns(CLOCK_MONOTONIC) + kOpeningNs;
  for (Source& source : sources_) source.finish_opening(deadline);
  next_retry_ns_ = clock_ns(CLOCK_MONOTONIC) + options_.retry.count();
  // The recorder's own metrics are no reason to record.
  const auto reads_the_host = [](const Source& source) {
    return source.is_open() && !source.name().starts_with("recorder");
  };
  if (std::any_of(sources_.begin(), sources_.end(), reads_the_host)) return {};
  return base::fail(base::ErrorKind::kAbsent, "nothing to record: no kernel file can be read",
                    options_.root.proc, "check --proc-root and --sys-root");
}

void Sampler::note_unseen() {
  for (const Source& source : sources_) {
    if (source.is_open()) continue;
    base::Error why = source.why_closed();
    std::string remedy = std::exchange(why.remedy, {});
    facts_.unseen.push_back({source.name(), why.message(), std::move(remedy), source.metrics()});
  }
}

void Sampler::retry_sources() {
  const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
  if (now < next_retry_ns_) return;
  next_retry_ns_ = now + options_.retry.count();
  for (Source& source : sources_) {
    if (source.can_be_retried()) source.begin_opening(options_.root, channels_);
  }
  for (Turn& turn : turns_) turn.tick = 0;
}

void Sampler::begin_frame(std::uint64_t tick) {
  frame_.gap = tick > frame_.sequence + 1 ? model::kGapLate : model::kNoGap;
  frame_.sequence = tick;
  frame_.wall_ns = clock_ns(CLOCK_REALTIME);
  frame_.mono_ns = clock_ns(CLOCK_MONOTONIC);
  frame_.cost_ns = 0;
  frame_.notes.clear();
  if (!first_tick_) {
    const std::int64_t interval = options_.interval.count();
    first_tick_ = static_cast<std::uint64_t>((frame_.wall_ns + interval / 2) / interval) - tick;
  }
}

void Sampler::watch_clock() {
  const auto jump = clock_watch_.check(read_clocks());
  if (!jump) return;
  note_recorder(frame_, model::Note::Kind::kEvent, "realtime clock", to_text(*jump));
  clock_.align();
}

void Sampler::show_vitals() {
  vitals_.lateness = nanoseconds(std::max<std::int64_t>(frame_.mono_ns - clock_.due_ns(), 0));
  vitals_.missed_ticks = clock_.missed();
}

void Sampler::tick_sources(std::uint64_t tick) {
  const TickContext at{channels_, frame_, options_.poll_plan, options_.interval,
                       *first_tick_ + tick};
  frame_.resize(channels_.channel_count());
  for (Turn& turn : turns_) {
    if (turn.tick <= at.tick) turn.tick = turn.source->tick(at);
  }
}

// Collectors may say again what they said before; a recording says it once.
void Sampler::drop_restated_facts() {
  std::erase_if(frame_.notes, [this](const model::Note& note) { return !stated_.apply(note); });
}

void Sampler::read(std::uint64_t tick) {
  const std::int64_t cpu_before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  begin_frame(tick);
  show_vitals();
  watch_clock();
  if (options_.notes) options_.notes(frame_);
  retry_sources();
  tick_sources(tick);
  drop_restated_facts();
  vitals_.tick_cost = nanoseconds(clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_before);
  frame_.cost_ns += static_cast<std::uint64_t>(vitals_.tick_cost.count());
}

base::Result<const model::Frame*> Sampler::next() {
  const auto tick = clock_.wait();
  if (!tick) return nullptr;
  read(*tick);
  return &frame_;
}

}  // namespace reveal::collect
