// Which clock the ages of frames count from. A clock that is wrong for a moment must not remove a
// recording, so nothing is old unless both the host's clock and the recording's own frames say so.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/frame.h"
#include "retention/downsampling.h"

namespace reveal::retention {

// Returns the newest frame of the recording, by monotonic time, whether downsampling has moved it
// or not; nothing if there is none. Fails as read_end().
base::Result<std::optional<model::Frame>> newest_frame(const std::filesystem::path& dir);

// Makes ages count from that frame if the clock, `options.now_ns`, is ahead of it, and from the
// clock if it is behind. Returns a sentence for people if the two are more than an hour apart.
std::optional<std::string> count_from(const model::Frame& newest, DownsampleOptions& options);

}  // namespace reveal::retention
