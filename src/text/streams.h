// The three standard streams. Reveal shares them with CMD; they may be closed, full, a broken pipe,
// or made non-blocking by another process. None of that may end a recording, so all output goes
// through here: to stderr with best effort, to stdout with a result.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "text/safe_text.h"

namespace reveal::text {

// Gives each closed standard stream a descriptor that refuses reads and writes. So no file that is
// opened later gets its number and is written to by mistake. CMD still finds the stream closed.
void reserve_standard_streams();

// Writes all of `text`, waiting for a non-blocking descriptor. Fails naming `where`.
base::Result<void> write_all(int fd, std::string_view text, std::string_view where);

// Returns all that standard input has. Fails naming `what`, as in "the statement".
base::Result<std::string> read_input(std::string_view what);

// Writes text for people on stdout, in ASCII if the environment asks for that (ascii.h).
base::Result<void> print(const SafeText& text);

// The same on descriptor `fd`. Fails naming `where`.
base::Result<void> print_on(int fd, const SafeText& text, std::string_view where);

// Writes data for programs on stdout, byte for byte.
base::Result<void> print_data(std::string_view data);

// Writes "reveal: <line>" on stderr, as SafeText, in ASCII likewise, if that can be written to.
void tell(std::string_view line);

// Writes `text` on stderr as it is, if that can be written to.
void tell_raw(std::string_view text);

}  // namespace reveal::text
