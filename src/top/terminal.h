// The terminal, through ncurses. It is as it was before once this object is gone.
#pragma once

#include <chrono>
#include <memory>

#include "base/result.h"
#include "top/controls.h"
#include "top/screen.h"

namespace reveal::top {

// Takes the character set from the environment (LC_ALL, LC_CTYPE, LANG); returns whether it is
// UTF-8. To be called once, before a Terminal is opened.
bool use_locale();

class Terminal {
 public:
  // Fails with kUsage if standard input or output is not a terminal, or one that ncurses does not
  // know. Without `colors`, and if the terminal has none, styles are bold, dim and reverse.
  static base::Result<Terminal> open(bool colors);

  Terminal(Terminal&&) = default;
  Terminal& operator=(Terminal&&) = default;

  Size size() const;
  void draw(const Screen& screen);
  // Returns the next key, kNone if none came in that time or a signal did.
  Key wait_key(std::chrono::milliseconds patience);

 private:
  struct Session;
  struct End {
    void operator()(Session* session) const;
  };
  explicit Terminal(std::unique_ptr<Session, End> session) : session_(std::move(session)) {}

  std::unique_ptr<Session, End> session_;
};

}  // namespace reveal::top
