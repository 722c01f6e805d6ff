// The receivers of alerts, told from time to time what is open.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "alert/announcer.h"
#include "alert/options.h"
#include "analyser/alert_desk.h"
#include "base/result.h"

namespace reveal::analyser {

class Receivers {
 public:
  // Fails as alert::Announcer::start() does. `notice` gets a line for each file that is missing, or
  // that anybody can read.
  static base::Result<Receivers> start(const alert::AlertOptions& options,
                                       const std::function<void(std::string_view)>& notice);

  // Tells what is open, about each second; `steady_ns` and `wall_ns` are both clocks.
  void round(AlertDesk& desk, std::int64_t steady_ns, std::int64_t wall_ns);
  std::vector<alert::ReceiverStatus> status() const { return announcer_->status(); }

 private:
  Receivers() = default;

  std::unique_ptr<alert::Announcer> announcer_;
  std::int64_t told_ns_ = 0;  // steady; 0: not yet
};

}  // namespace reveal::analyser
