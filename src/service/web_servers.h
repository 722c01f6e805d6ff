// The HTTP servers of a service: one for each address that [web] names, all behind the same guard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/server.h"
#include "service/web_guard.h"
#include "settings/settings.h"

namespace reveal::service {

enum class Weight : std::uint8_t { kError, kWarning, kNotice, kInfo };

class WebServers {
 public:
  using Log = std::function<void(Weight, std::string_view line)>;
  // Makes what one server serves.
  using SiteMaker = std::function<std::unique_ptr<http::Site>()>;

  // Starts a server for each address, so that one that cannot be had costs only itself: the log
  // says why. If TLS or the files of users cannot be had, only unix sockets are served. `host` is
  // this one's name. What the sites use must live as long. So many bytes may wait to be sent by
  // each server.
  WebServers(const settings::WebSettings& settings, const std::string& host,
             const SiteMaker& make_site, Log log,
             std::size_t most_unsent_bytes = http::ServeOptions{}.most_unsent_bytes);

  // Reads certificates, users and tokens anew if their files have changed; the log says so. To be
  // called every second or so.
  void refresh();

  // Returns why what the files hold now is not in force; empty if it is.
  std::string trouble() const;

  // Ends them.
  void stop() { servers_.clear(); }

 private:
  void open(const std::string& address, const settings::WebSettings& settings,
            const std::string& host, const SiteMaker& make_site);
  void keep_trouble(const base::Result<bool>& outcome, const char* what, std::string& trouble);

  Log log_;
  std::size_t most_unsent_bytes_;
  WebGuard guard_;
  std::string guard_trouble_;  // why there is none
  std::string tls_trouble_;
  std::string gate_trouble_;
  std::vector<std::unique_ptr<http::Site>> sites_;
  std::vector<std::unique_ptr<http::Server>> servers_;  // they end before the sites
};

}  // namespace reveal::service
