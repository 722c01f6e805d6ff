#include "agent/log.h"

#include <cstdlib>

#include <fmt/format.h>

#include "text/safe_text.h"
#include "text/streams.h"

namespace reveal::agent {

void log(Priority priority, std::string_view line) {
  // Set by systemd if stderr goes to the journal (systemd.exec(5)).
  static const bool journal = std::getenv("JOURNAL_STREAM") != nullptr;
  if (!journal) return text::tell(line);
  text::tell_raw(fmt::format("<{}>{}\n", static_cast<int>(priority), text::inert(line)));
}

}  // namespace reveal::agent
