// Where a PostgreSQL server is, by a URL that users give. All of libpq's parameters may be in it
// but a password: that would be seen in lists of processes, so it comes from a file (PGPASSFILE, or
// `passfile` in the URL) or a service.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ledger/pq_api.h"

namespace reveal::ledger {

struct PqTarget {
  std::vector<std::pair<std::string, std::string>> parameters;  // of libpq
  std::string name;                                             // for people
};

// Returns whether it begins as a URL of PostgreSQL does.
bool is_pq_url(const std::string& where);

// Reads a URL. Beyond this host the server's certificate has to be the right one unless the URL or
// PGSSLMODE says otherwise. Fails with kUsage, and never tells the URL: it may have a password.
base::Result<PqTarget> read_pq_url(const PqApi& api, const std::string& url);

}  // namespace reveal::ledger
