// Sends to one receiver, once, on the thread that calls. What follows from a failure is the
// announcer's.
#pragma once

#include <span>
#include <string>

#include "alert/delivery.h"
#include "alert/event.h"
#include "alert/options.h"
#include "alert/stop.h"

namespace reveal::alert {

// Sends an event to a webhook, a command or the journal. `last_line` gets the last line of what a
// command said.
Delivery send_event(const ReceiverOptions& receiver, const Event& event, const Labels& more,
                    const Stop& stop, const BeforeSending& before_sending, std::string& last_line);

// Sends the present state to Alertmanager.
Delivery send_state(const ReceiverOptions& receiver, std::span<const Posting> postings,
                    const Labels& more, const Stop& stop, const BeforeSending& before_sending);

}  // namespace reveal::alert
