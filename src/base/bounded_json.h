// JSON of others, parsed without trust.
#pragma once

#include <string_view>

namespace reveal::base {

// Returns the document, discarded if it is not JSON or has more than `deepest` levels: each level
// that a few bytes begin would cost a hundred of memory, and to write it again stack. `Json` is
// nlohmann::json or its ordered kind.
template <typename Json>
Json parse_bounded(std::string_view text, int deepest) {
  bool too_deep = false;
  Json out = Json::parse(
      text,
      [&](int depth, typename Json::parse_event_t, Json&) {
        too_deep |= depth > deepest;
        return depth <= deepest;
      },
      false);
  return too_deep ? Json(Json::value_t::discarded) : out;
}

}  // namespace reveal::base
