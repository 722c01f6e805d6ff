// How the finding came about that a slow host has of itself: asked of that host, whose recording
// has what it was made of.
#pragma once

#include <string>

#include "base/result.h"
#include "bus/requester.h"
#include "peers/incident.h"

namespace reveal::analyser {

// Returns which of its hosts an incident is to be explained by: the one with that name or id, or if
// `host` is empty, the one that it is about. Fails with kUsage if it has no such host, with
// kTooLittle if that host has no finding of its own.
base::Result<const peers::SlowHost*> host_to_ask(const peers::Incident& incident,
                                                 const std::string& host);

// Returns what `reveal explain` prints on that host. Fails likewise; as relay::ask_host() if the
// host is away, and with kAbsent if it has nothing (any more) that explains the finding.
base::Result<std::string> explained_incident(const peers::Incident& incident,
                                             const std::string& host, bus::Requester& requester);

}  // namespace reveal::analyser
