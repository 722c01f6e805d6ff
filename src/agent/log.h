// The agent's messages on stderr, a line each. For the journal a line begins with its priority
// (sd-daemon(3)), for people with "reveal: ".
#pragma once

#include <string_view>

namespace reveal::agent {

enum class Priority { kError = 3, kWarning = 4, kNotice = 5, kInfo = 6 };

void log(Priority priority, std::string_view line);

}  // namespace reveal::agent
