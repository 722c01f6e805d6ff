#include "top/controls.h"

#include <algorithm>

namespace reveal::top {
namespace {

constexpr std::size_t kLongestFilter = 60;

void scroll_by(Controls& controls, bool down, std::size_t by, const Extent& extent) {
  const std::size_t last = extent.channels > extent.page ? extent.channels - extent.page : 0;
  if (down) {
    controls.scroll = std::min(controls.scroll + by, last);
  } else {
    controls.scroll = std::min(controls.scroll, last) - std::min({controls.scroll, last, by});
  }
}

// To move back is to pause; to move to the newest window is not to go on, for the next one comes.
void move(Controls& controls, bool back, const Extent& extent) {
  const std::uint64_t now =
      std::clamp(controls.at.value_or(extent.newest), extent.oldest, extent.newest);
  if (back) {
    controls.at = now > extent.oldest ? now - 1 : now;
  } else if (controls.at) {
    controls.at = now < extent.newest ? now + 1 : now;
  }
}

void toggle_pause(Controls& controls, const Extent& extent) {
  if (controls.at) {
    controls.at.reset();
  } else {
    controls.at = extent.newest;
  }
}

// Takes away the last character, which may be of several bytes.
void erase(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0u) == 0x80)
    text.pop_back();
  if (!text.empty()) text.pop_back();
}

void press_typing(Controls& controls, const Key& key) {
  switch (key.kind) {
    case Key::Kind::kText:
      if (controls.filter.size() < kLongestFilter) controls.filter += key.byte;
      break;
    case Key::Kind::kErase:
      erase(controls.filter);
      break;
    case Key::Kind::kEscape:
      controls.filter.clear();
      controls.typing = false;
      break;
    case Key::Kind::kEnter:
      controls.typing = false;
      break;
    default:
      return;
  }
  controls.scroll = 0;
}

void press_letter(Controls& controls, char letter, const Extent& extent) {
  switch (letter) {
    case 'q':
    case 'Q':
      controls.quit = true;
      break;
    case 'p':
    case ' ':
      toggle_pause(controls, extent);
      break;
    case '/':
      controls.typing = true;
      break;
    case '?':
    case 'h':
      controls.help = true;
      break;
    default:
      break;
  }
}

}  // namespace

void press(Controls& controls, const Key& key, const Extent& extent) {
  using enum Key::Kind;
  if (key.kind == kNone || key.kind == kResize) return;
  if (controls.typing &&
      (key.kind == kText || key.kind == kErase || key.kind == kEscape || key.kind == kEnter)) {
    press_typing(controls, key);
    return;
  }
  if (controls.help) {
    controls.help = false;
    if (key.kind != kText || (key.byte != 'q' && key.byte != 'Q')) return;
  }
  switch (key.kind) {
    case kText:
      press_letter(controls, key.byte, extent);
      break;
    case kUp:
    case kDown:
      scroll_by(controls, key.kind == kDown, 1, extent);
      break;
    case kPageUp:
    case kPageDown:
      scroll_by(controls, key.kind == kPageDown, std::max<std::size_t>(extent.page, 1), extent);
      break;
    case kLeft:
    case kRight:
      move(controls, key.kind == kLeft, extent);
      break;
    case kHome:
      controls.at = extent.oldest;
      break;
    case kEnd:
      controls.at.reset();
      break;
    case kEscape:
      controls.filter.clear();
      break;
    default:
      break;
  }
}

}  // namespace reveal::top
