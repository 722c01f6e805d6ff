// The facts that hold at one time of a recording: those that the notes so far have stated and not
// ended.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/frame.h"

namespace reveal::model {

class FactTable {
 public:
  // Takes the next note. Returns whether it says anything new: an event always does; a fact does
  // unless it holds already.
  bool apply(const Note& note);

  // Returns a note for each fact that holds, by source and subject.
  std::vector<Note> notes() const;

 private:
  std::map<std::pair<std::string, std::string>, std::string> text_by_subject_;
};

}  // namespace reveal::model
