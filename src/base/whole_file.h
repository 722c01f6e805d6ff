// A file as one text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace reveal::base {

// Returns what is in the file. Fails as the system does, saying that it "cannot read the" `what`.
Result<std::string> read_whole_file(const std::filesystem::path& path, std::string_view what);

}  // namespace reveal::base
