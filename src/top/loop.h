// The loop of `reveal top`: new data once a second, keys as they come.
#pragma once

#include "base/result.h"
#include "text/time_text.h"
#include "top/watched_host.h"

namespace reveal::top {

// Shows the host until the user quits or a signal ends it; the terminal is then as it was. Returns
// the signal that ended it, 0 if the user did (Ctrl-C is the user too).
base::Result<int> show_until_quit(WatchedHost& host, text::Clock clock);

// Prints one screen as text: of the terminal's size if standard output is one, else of COLUMNS and
// LINES in the environment, else of 80x24.
base::Result<void> print_once(WatchedHost& host, text::Clock clock);

}  // namespace reveal::top
