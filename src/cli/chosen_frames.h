// The frames of a recording that an export is asked for: of a time, of some channels, raw or
// derived.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/derived_source.h"
#include "exchange/filtered_source.h"
#include "store/segment_reader.h"

namespace CLI {
class App;
}

namespace reveal::cli {

// --from, --to, --channels, --derived
struct FrameChoice {
  std::string from;
  std::string to;
  std::vector<std::string> channels;
  bool derived = false;

  void declare(CLI::App& app);
  void declare_time_and_channels(CLI::App& app);  // without --derived
  // Returns the part of that recording. Reads all of it where a time is asked for.
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

}  // namespace reveal::cli
