// The input of `reveal top`: a finished recording, one that grows, or this host itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "live/history.h"
#include "pipeline/config.h"
#include "pipeline/pipeline.h"

namespace reveal::top {

class WatchedHost {
 public:
  virtual ~WatchedHost() = default;
  // Reads new data. Fails if no more can come although more was expected.
  virtual base::Result<void> refresh() = 0;
  // Valid until the next refresh().
  virtual const live::History& history() const = 0;
  // Returns what is going on, in a few words: "live".
  virtual std::string doing() const = 0;
};

// Returns a recording that is over, analyzed from what `pipeline` has taken in, which was made with
// PipelineConfig::channel_shares. It shows the findings of its report.json if there is one. Fails
// if that cannot be read.
base::Result<std::unique_ptr<WatchedHost>> watch_finished(
    const std::string& directory, std::unique_ptr<pipeline::Pipeline> pipeline);

// Follows a recording that is being written; what is older than what is judged is left out.
std::unique_ptr<WatchedHost> watch_growing(const std::string& directory,
                                           pipeline::PipelineConfig config);

// Records this host until the object is gone; `record` are options of `reveal record`.
base::Result<std::unique_ptr<WatchedHost>> watch_live(const std::vector<std::string>& record,
                                                      pipeline::PipelineConfig config);

}  // namespace reveal::top
