#include "page/assets.h"

#include <cstddef>

// The build says where the files are. The names are global, since on Arm a local one is reached as
// the begin of its section, and hidden, since no other library may have a say in them.
asm(".pushsection .rodata\n"
    ".globl reveal_page_script_begin, reveal_page_script_end\n"
    ".globl reveal_page_style_begin, reveal_page_style_end\n"
    ".globl reveal_live_script_begin, reveal_live_script_end\n"
    ".globl reveal_live_style_begin, reveal_live_style_end\n"
    ".globl reveal_fleet_script_begin, reveal_fleet_script_end\n"
    ".globl reveal_fleet_style_begin, reveal_fleet_style_end\n"
    ".hidden reveal_page_script_begin, reveal_page_script_end\n"
    ".hidden reveal_page_style_begin, reveal_page_style_end\n"
    ".hidden reveal_live_script_begin, reveal_live_script_end\n"
    ".hidden reveal_live_style_begin, reveal_live_style_end\n"
    ".hidden reveal_fleet_script_begin, reveal_fleet_script_end\n"
    ".hidden reveal_fleet_style_begin, reveal_fleet_style_end\n"
    "reveal_page_script_begin: .incbin \"" REVEAL_PAGE_SCRIPT
    "\"\n"
    "reveal_page_script_end: .byte 0\n"
    "reveal_page_style_begin: .incbin \"" REVEAL_PAGE_STYLE
    "\"\n"
    "reveal_page_style_end: .byte 0\n"
    "reveal_live_script_begin: .incbin \"" REVEAL_LIVE_SCRIPT
    "\"\n"
    "reveal_live_script_end: .byte 0\n"
    "reveal_live_style_begin: .incbin \"" REVEAL_LIVE_STYLE
    "\"\n"
    "reveal_live_style_end: .byte 0\n"
    "reveal_fleet_script_begin: .incbin \"" REVEAL_FLEET_SCRIPT
    "\"\n"
    "reveal_fleet_script_end: .byte 0\n"
    "reveal_fleet_style_begin: .incbin \"" REVEAL_FLEET_STYLE
    "\"\n"
    "reveal_fleet_style_end: .byte 0\n"
    ".popsection\n");

extern "C" {
#pragma GCC visibility push(hidden)
extern const char reveal_page_script_begin[];
extern const char reveal_page_script_end[];
extern const char reveal_page_style_begin[];
extern const char reveal_page_style_end[];
extern const char reveal_live_script_begin[];
extern const char reveal_live_script_end[];
extern const char reveal_live_style_begin[];
extern const char reveal_live_style_end[];
extern const char reveal_fleet_script_begin[];
extern const char reveal_fleet_script_end[];
extern const char reveal_fleet_style_begin[];
extern const char reveal_fleet_style_end[];
#pragma GCC visibility pop
}

namespace reveal::page {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

bool is_built() {
  return !script().empty();
}

std::string_view script() {
  return between(reveal_page_script_begin, reveal_page_script_end);
}

std::string_view style() {
  return between(reveal_page_style_begin, reveal_page_style_end);
}

std::string_view live_script() {
  return between(reveal_live_script_begin, reveal_live_script_end);
}

std::string_view live_style() {
  return between(reveal_live_style_begin, reveal_live_style_end);
}

std::string_view fleet_script() {
  return between(reveal_fleet_script_begin, reveal_fleet_script_end);
}

std::string_view fleet_style() {
  return between(reveal_fleet_style_begin, reveal_fleet_style_end);
}

}  // namespace reveal::page
