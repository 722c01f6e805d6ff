// Where a PostgreSQL server is, by a URL that users give. All of libpq's parameters may be in it
// but a password: that would be seen in lists of processes, so it comes from a file (PGPASSFILE, or
// `passfile` in the URL) or a service.
//
// A URL may name several servers, of which one is to be used: the first that answers, and that can
// be written if it is to be. libpq itself goes on to the next one only if a server refuses; at one
// that is silent, such as a machine without power, it waits. So here each is a target of its own.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ledger/database.h"
#include "ledger/pq_api.h"

namespace reveal::ledger {

struct PqServer {
  std::vector<std::pair<std::string, std::string>> parameters;  // of libpq
  std::string name;                                             // for people
};

struct PqTarget {
  std::vector<PqServer> servers;  // in the order in which they are tried; one or more
  std::string name;               // of all, for people
};

// Returns whether it begins as a URL of PostgreSQL does.
bool is_pq_url(std::string_view where);

// Reads a URL. Beyond this host a server's certificate has to be the right one unless the URL or
// PGSSLMODE says otherwise. Of several servers, who writes takes one that can be written unless
// target_session_attrs says otherwise. Hosts that only a service names are left to libpq. Fails
// with kUsage, and never tells the URL: it may have a password.
base::Result<PqTarget> read_pq_url(const PqApi& api, const std::string& url, Access access);

}  // namespace reveal::ledger
