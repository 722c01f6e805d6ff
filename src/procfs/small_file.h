// Small files that are read seldom and are many, such as the attributes of every disk: opened, read
// and closed each time, so that they hold no descriptors. What cannot be read says nothing and
// costs no allocation, because attributes that a driver lacks or refuses (EINVAL, EIO) are normal.
//
// Files are opened without waiting: a FIFO in the place of one says nothing either.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

// Returns the text, in `buffer`, cut if that is full; empty if the file cannot be read.
std::string_view read_small_file(const std::string& path, std::span<char> buffer);

// Returns the number that is the file's first line; nothing if it is anything else.
Value read_number(const std::string& path);

}  // namespace reveal::procfs
