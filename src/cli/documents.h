// Where the documents of Reveal are: README.md and docs/ of a clone, or what was installed beside
// the program.
#pragma once

#include <filesystem>
#include <string>

namespace reveal::cli {

// Returns the folder of the installed documents, which the program's own place tells; empty if
// there are none.
std::filesystem::path installed_documents();

// Returns `text` with each "docs/scores.md" in it as the path of that installed document. A name
// without such a document stays as it is.
std::string with_documents(const std::string& text);

}  // namespace reveal::cli
