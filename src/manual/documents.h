// Names of documents in texts for people: help and errors call them as in a clone,
// "docs/scores.md".
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace reveal::manual {

// Returns `text` with each "docs/NAME.md" that begins a word as its path in `folder`, if `is_there`
// says that this file is there.
std::string with_documents(std::string_view text, const std::filesystem::path& folder,
                           const std::function<bool(const std::filesystem::path&)>& is_there);

}  // namespace reveal::manual
