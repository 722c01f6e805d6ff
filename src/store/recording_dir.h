// The directory that a recording is: how its segments are named, and who may write into it. The
// names of files on disk live here and nowhere else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace reveal::store {

// Returns "000001.rvs" for 1, and 1 for "000001.rvs"; nothing for a name that is none.
std::string segment_name(std::uint32_t number);
std::optional<std::uint32_t> segment_number(std::string_view name);

// The same of "000001.rvj", where frames wait to become a block.
std::string journal_name(std::uint32_t number);
std::optional<std::uint32_t> journal_number(std::string_view name);

// Returns the numbers of the segments in `dir`, ascending; none is not an error.
base::Result<std::vector<std::uint32_t>> list_segments(const std::filesystem::path& dir);
base::Result<std::vector<std::uint32_t>> list_journals(const std::filesystem::path& dir);

// Makes `dir` and its parents if absent, and returns a descriptor that holds the writer's lock for
// as long as it is open. Fails if another recorder has it, or if anything is in it.
base::Result<base::UniqueFd> claim_empty_dir(const std::filesystem::path& dir);

// The same of a directory that may hold a recording.
base::Result<base::UniqueFd> claim_dir(const std::filesystem::path& dir);

// Fails with kUsage if anything is in `dir`.
base::Result<void> check_empty(const std::filesystem::path& dir);

// Makes the empty directory in `dir` in which what becomes part of its recording is prepared, and
// removes what an interrupted writer left there. REQUIRES: the lock of `dir`.
base::Result<std::filesystem::path> make_staging_dir(const std::filesystem::path& dir);
base::Result<void> remove_staging_dir(const std::filesystem::path& dir);

// Returns whether a recorder holds that lock now; false also if that cannot be told.
bool is_being_written(const std::filesystem::path& dir);

}  // namespace reveal::store
