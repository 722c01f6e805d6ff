// Waiting for a descriptor, with an end.
#pragma once

#include "alert/lookup.h"
#include "alert/stop.h"
#include "base/result.h"

namespace reveal::alert {

// Waits until poll() reports `events`, an error or a hang-up for `fd`. Fails with kIo if the
// deadline passes, or `stop`, unless it is null, asks.
base::Result<void> wait_for(int fd, short events, Deadline deadline, const Stop* stop);

}  // namespace reveal::alert
