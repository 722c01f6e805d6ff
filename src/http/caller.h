// Who sent a request.
#pragma once

#include <cstdint>
#include <string>

#include "access/who.h"

namespace reveal::http {

struct Caller {
  bool over_socket = false;        // the unix socket; its file's mode decides who may use it
  std::uint32_t user = 0;          // the user id at the other end of the unix socket
  std::string local_address = {};  // of this end of a TCP connection
  bool is_asked = false;           // who it is
  access::Who who = {};            // if that is known
};

}  // namespace reveal::http
