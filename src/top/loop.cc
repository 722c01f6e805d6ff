#include "top/loop.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

#include "text/streams.h"
#include "top/layout.h"
#include "top/terminal.h"
#include "top/view.h"

namespace reveal::top {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kRefresh{1000};
// Drawing costs as much as judging does; while nothing is wrong every other second will do.
constexpr milliseconds kCalmRedraw{2000};
// A window larger than any screen would only cost memory.
constexpr std::size_t kMaxRows = 1000;
constexpr std::size_t kMaxColumns = 1000;

volatile std::sig_atomic_t ended_by = 0;

// The signals that end the show, while the object lives: they interrupt the wait for a key.
class EndSignals {
 public:
  EndSignals() {
    struct sigaction action {};
    action.sa_handler = [](int signal) { ended_by = signal; };
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], nullptr, &before_[i]);
      // One that is ignored, as after nohup, stays so.
      if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
    }
  }
  ~EndSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], &before_[i], nullptr);
    }
  }
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

 private:
  static constexpr std::array<int, 4> kSignals{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  std::array<struct sigaction, kSignals.size()> before_{};
};

bool colors_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  return no_color == nullptr || *no_color == '\0';
}

std::size_t from_environment(const char* name, std::size_t otherwise) {
  const char* text = std::getenv(name);
  if (text == nullptr) return otherwise;
  const std::string_view digits(text);
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool sound = error == std::errc{} && end == digits.data() + digits.size() && value > 0;
  return sound ? value : otherwise;
}

Size size_for_text() {
  winsize window{};
  Size out;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row > 0 && window.ws_col > 0) {
    out = {window.ws_row, window.ws_col};
  } else {
    out = {from_environment("LINES", out.rows), from_environment("COLUMNS", out.columns)};
  }
  return {std::min(out.rows, kMaxRows), std::min(out.columns, kMaxColumns)};
}

bool is_calm(const live::History& history) {
  return !history.windows.empty() && !history.windows.back().flagged;
}

// Waits for a key until `deadline` or a signal.
Key next_key(Terminal& terminal, Clock::time_point deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
  return terminal.wait_key(std::max(left, milliseconds(0)));
}

}  // namespace

base::Result<int> show_until_quit(WatchedHost& host, text::Clock clock) {
  const bool utf8 = use_locale();
  ended_by = 0;
  const EndSignals signals;
  auto terminal = Terminal::open(colors_wanted());
  if (!terminal) return base::pass(terminal);
  ViewMaker maker(clock);
  Controls controls;
  auto next_refresh = Clock::now();
  auto next_draw = next_refresh;
  bool calm = false;
  View view;
  while (!controls.quit && ended_by == 0) {
    if (Clock::now() >= next_refresh) {
      if (auto done = host.refresh(); !done) return base::pass(done);
      next_refresh = std::max(next_refresh + kRefresh, Clock::now() + kRefresh / 2);
    }
    const bool was_calm = std::exchange(calm, is_calm(host.history()));
    // A refresh comes a little early or late.
    if (!calm || !was_calm || Clock::now() + kRefresh / 2 >= next_draw) {
      const auto size = terminal->size();
      view = maker.make(host.history(), host.doing(), controls, size);
      terminal->draw(layout(view, size, utf8));
      next_draw = Clock::now() + kCalmRedraw;
    }
    const auto key = next_key(*terminal, next_refresh);
    if (key.kind == Key::Kind::kNone) continue;
    press(controls, key, extent_of(host.history(), view));
    next_draw = Clock::now();
  }
  return ended_by == SIGINT ? 0 : static_cast<int>(ended_by);
}

base::Result<void> print_once(WatchedHost& host, text::Clock clock) {
  const bool utf8 = use_locale();
  if (auto done = host.refresh(); !done) return done;
  const auto size = size_for_text();
  const auto view = ViewMaker(clock).make(host.history(), host.doing(), {}, size);
  return text::print(text::SafeText(to_text(layout(view, size, utf8))));
}

}  // namespace reveal::top
