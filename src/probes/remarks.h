// What a probe has to say of its input, as events of the recording, which a report lists: once,
// until it changes. Whoever writes the input decides how often that is, so a probe says no more
// than so much in a run.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "collect/frame_writer.h"

namespace reveal::probes {

class Remarks {
 public:
  static constexpr std::size_t kMost = 200;

  // Says it; an empty text says that the subject is in order again, if it was not.
  void say(collect::FrameWriter& writer, const std::string& subject, std::string_view text) {
    const auto said = said_.find(subject);
    if (count_ == kMost || (said == said_.end() ? text.empty() : said->second == text)) return;
    said_[subject] = text;
    ++count_;
    writer.note_event(subject, text.empty() ? "is in order again" : text);
  }

 private:
  std::map<std::string, std::string> said_;
  std::size_t count_ = 0;
};

}  // namespace reveal::probes
