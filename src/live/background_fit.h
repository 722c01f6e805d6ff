// Fits a baseline in the background, a little at a time.
//
// A fit takes a core for a second. If jobs keep all cores busy, they lose that second, and the live
// judge saw it: each fit stalled something, and was a finding.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "base/result.h"
#include "detect/fitted_baseline.h"
#include "pipeline/baseline_fit.h"

namespace reveal::live {

class BackgroundFit {
 public:
  explicit BackgroundFit(pipeline::BaselineFit fit);
  // Waits for the rest of the fit, which pauses no more.
  ~BackgroundFit();
  BackgroundFit(const BackgroundFit&) = delete;
  BackgroundFit& operator=(const BackgroundFit&) = delete;

  // Returns the outcome once there is one, and nothing before and after that.
  std::optional<base::Result<detect::FittedBaseline>> take();

 private:
  void pause();

  pipeline::BaselineFit fit_;  // the thread's
  double paused_at_s_ = 0;     // of the thread's processor time
  std::mutex mutex_;
  std::condition_variable hurry_;
  bool hurried_ = false;
  std::optional<base::Result<detect::FittedBaseline>> outcome_;
  std::thread thread_;  // the last: it uses all of the above
};

}  // namespace reveal::live
