// The incidents that an analyser has seen since it began: all that are open, and the last that are
// over. Not thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "fleet_site/shown_incident.h"
#include "peers/incident.h"

namespace reveal::fleet_site {

class RunIncidents {
 public:
  static constexpr std::size_t kMostOver = 1'000;

  // Takes what is new of one. What was known already changes nothing.
  void take(const peers::News& news);
  // Forgets those that are open and not among these: another analyser has told their end.
  void keep_open(const std::set<std::string>& open);

  // Returns them, the newest onset first; the same object as before if nothing has changed.
  std::shared_ptr<const ShownList> list();

 private:
  void bound();

  std::map<std::string, std::shared_ptr<const ShownIncident>> all_;  // by id
  std::shared_ptr<const ShownList> list_;                            // null: it is to be made
};

}  // namespace reveal::fleet_site
