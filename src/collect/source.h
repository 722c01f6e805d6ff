// One collector of a run: when it is read, whether it can be, and what its readings cost.
//
// Each of its channels is in one of three states in every tick: read (what the collector set),
// stale (the last values, while it is not its turn), or missing (it did not say, or has not
// answered for too long). A collector that may block is read in the background and never waited
// for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "collect/background_reader.h"
#include "collect/collector.h"
#include "collect/cost_watch.h"
#include "collect/poll_class.h"
#include "collect/vitals.h"

namespace reveal::collect {

// A collector to read, and how. Without a poll class it is not read, for that reason.
struct SourceSpec {
  std::string name;
  std::unique_ptr<Collector> collector;
  std::optional<PollClass> poll_class = PollClass::kFast;
  bool may_block = false;
  std::uint32_t metrics = 0;  // that it may yield
  std::string why_off{};
};

// Where and when a source is read.
struct TickContext {
  model::ChannelTable& channels;
  model::Frame& frame;
  const PollPlan& plan;
  std::chrono::nanoseconds interval;
  std::uint64_t tick;  // counted from the epoch, so that poll classes of all hosts are in step
};

class Source {
 public:
  // After so long without an answer the values of a source that blocks are missing.
  static constexpr std::int64_t kPatienceNs = 3'000'000'000;

  // REQUIRES: `crews` outlive this.
  Source(SourceSpec spec, ReadingCrews& crews);

  // Opens the collector, or begins to if it may block: then finish_opening() waits for it, at most
  // until that time of CLOCK_MONOTONIC.
  void begin_opening(const procfs::HostRoot& root, model::ChannelTable& channels);
  void finish_opening(std::int64_t deadline_ns);

  bool is_open() const { return state_ == State::kOpen; }
  bool can_be_retried() const { return state_ == State::kRefused; }
  const base::Error& why_closed() const { return why_closed_; }

  // Reads the source when it is its turn; otherwise lets its values stand as stale. Returns the
  // tick at which it must be called again, kNever if only another opening can change anything.
  static constexpr std::uint64_t kNever = UINT64_MAX;
  std::uint64_t tick(const TickContext& at);

  // Shows the collector the state of the recorder, which outlives it.
  void watch(const Vitals& vitals);

  const std::string& name() const { return spec_.name; }
  PollClass poll_class() const { return spec_.poll_class.value_or(PollClass::kSlow); }
  std::uint32_t metrics() const { return spec_.metrics; }
  SourceVitals vitals() const { return {spec_.name, cost_, failures_}; }

  // Returns why a metric of the open collector has no channel. May wait for one that blocks.
  base::Error why_absent(const model::MetricDescriptor& metric) const;

 private:
  enum class State { kOff, kOpening, kRefused, kOpen };

  bool is_due(const TickContext& at);
  void read_here(const TickContext& at);
  void read_in_background(const TickContext& at);
  void settle_opening();
  void take(const TickContext& at);
  void wait_longer(const TickContext& at);
  void note_answer(const TickContext& at);
  void hold(model::Frame& frame);
  void clear(model::Frame& frame);
  void own_new(model::ChannelTable& channels, std::size_t before);
  void own(model::ChannelId id);
  void stamp(const TickContext& at, std::int64_t read_ns) const;
  void account(const TickContext& at, std::chrono::nanoseconds cost);
  void slow_down(const TickContext& at, std::chrono::nanoseconds cheapest);

  SourceSpec spec_;
  std::unique_ptr<BackgroundReader> background_;
  State state_ = State::kOff;
  base::Error why_closed_;
  std::vector<model::ChannelId> channels_;  // BackgroundReader::kNone: not one now
  std::uint64_t next_tick_ = 0;
  bool held_ = false;     // its values stand as stale
  bool awaited_ = false;  // a reading was asked for, and has not been taken
  bool had_values_ = false;
  std::optional<std::int64_t> silent_since_ns_;  // of a blockage that was noted
  CostWatch cost_watch_;
  std::chrono::nanoseconds cost_{0};
  std::uint64_t failures_ = 0;
};

// Adds a note of the recorder itself.
void note_recorder(model::Frame& frame, model::Note::Kind kind, std::string subject,
                   std::string text);

}  // namespace reveal::collect
