// A fact that is text, said when it is first known and when it changes, and ended when it can no
// longer be read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "collect/frame_writer.h"

namespace reveal::collect {

class FactText {
 public:
  explicit FactText(std::string subject) : subject_(std::move(subject)) {}

  // States the fact if it is news; nothing or "" ends it.
  void say(FrameWriter& writer, std::optional<std::string_view> text) {
    const std::string_view now = text.value_or("");
    if (now == said_) return;
    said_ = now;
    writer.note_fact(subject_, said_);
  }

  // Lets the next say() be news: what open() said went into a frame that was thrown away.
  void forget() { said_.clear(); }

  const std::string& subject() const { return subject_; }

 private:
  std::string subject_;
  std::string said_;
};

}  // namespace reveal::collect
