// The tables of an analyser's file, and how an older file becomes one of now.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "ledger/database.h"

namespace reveal::ledger {

// Returns what each version added, from 1 on; a row that was ever released stays as it is.
std::span<const std::string_view> migrations();

// Makes the tables of now, whatever version the file has. Fails with kUsage if a newer Reveal
// wrote it.
base::Result<void> migrate(Database& database);

}  // namespace reveal::ledger
