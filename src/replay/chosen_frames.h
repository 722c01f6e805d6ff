// The chosen frames of a recording: of a span of time, of some channels, raw or
// derived.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "exchange/filtered_source.h"
#include "replay/derived_source.h"
#include "store/segment_reader.h"

namespace reveal::replay {

// What of a recording, as a user says it. Times as parse_time_point() takes them; empty: from its
// begin, to its end. Channels by shell pattern; none: all.
struct FrameChoice {
  std::string from;
  std::string to;
  std::vector<std::string> channels;
  bool derived = false;

  // Returns the part of that recording. Reads all of it if a time is asked for.
  base::Result<exchange::Part> part_of(const std::string& directory) const;
};

// Reads them once; opened anew for every pass.
class ChosenFrames {
 public:
  static base::Result<ChosenFrames> open(const std::string& directory, const exchange::Part& part,
                                         bool derived);

  model::FrameSource& frames() { return *filtered_; }
  const store::SegmentReader& reader() const { return *reader_; }

 private:
  ChosenFrames() = default;

  std::unique_ptr<store::SegmentReader> reader_;
  std::unique_ptr<DerivedSource> derived_;  // none: raw
  std::unique_ptr<exchange::FilteredSource> filtered_;
};

}  // namespace reveal::replay
