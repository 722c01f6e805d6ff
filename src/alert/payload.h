// What receivers read: JSON for programs, and a line for the journal. Bytes that are not UTF-8
// become U+FFFD, as no parser of JSON would take them.
#pragma once

#include <span>
#include <string>

#include "alert/alert.h"
#include "alert/event.h"

namespace reveal::alert {

// Returns the body of POST /api/v2/alerts of Alertmanager. `more` are labels to add.
std::string alertmanager_body(std::span<const Posting> postings, const Labels& more);

// Returns what a webhook and a command get: the JSON of Alertmanager's webhook, version 4, with one
// alert, and beside it "reveal": {"event", "kind", "id", "finding"}.
std::string webhook_body(const Event& event, const std::string& receiver, const Labels& more);

// Returns one line for the journal, with its end and with the priority that sd-daemon(3) has ("<4>"
// for a warning). It has at most kLongestLine bytes; what came from elsewhere is inert in it.
inline constexpr std::size_t kLongestLine = 2000;
std::string journal_line(const Event& event);

}  // namespace reveal::alert
