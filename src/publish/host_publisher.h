// Tells a host's fleet how it is: its levels each second, what they mean, what it is, and its
// findings; and later, from the recording, the levels that the broker did not get. Messages are
// made here; the publisher sends them, and nothing here waits for it.
//
// The caller brings the time. Not thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "bus/publisher.h"
#include "fleet/level_stream.h"
#include "publish/event_ledger.h"
#include "publish/host_facts.h"
#include "publish/late_levels.h"
#include "publish/latest_message.h"
#include "publish/level_codes.h"
#include "publish/level_message.h"
#include "publish/owed_seconds.h"
#include "wire/levels.h"

namespace reveal::publish {

// A second that is over for longer is not told as one of now, but from the recording.
inline constexpr std::int64_t kToldWithin_ns = 60'000'000'000;

struct HostPublisherOptions {
  std::string host;  // its id
  HostLabels labels;
  std::filesystem::path events_file;  // of its EventLedger
  std::filesystem::path owed_file{};  // of its OwedSeconds
  LateLevels::Open open_past{};       // the recording; empty: nothing is told late
  std::filesystem::path pod_logs{};   // of Kubernetes on this node; empty: pods are of no job
};

class HostPublisher {
 public:
  // `publisher` outlives it.
  HostPublisher(HostPublisherOptions options, bus::Publisher& publisher);

  // Sends the levels of a bucket of `stream`; they have to come in their order. `now_ns` is wall
  // time.
  void tell_levels(const fleet::LevelStream& stream, const fleet::LevelBucket& bucket,
                   const std::optional<HostVerdict>& verdict, std::int64_t now_ns);

  // Says what the host is, and sends what is due besides levels. `findings` are all of which
  // anything may have to be told; `verdict_at` knows the verdicts of the past.
  void round(const fleet::LevelStream& stream, const model::RunFacts& latest,
             std::span<const FindingState> findings, std::int64_t now_ns,
             const LateLevels::VerdictAt& verdict_at = {});

  // Writes what a restart needs.
  void save();

  // Returns what goes wrong with the messages themselves; empty: nothing.
  const std::string& trouble() const;

  // Return how much of the past the fleet is still to be told, how many bytes of messages of it are
  // held, and why it cannot be read from the recording; empty: it can.
  std::int64_t owed_ns() const { return past_ ? past_->owed.total_ns() : 0; }
  std::size_t held_bytes() const { return past_ ? past_->late.held_bytes() : 0; }
  std::string past_trouble() const { return past_ ? past_->late.trouble() : std::string(); }

 private:
  struct Past {
    OwedSeconds owed;
    LateLevels late;
  };

  std::string subject(wire::Type type) const;
  wire::Head head(const fleet::LevelStream& stream, std::int64_t time_ns) const;
  void take_outcome(const bus::Outcome& outcome, std::int64_t bucket_ns);
  void say_facts(const fleet::LevelStream& stream, const model::RunFacts& latest);
  wire::Bytes facts_message(const wire::Bytes& plain, const wire::Head& head);

  HostPublisherOptions options_;
  bus::Publisher& publisher_;
  std::uint64_t phase_;
  LevelCodes codes_;
  wire::LevelsEncoder encoder_;
  std::uint64_t lost_ = 0;  // when the last levels were sent
  std::uint32_t clock_error_us_ = wire::kUnknownClockError;
  LatestMessage dictionary_;
  LatestMessage facts_;
  std::int64_t facts_made_ns_ = 0;
  EventLedger events_;
  std::optional<Past> past_;
  // Of each kind of message, the last time.
  std::string levels_trouble_;
  std::string facts_trouble_;
  std::string events_trouble_;
  std::string owed_trouble_;
};

}  // namespace reveal::publish
