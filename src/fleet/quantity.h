// What is compared between hosts: a channel with the same name on all of them or, if names differ
// from host to host, the sum or mean of all channels of a metric.
#pragma once

#include <cstdint>
#include <string>

#include "model/channel_table.h"
#include "model/metric.h"

namespace reveal::fleet {

// How several channels of a host became one. Cores are always taken together: which core a job runs
// on is chance, so that alike hosts differ core by core.
enum class Fold : std::uint8_t { kNone, kMeanOfCores, kHighestCore, kSum, kMean };

// Returns the word for programs: "channel", "mean_of_cores", ...
std::string_view to_string(Fold fold);

struct Quantity {
  std::string metric;
  std::string label;
  std::string unit;  // of its levels; events are counted by the second
  model::Kind kind = model::Kind::kGauge;
  model::Subsystem subsystem = model::Subsystem::kCpu;
  model::Scope scope = model::Scope::kHost;
  std::string instance;  // empty where it stands for several
  Fold fold = Fold::kNone;

  // Returns what tells quantities apart: "metric{instance}", and how it was folded.
  std::string key() const;
  // Returns "metric{instance}".
  std::string channel() const;
  // Returns a noun phrase: "Disk read sectors on sda", "CPU busy share, highest core".
  std::string phrase() const;
};

// Returns the quantity of a derived channel. Of one core, the first of two, the mean of all cores.
Quantity quantity_of(const model::ChannelTable& channels, model::ChannelId channel);

// Returns whether the instance is of one core: "cpu=3" or "cpu=3,state=C6".
bool is_of_core(std::string_view instance);

// Returns the same of all channels of its metric that hosts do not share by name: their sum if the
// metric counts things, else their mean.
Quantity folded(const Quantity& quantity);

}  // namespace reveal::fleet
