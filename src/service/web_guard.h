// What [web.tls] and [web.auth] ask for, opened; what stands in [web] and its like, checked.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "access/gate.h"
#include "base/result.h"
#include "http/tls.h"
#include "settings/given.h"
#include "settings/settings.h"

namespace reveal::service {

// What stands before the addresses that are no unix sockets.
struct WebGuard {
  std::shared_ptr<http::Tls> tls = {};      // null: nothing is encrypted
  std::shared_ptr<access::Gate> gate = {};  // null: nobody is asked
};

// Read the files; null if none is asked for. Fail as http::Tls::open() and access::Gate::open().
base::Result<std::shared_ptr<http::Tls>> open_tls(const settings::WebTlsSettings& tls);
base::Result<std::shared_ptr<access::Gate>> open_gate(const settings::WebAuthSettings& auth);

// Reads all of them. Fails likewise.
base::Result<WebGuard> open_guard(const settings::WebSettings& web);

// Fails with kUsage if a text is no address, or one that may not be served behind that.
base::Result<void> check_address(const std::string& text, bool is_insecure, const WebGuard& guard);

// Fails with kUsage, and the place of the key "url" of a section, if the text is neither empty nor
// the address of a page, such as `example`.
base::Result<void> check_page_url(const settings::Given& given, std::string_view section,
                                  const std::string& url, std::string_view example);

}  // namespace reveal::service
