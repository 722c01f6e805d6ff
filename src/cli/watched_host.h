// The input of `reveal top`: a finished recording, one that grows, or this host itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options.h"
#include "live/history.h"

namespace reveal::cli {

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

// Opens a recording. One that is over is analyzed, and shows the findings of its report.json if
// there is one; of one that is being written, what is older than what is judged is left out.
base::Result<std::unique_ptr<WatchedHost>> watch_recording(const std::string& directory,
                                                           const SettingOptions& analysis);

// Records this host until the object is gone; `record` are options of `reveal record`.
base::Result<std::unique_ptr<WatchedHost>> watch_live(const std::vector<std::string>& record,
                                                      const SettingOptions& analysis);

}  // namespace reveal::cli
