// The words of another program's name of a metric.
#pragma once

#include <string>
#include <string_view>

namespace reveal::exchange {

// Returns the words of a name in lower case, each between spaces: " node load1 ".
std::string spaced_words(std::string_view text);

// Returns the name with a space before each capital that begins a word: "mem Used", "HTTP Server".
std::string parted_by_case(std::string_view name);

// Returns whether the words of a name have these, one after the other: "load average".
bool has_words(const std::string& words, std::string_view text);

// Returns whether an instance's key names a device of any kind.
bool is_device_key(std::string_view key);

}  // namespace reveal::exchange
