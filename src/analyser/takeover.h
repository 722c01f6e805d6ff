// What an analyser has to do with the incidents of a group when it becomes the one that judges it:
// it has judged all along, but told nothing, and another one has told what is in the file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "peers/incident.h"

namespace reveal::analyser {

struct Takeover {
  // To be told now: of these nobody has told.
  std::vector<peers::News> news;
  // Open here under the first id, and told as the second: they go on as that.
  std::vector<std::pair<std::string, peers::Incident>> go_on;
  // Ids of what is open here, and of which the other one has told the end.
  std::vector<std::string> drop;
  // Told and open, but unknown here.
  std::vector<peers::Incident> resume;
};

// Returns whether the two may be one: both are of all, or have a host in common that was slow in
// both at about the same time. Their ids may differ.
bool is_same(const peers::Incident& a, const peers::Incident& b);

// `told`: the group's incidents in the file, those that are open and those that ended of late.
// `open`: what is open here. `closed`: what ended here while another one was to tell it. Two are
// the same if they have one id, or a host of both was slow at the same time: two analysers that
// have not read the same seconds may see a begin a second apart.
Takeover take_over(const std::vector<peers::Incident>& told,
                   const std::vector<peers::Incident>& open,
                   const std::vector<peers::Incident>& closed);

}  // namespace reveal::analyser
