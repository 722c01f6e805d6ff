// The channels of a probe: one for each metric and instance that its input has had lately. Input is
// of anybody's making, so their number is bounded, and the channel of a series that has not come
// for five minutes is given back.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "collect/frame_writer.h"
#include "probes/declared_metrics.h"
#include "probes/remarks.h"

namespace reveal::probes {

using Clock = std::chrono::steady_clock;

class SeriesChannels {
 public:
  static constexpr std::size_t kMost = 2000;
  static constexpr std::chrono::minutes kKept{5};

  // `probe` is a literal: the name of the probe whose channels these are.
  SeriesChannels(std::shared_ptr<const DeclaredMetrics> metrics, const char* probe)
      : metrics_(std::move(metrics)), probe_(probe) {}

  // Begins a reading.
  void begin(Clock::time_point now);

  // Returns the metric, if this probe may set it; notes it as refused if not.
  const model::MetricDescriptor* metric(std::string_view name);

  // Sets a value: kFresh if it is new, kStale if it stands since a reading before. A series that is
  // set twice in a reading keeps the first value. REQUIRES: metric() has returned `metric`.
  void set(collect::FrameWriter& writer, const model::MetricDescriptor& metric,
           const std::string& instance, double value, model::Validity validity);

  // Ends a reading: gives channels back, and says what was refused.
  void end(collect::FrameWriter& writer);

  // Says something of the input, as Remarks does.
  void say(collect::FrameWriter& writer, const std::string& subject, std::string_view text) {
    remarks_.say(writer, subject, text);
  }

 private:
  struct Series {
    model::ChannelId channel{0};
    Clock::time_point set_at;
    std::uint64_t reading = 0;
  };
  using Key = std::pair<std::string_view, std::string>;  // the metric's name is the table's

  Series* series(collect::FrameWriter& writer, const model::MetricDescriptor& metric,
                 const std::string& instance);
  void forget_old(collect::FrameWriter& writer);

  std::shared_ptr<const DeclaredMetrics> metrics_;
  const char* probe_;
  std::map<Key, Series> series_;
  Clock::time_point now_;
  Clock::time_point next_look_;
  std::uint64_t reading_ = 0;
  // Of this run, bounded; said when they grow.
  std::set<std::string, std::less<>> undeclared_;
  std::set<std::string, std::less<>> elsewhere_;
  std::uint64_t too_many_ = 0;
  std::string twice_;  // the first series that came twice
  Remarks remarks_;
};

}  // namespace reveal::probes
