// The answer of /api/v1/channels, kept until there are other channels: it has a line for each of
// thousands, and hardly ever changes.
//
// For one thread. It holds one answer, the latest.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "serve/shown_state.h"

namespace reveal::serve {

class ChannelsJson {
 public:
  using Names = std::shared_ptr<const std::vector<ChannelName>>;

  struct Text {
    std::string body = {};
    std::string etag = {};  // of the body, with its quotes
  };

  // Returns {"channels": [{"name": ..., "unit": ..., ...}]}, made anew only if these are other
  // names than at the last call. Valid until the next one. Null stands for no names.
  const Text& of(const Names& names);

 private:
  Names names_;  // of the text; held, so that no others can come to stand at their place in memory
  Text text_;    // empty before the first
};

}  // namespace reveal::serve
