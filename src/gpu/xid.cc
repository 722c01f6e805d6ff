#include "gpu/xid.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace reveal::gpu {
namespace {

using enum XidFault;

// By code.
constexpr XidMeaning kMeanings[] = {
    {8, kApplication, "the GPU stopped working on a channel"},
    {13, kApplication, "exception in the graphics engine"},
    {31, kApplication, "access to GPU memory that is not mapped"},
    {32, kDriver, "corrupted stream of commands"},
    {38, kDriver, "driver firmware error"},
    {43, kApplication, "a program's channel was stopped after an error of its own"},
    {45, kUnknown, "a program was ended after an earlier error"},
    {48, kHardware, "uncorrectable ECC error"},
    {61, kHardware, "internal microcontroller breakpoint or warning"},
    {62, kHardware, "internal microcontroller halt"},
    {63, kHardware, "a memory row or page was retired"},
    {64, kHardware, "a memory row or page could not be retired"},
    {68, kHardware, "exception in the video decoder"},
    {69, kApplication, "error in the graphics engine's class"},
    {74, kHardware, "NVLink error"},
    {79, kHardware, "the GPU has fallen off the bus"},
    {92, kHardware, "many single-bit ECC errors"},
    {94, kHardware, "uncorrectable memory error, contained to one program"},
    {95, kHardware, "uncorrectable memory error, not contained"},
    {109, kApplication, "time-out of a context switch"},
    {110, kHardware, "security fault"},
    {119, kDriver, "the GPU's system processor does not answer"},
    {120, kDriver, "error in the GPU's system processor"},
    {121, kHardware, "corrected error of the chip-to-chip link"},
    {137, kApplication, "NVLink access without privilege"},
    {140, kHardware, "uncorrectable ECC error that was not recovered from"},
    {143, kHardware, "the GPU could not be initialized"},
    {144, kHardware, "NVLink error: SAW"},
    {145, kHardware, "NVLink error: RLW"},
    {146, kHardware, "NVLink error: TLW"},
    {147, kHardware, "NVLink error: TREX"},
    {148, kHardware, "NVLink error: NVLPW_CTRL"},
    {149, kHardware, "NVLink error: NETIR"},
    {150, kHardware, "NVLink error: MSE"},
    {154, kUnknown, "the driver wants another recovery action for the GPU"},
};

std::string_view word_of(XidFault fault) {
  switch (fault) {
    case kApplication:
      return "; usually the application's";
    case kDriver:
      return "; driver";
    case kHardware:
      return "; hardware";
    case kUnknown:
      break;
  }
  return "";
}

}  // namespace

XidMeaning xid_meaning(std::uint64_t code) {
  const auto* const it = std::lower_bound(
      std::begin(kMeanings), std::end(kMeanings), code,
      [](const XidMeaning& row, std::uint64_t wanted) { return row.code < wanted; });
  if (it != std::end(kMeanings) && it->code == code) return *it;
  return {code, kUnknown, {}};
}

std::string describe_xid(std::uint64_t code) {
  const XidMeaning known = xid_meaning(code);
  if (known.meaning.empty()) return fmt::format("XID {}", code);
  return fmt::format("XID {} ({}{})", code, known.meaning, word_of(known.fault));
}

}  // namespace reveal::gpu
