// A finding as an event can hold it.
#pragma once

#include <string>
#include <string_view>

namespace reveal::publish {

// Returns a finding's JSON object without its windows, which are most of it, and with as much of
// its evidence, the foremost first, as an event has room for. Empty if that is not enough, or it is
// no object.
std::string event_detail(std::string_view json);

}  // namespace reveal::publish
