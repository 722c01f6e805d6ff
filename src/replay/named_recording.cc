#include "replay/named_recording.h"

namespace reveal::replay {

base::Result<NamedRecording> named_recording(const std::string& word) {
  const auto sign = word.find('=');
  const bool is_named = sign != std::string::npos && sign < word.find('/');
  if (!is_named && !word.empty()) return NamedRecording{{}, word};
  if (is_named && sign > 0 && sign + 1 < word.size()) {
    return NamedRecording{word.substr(0, sign), word.substr(sign + 1)};
  }
  return base::fail(base::ErrorKind::kUsage, "is neither a directory nor NAME=DIR",
                    word.empty() ? "\"\"" : word, "write bert=runs/1, for example");
}

}  // namespace reveal::replay
