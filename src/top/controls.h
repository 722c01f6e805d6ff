// The state of the user's controls, and the effect of each key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace reveal::top {

struct Key {
  enum class Kind {
    kNone,
    kText,  // a byte of a character
    kUp,
    kDown,
    kPageUp,
    kPageDown,
    kLeft,
    kRight,
    kHome,
    kEnd,
    kEnter,
    kEscape,
    kErase,
    kResize,
  };
  Kind kind = Kind::kNone;
  char byte = 0;
};

struct Controls {
  bool quit = false;
  bool help = false;
  bool typing = false;     // a filter
  std::string filter;      // channels must contain it, whatever the case; empty: all
  std::size_t scroll = 0;  // channels before the first that is shown
  // Id of the window that is looked at, while that is not the newest.
  std::optional<std::uint64_t> at;
};

// What there is to move over.
struct Extent {
  std::uint64_t oldest = 0;  // ids of windows
  std::uint64_t newest = 0;
  std::size_t channels = 0;  // that pass the filter
  std::size_t page = 1;      // channels on the screen
};

void press(Controls& controls, const Key& key, const Extent& extent);

}  // namespace reveal::top
