// The readings of one probe. Only tests include this.
#pragma once

#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collect/collector.h"
#include "probes/declared_metrics.h"

namespace reveal::probes {

// Declares one metric of each kind.
inline std::shared_ptr<const DeclaredMetrics> declared() {
  using model::Kind;
  using model::Subsystem;
  return std::make_shared<const DeclaredMetrics>(std::vector<Metric>{
      {"step_seconds", "Training step", "seconds", Kind::kGauge, Subsystem::kGpu},
      {"steps_total", "Training steps", "steps", Kind::kCounter, Subsystem::kGpu},
      {"retries_total", "Retries", "retries", Kind::kEvent, Subsystem::kNetwork},
      {"power_kilowatts", "Power", "watts", Kind::kGauge, Subsystem::kUnknown, 1000.0},
  });
}

class Reading {
 public:
  explicit Reading(std::unique_ptr<collect::Collector> probe) : probe_(std::move(probe)) {}

  base::Result<void> open() { return probe_->open({}, channels_); }

  void tick() {
    frame_.validity.assign(frame_.validity.size(), model::Validity::kMissing);
    frame_.notes.clear();
    collect::FrameWriter writer(channels_, frame_, "test");
    probe_->collect(writer);
    for (const auto& note : frame_.notes) remarks_[note.subject] = note.text;
  }

  // Returns the raw value of the latest tick, stale or not; nothing if it is missing.
  std::optional<double> value(std::string_view channel) const {
    const auto id = channels_.find_channel(channel);
    if (!id || frame_.validity[id->index()] == model::Validity::kMissing) return std::nullopt;
    return std::bit_cast<double>(frame_.bits[id->index()]);
  }
  // Returns whether it was read in the latest tick, and not repeated.
  bool is_new(std::string_view channel) const {
    const auto id = channels_.find_channel(channel);
    return id && frame_.was_read(*id);
  }
  // Returns the latest that was said of a subject; empty if nothing was.
  std::string remark(const std::string& subject) const {
    const auto found = remarks_.find(subject);
    return found == remarks_.end() ? "" : found->second;
  }
  std::size_t notes() const { return frame_.notes.size(); }
  const model::ChannelTable& channels() const { return channels_; }

 private:
  std::unique_ptr<collect::Collector> probe_;
  model::ChannelTable channels_;
  model::Frame frame_;
  std::map<std::string, std::string> remarks_;
};

}  // namespace reveal::probes
