// What is to be told of incidents that were found in a stretch of the past, given what was told of
// that time already.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "peers/incident.h"

namespace reveal::analyser {

struct PastNews {
  // Of which nobody knew, and those that were told and turned out to be longer.
  std::vector<peers::News> news;
  // Ids of incidents that are open, and what says that they began earlier.
  std::vector<std::pair<std::string, peers::Incident>> began_before;
};

// `told`: the group's incidents that are open, or ended in or after the stretch. `found` are
// closed.
PastNews past_news(const std::vector<peers::Incident>& told,
                   const std::vector<peers::Incident>& found);

}  // namespace reveal::analyser
