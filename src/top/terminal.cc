#include "top/terminal.h"

#include <algorithm>
#include <array>
#include <climits>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <langinfo.h>
#include <unistd.h>

// Last, and without its macros that would be names of ours.
#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <curses.h>

namespace reveal::top {

struct Terminal::Session {
  SCREEN* screen = nullptr;
  bool colors = false;
};

namespace {

constexpr short kAlarmPair = 1;
constexpr const char* kRemedy = "give --once for the screen as text";

bool prepare_colors(bool wanted) {
  if (!wanted || !::has_colors() || ::start_color() == ERR) return false;
  ::use_default_colors();
  return ::init_pair(kAlarmPair, COLOR_RED, -1) != ERR;
}

attr_t attributes(Style style, bool colors) {
  switch (style) {
    case Style::kPlain:
      return A_NORMAL;
    case Style::kBold:
      return A_BOLD;
    case Style::kDim:
      return colors ? A_DIM : A_NORMAL;
    case Style::kAlarm:
      break;
  }
  return colors ? A_BOLD | static_cast<attr_t>(COLOR_PAIR(kAlarmPair)) : A_REVERSE;
}

Key::Kind kind_of(int code) {
  using enum Key::Kind;
  constexpr auto kKeys = std::to_array<std::pair<int, Key::Kind>>({
      {KEY_UP, kUp},
      {KEY_DOWN, kDown},
      {KEY_PPAGE, kPageUp},
      {KEY_NPAGE, kPageDown},
      {KEY_LEFT, kLeft},
      {KEY_RIGHT, kRight},
      {KEY_HOME, kHome},
      {KEY_END, kEnd},
      {KEY_ENTER, kEnter},
      {'\n', kEnter},
      {'\r', kEnter},
      {27, kEscape},
      {KEY_BACKSPACE, kErase},
      {127, kErase},
      {'\b', kErase},
      {KEY_RESIZE, kResize},
  });
  for (const auto& [known, kind] : kKeys) {
    if (known == code) return kind;
  }
  return code >= ' ' && code <= UCHAR_MAX ? kText : kNone;
}

}  // namespace

bool use_locale() {
  if (std::setlocale(LC_CTYPE, "") == nullptr) return false;
  return std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
}

base::Result<Terminal> Terminal::open(bool colors) {
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) {
    return base::fail(base::ErrorKind::kUsage, "is not a terminal", "standard input or output",
                      kRemedy);
  }
  ::set_escdelay(25);
  SCREEN* screen = ::newterm(nullptr, stdout, stdin);
  if (screen == nullptr) {
    const char* name = std::getenv("TERM");
    return base::fail(base::ErrorKind::kUsage, "is not a terminal that ncurses knows",
                      std::string("TERM=") + (name == nullptr ? "" : name), kRemedy);
  }
  std::unique_ptr<Session, End> session(new Session{screen, false});
  ::cbreak();
  ::noecho();
  ::keypad(stdscr, TRUE);
  ::curs_set(0);
  session->colors = prepare_colors(colors);
  return Terminal(std::move(session));
}

void Terminal::End::operator()(Session* session) const {
  ::endwin();
  ::delscreen(session->screen);
  delete session;
}

Size Terminal::size() const {
  return {static_cast<std::size_t>(std::max(getmaxy(stdscr), 0)),
          static_cast<std::size_t>(std::max(getmaxx(stdscr), 0))};
}

void Terminal::draw(const Screen& screen) {
  ::erase();
  int row = 0;
  for (const Line& line : screen) {
    ::move(row++, 0);
    for (const Span& span : line.spans()) {
      ::attrset(static_cast<int>(attributes(span.style, session_->colors)));
      ::addnstr(span.text.c_str(), static_cast<int>(span.text.size()));
    }
  }
  ::attrset(A_NORMAL);
  ::refresh();
}

Key Terminal::wait_key(std::chrono::milliseconds patience) {
  ::timeout(static_cast<int>(std::max<std::int64_t>(patience.count(), 0)));
  const int code = ::getch();
  if (code == ERR) return {};
  const auto kind = kind_of(code);
  return {kind, kind == Key::Kind::kText ? static_cast<char>(code) : '\0'};
}

}  // namespace reveal::top
