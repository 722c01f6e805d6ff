// Tells the service manager that started this process how it is: sd_notify(3), whose protocol is
// one datagram with lines KEY=VALUE to the socket that $NOTIFY_SOCKET names. Reveal speaks it
// itself, because a static binary cannot use libsystemd.
#pragma once

#include <string>
#include <string_view>

namespace reveal::agent {

class ServiceManager {
 public:
  // Takes the socket's name from the environment, and away from it: children have nothing to say.
  ServiceManager();

  // Sends the lines; nothing happens without a service manager.
  void tell(std::string_view lines) const;
  bool is_there() const { return !address_.empty(); }

 private:
  std::string address_;
};

}  // namespace reveal::agent
