// The entries of an Accept header: `type/subtype;version=1.0.0;q=0.5, ...`. Source: RFC 9110,
// section 12.5.1.
#pragma once

#include <functional>
#include <string_view>

namespace reveal::http {

struct Accepted {
  std::string_view type = {};     // as it is written
  std::string_view version = {};  // of the parameter of that name; empty if there is none
  double quality = 1;             // 0 to 1; 0: not wanted
};

// Calls `each` with the entries in their order. An entry with an unreadable quality is skipped.
void for_each_accepted(std::string_view accept, const std::function<void(const Accepted&)>& each);

}  // namespace reveal::http
