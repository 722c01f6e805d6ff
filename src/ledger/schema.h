// The tables of an analyser's file, and how an older file becomes one of now.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ledger/database.h"

namespace reveal::ledger {

// Returns what each version added, from 1 on; a row that was ever released stays as it is.
std::span<const std::string_view> migrations();

// Returns the version that the file has; 0: no analyser made it.
base::Result<std::size_t> version_of(Database& database);

// Returns the error of a file that a newer Reveal wrote.
base::Unexpected newer_file(std::size_t version, std::string where);

// Makes the tables of now, whatever version the file has. Fails with kUsage if a newer Reveal
// wrote it.
base::Result<void> migrate(Database& database);

}  // namespace reveal::ledger
