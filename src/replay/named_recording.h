// A recording as a user names it who gives it a name of its own.
#pragma once

#include <string>

#include "base/result.h"

namespace reveal::replay {

struct NamedRecording {
  std::string name;  // empty: none was given
  std::string directory;
};

// Takes DIR or NAME=DIR. A word whose first "=" comes after a "/" is a directory. Fails with kUsage
// if NAME or DIR is empty.
base::Result<NamedRecording> named_recording(const std::string& word);

}  // namespace reveal::replay
