// The receivers of alerts, if there are any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agent/alerting.h"
#include "agent/host_watch.h"
#include "agent/paths.h"
#include "alert/announcer.h"
#include "base/result.h"
#include "settings/settings.h"

namespace reveal::agent {

class Receivers {
 public:
  // Fails as alert::Announcer::start() does. Files that are missing, or that anybody can read, are
  // told in the log.
  static base::Result<Receivers> start(const settings::Settings& settings, const Paths& paths);

  // Tells what is open at `now_ns` (wall time). While windows are not judged nobody can tell which
  // alerts are open: all stay as they are.
  void update(const HostWatch& watch, std::int64_t now_ns);
  std::vector<alert::ReceiverStatus> status() const;

 private:
  explicit Receivers(const std::string& page_url) : alerts_(page_url) {}

  std::unique_ptr<alert::Announcer> announcer_;  // null: there are none
  CurrentAlerts alerts_;
  std::string trouble_;  // with the state file, the last time
};

}  // namespace reveal::agent
