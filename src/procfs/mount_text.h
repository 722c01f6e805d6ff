// Paths as the kernel writes them in its lists of mounts: blanks, tabs, newlines, backslashes and,
// since Linux 6.0, '#' stand in octal, "\040". https://man7.org/linux/man-pages/man5/fstab.5.html
#pragma once

#include <string>
#include <string_view>

namespace reveal::procfs {

// Returns the path with each "\ooo" as the byte that it stands for. What is no byte in octal stays.
std::string unescaped_path(std::string_view text);

}  // namespace reveal::procfs
