#include "collect/source.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include <fmt/format.h>

#include "collect/tick_clock.h"
#include "model/hanging_source.h"

namespace reveal::collect {
namespace {

using model::Validity;
using std::chrono::nanoseconds;

// Readings are dated to 10 us, so that a recording can keep their times in a byte or two.
constexpr std::int64_t kReadStepNs = 10'000;

double milliseconds(nanoseconds time) {
  return static_cast<double>(time.count()) * 1e-6;
}

}  // namespace

void note_recorder(model::Frame& frame, model::Note::Kind kind, std::string subject,
                   std::string text) {
  frame.notes.push_back(
      {kind, std::string(model::kRecorderSource), std::move(subject), std::move(text)});
}

Source::Source(SourceSpec spec, ReadingCrews& crews) : spec_(std::move(spec)) {
  if (!spec_.poll_class) {
    why_closed_ = {base::ErrorKind::kAbsent, spec_.why_off, {}, {}};
    return;
  }
  state_ = State::kRefused;
  if (spec_.may_block) {
    background_ = std::make_unique<BackgroundReader>(spec_.name, std::move(spec_.collector), crews);
  }
}

void Source::begin_opening(const procfs::HostRoot& root, model::ChannelTable& channels) {
  if (state_ != State::kRefused) return;
  if (background_) {
    background_->open(root);
    state_ = State::kOpening;
    awaited_ = true;
    why_closed_ = {base::ErrorKind::kIo, "has not answered yet", spec_.name, {}};
    return;
  }
  const std::size_t before = channels.channel_count();
  channels.begin_collector(spec_.name);
  const auto opened = spec_.collector->open(root, channels);
  own_new(channels, before);
  if (!opened) {
    why_closed_ = opened.error();
    return;
  }
  state_ = State::kOpen;
}

void Source::finish_opening(std::int64_t deadline_ns) {
  if (state_ == State::kOpening && background_->wait_until(deadline_ns)) settle_opening();
}

void Source::settle_opening() {
  const auto opened = background_->opened();
  if (!opened) return;
  state_ = *opened ? State::kOpen : State::kRefused;
  if (!*opened) why_closed_ = opened->error();
}

void Source::watch(const Vitals& vitals) {
  if (spec_.collector) spec_.collector->watch(vitals);
}

std::uint64_t Source::tick(const TickContext& at) {
  if (state_ == State::kOpening) settle_opening();
  if (state_ == State::kOpening) return at.tick + 1;
  if (state_ != State::kOpen) return kNever;
  if (background_) {
    read_in_background(at);
  } else if (is_due(at)) {
    read_here(at);
  } else {
    hold(at.frame);
  }
  return held_ && !awaited_ ? next_tick_ : at.tick + 1;
}

// A tick that was slept through does not cost a turn: it is made up for by the next one.
bool Source::is_due(const TickContext& at) {
  if (at.tick < next_tick_) return false;
  const std::uint64_t every = ticks_between(poll_class(), at.plan, at.interval);
  next_tick_ = (at.tick / every + 1) * every;
  return true;
}

void Source::read_here(const TickContext& at) {
  clear(at.frame);
  const std::size_t before = at.channels.channel_count();
  const std::uint64_t version = at.channels.version();
  at.channels.begin_collector(spec_.name);
  FrameWriter writer(at.channels, at.frame, spec_.name);
  const std::int64_t begin = clock_ns(CLOCK_MONOTONIC);
  spec_.collector->collect(writer);
  const nanoseconds cost(clock_ns(CLOCK_MONOTONIC) - begin);
  if (at.channels.version() != version) own_new(at.channels, before);
  stamp(at, begin);
  account(at, cost);
}

void Source::read_in_background(const TickContext& at) {
  take(at);
  if (!is_due(at)) return;
  background_->read();
  awaited_ = true;
}

void Source::take(const TickContext& at) {
  const auto reading = background_->take(at.channels, at.frame, channels_);
  if (!reading) return wait_longer(at);
  held_ = false;
  awaited_ = false;
  note_answer(at);
  stamp(at, reading->read_ns);
  account(at, reading->cost);
  at.frame.cost_ns += static_cast<std::uint64_t>(reading->cost.count());
}

void Source::wait_longer(const TickContext& at) {
  const auto since = background_->busy_since_ns();
  if (silent_since_ns_ || !since || at.frame.mono_ns - *since < kPatienceNs) {
    if (!silent_since_ns_) hold(at.frame);
    return;
  }
  silent_since_ns_ = since;
  clear(at.frame);
  note_recorder(at.frame, model::Note::Kind::kEvent, spec_.name,
                fmt::format("{} for {} s; its values are missing until it does", model::kHangs,
                            kPatienceNs / 1'000'000'000));
}

void Source::note_answer(const TickContext& at) {
  if (!silent_since_ns_) return;
  const double silent = static_cast<double>(at.frame.mono_ns - *silent_since_ns_) * 1e-9;
  silent_since_ns_.reset();
  note_recorder(at.frame, model::Note::Kind::kEvent, spec_.name,
                fmt::format("{}, after {:.1f} s", model::kAnswersAgain, silent));
}

void Source::hold(model::Frame& frame) {
  if (held_) return;
  held_ = true;
  for (const auto id : channels_) {
    if (id != BackgroundReader::kNone && frame.was_read(id))
      frame.validity[id.index()] = Validity::kStale;
  }
}

void Source::clear(model::Frame& frame) {
  held_ = false;
  for (const auto id : channels_) {
    if (id != BackgroundReader::kNone) frame.validity[id.index()] = Validity::kMissing;
  }
}

// Sources are read one after the other, so what was added meanwhile is this one's.
void Source::own_new(model::ChannelTable& channels, std::size_t before) {
  std::erase_if(channels_, [&](model::ChannelId id) { return channels.is_free(id); });
  for (const auto id : channels.take_reused()) own(id);
  for (std::size_t i = before; i < channels.channel_count(); ++i) own(model::ChannelId(i));
}

void Source::own(model::ChannelId id) {
  if (std::find(channels_.begin(), channels_.end(), id) == channels_.end()) channels_.push_back(id);
}

void Source::stamp(const TickContext& at, std::int64_t read_ns) const {
  const auto any = std::find_if(channels_.begin(), channels_.end(),
                                [](auto id) { return id != BackgroundReader::kNone; });
  if (any == channels_.end()) return;
  auto& stamps = at.frame.read_ns;
  const std::size_t source = at.channels.source(*any).index();
  if (stamps.size() <= source) stamps.resize(source + 1, at.frame.mono_ns);
  const std::int64_t steps = (read_ns - at.frame.mono_ns) / kReadStepNs;
  stamps[source] = at.frame.mono_ns + steps * kReadStepNs;
}

void Source::account(const TickContext& at, nanoseconds cost) {
  cost_ += cost;
  // A value that the collector lets stand is no failure.
  const bool any = std::any_of(channels_.begin(), channels_.end(), [&](model::ChannelId id) {
    return id != BackgroundReader::kNone && at.frame.validity[id.index()] != Validity::kMissing;
  });
  if (had_values_ && !any) ++failures_;
  had_values_ = had_values_ || any;
  const nanoseconds budget = reading_budget(poll_class(), at.plan, at.interval);
  if (const auto cheapest = cost_watch_.add(cost, budget)) slow_down(at, *cheapest);
}

void Source::slow_down(const TickContext& at, nanoseconds cheapest) {
  if (poll_class() == PollClass::kSlow) return;
  const PollClass before = poll_class();
  spec_.poll_class = slower(before);
  note_recorder(
      at.frame, model::Note::Kind::kEvent, spec_.name,
      fmt::format("takes {:.2f} ms a reading, over its budget of {:.1f} % of a core in the {} poll "
                  "class; it is read in the {} poll class from now on",
                  milliseconds(cheapest), 100 * budget_ratio(before, at.plan), to_string(before),
                  to_string(poll_class())));
  note_recorder(at.frame, model::Note::Kind::kFact, fmt::format("poll class of {}", spec_.name),
                std::string(to_string(poll_class())));
}

base::Error Source::why_absent(const model::MetricDescriptor& metric) const {
  if (!background_) return spec_.collector->why_absent(metric);
  if (background_->wait_until(clock_ns(CLOCK_MONOTONIC) + kPatienceNs))
    return background_->why_absent(metric);
  return {base::ErrorKind::kIo, "has not answered yet", spec_.name, {}};
}

}  // namespace reveal::collect
