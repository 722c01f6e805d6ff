// What is recorded, as metrics for whoever asks for it: each channel under its own name, in base
// units, as it was in the last frame. Counters are counters, not rates. What is missing now is
// absent, and so is a host's total beside its parts, which a sum would count twice.
//
// One thread takes frames, any may ask for the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "http/samples.h"
#include "model/channel_table.h"
#include "model/frame.h"

namespace reveal::agent {

// Returns `{cpu="3",state="C6"}` for the instance "cpu=3,state=C6"; empty for the host itself. What
// has no name is called "part"; a name that is there already gets a number, because a scraper
// refuses all that has one twice.
std::string labels_of(std::string_view instance);

class RecordedMetrics {
 public:
  void take(const model::ChannelTable& channels, const model::Frame& frame);
  // Returns them without an end of the answer; empty before the first frame.
  std::string text(http::Exposition format) const;

 private:
  struct Metric {
    std::string name;
    std::string label;
    bool is_counter = false;
    model::Repr repr = model::Repr::kU64;
    double scale = 1;
    std::vector<std::size_t> channels = {};
  };

  void add_new(const model::ChannelTable& channels);
  void append(const Metric& metric, http::Exposition format, std::string& out) const;

  mutable std::mutex mutex_;
  std::vector<Metric> metrics_;  // by MetricId
  // By ChannelId.
  std::vector<std::string> labels_;
  std::vector<std::uint64_t> bits_;
  std::vector<model::Validity> validity_;
};

}  // namespace reveal::agent
