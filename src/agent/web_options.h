// What [web], [web.tls] and [web.auth] ask for, opened and checked.
#pragma once

#include <memory>
#include <string>

#include "access/gate.h"
#include "base/result.h"
#include "http/tls.h"
#include "settings/given.h"
#include "settings/settings.h"

namespace reveal::agent {

// What stands before the addresses that are no unix sockets.
struct WebGuard {
  std::shared_ptr<http::Tls> tls = {};      // null: nothing is encrypted
  std::shared_ptr<access::Gate> gate = {};  // null: nobody is asked
};

// Reads the files. Fails as http::Tls::open() and access::Gate::open().
base::Result<WebGuard> open_guard(const settings::WebSettings& web);

// Fails with kUsage, and the place of the setting, if a file is wrong, an address is none, or one
// may not be served so.
base::Result<void> check_web(const settings::Given& given);

}  // namespace reveal::agent
