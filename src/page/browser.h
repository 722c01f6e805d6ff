// Shows a page to the user who made it.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace reveal::page {

// Opens the file by the desktop's opener, xdg-open, and waits until that has ended. Fails with kIo
// if there is none, or if it finds no browser; the file stays.
base::Result<void> open_in_browser(const std::filesystem::path& page);

}  // namespace reveal::page
