// What the error codes mean that NVIDIA's driver prints and reports ("XID 79"), and whose fault
// they usually are: https://docs.nvidia.com/deploy/xid-errors/. Many are the application's, and a
// host is not sick because a program read past the end of its memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reveal::gpu {

enum class XidFault : std::uint8_t { kUnknown, kApplication, kDriver, kHardware };

struct XidMeaning {
  std::uint64_t code;
  XidFault fault;
  std::string_view meaning;  // empty for a code that is not well known
};

// Returns the meaning of a code; of one that is not well known, kUnknown and no words.
XidMeaning xid_meaning(std::uint64_t code);

// Returns "XID 79 (the GPU has fallen off the bus; hardware)", or "XID 7" if that is all.
std::string describe_xid(std::uint64_t code);

}  // namespace reveal::gpu
