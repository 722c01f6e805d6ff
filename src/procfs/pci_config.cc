#include "procfs/pci_config.h"

#include <cstddef>

namespace reveal::procfs {
namespace {

constexpr std::size_t kStatus = 0x06;
constexpr std::uint32_t kStatusHasCapabilities = 0x10;
constexpr std::size_t kFirstCapability = 0x34;
constexpr std::uint32_t kCapabilityIsPcie = 0x10;
constexpr std::size_t kDeviceControl = 8;  // behind the start of the PCI Express capability
constexpr std::size_t kHeader = 64;
constexpr int kMaxCapabilities = 48;  // what fits behind the header; a longer chain is a loop

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  return byte_at(bytes, at) | byte_at(bytes, at + 1) << 8;
}

// Returns the bytes that a 3-bit size field means, 0 for the reserved ones.
std::uint32_t size_of(std::uint32_t field) {
  constexpr std::uint32_t kLargest = 5;  // 4096 bytes
  return (field & 7) > kLargest ? 0 : 128U << (field & 7);
}

std::optional<PcieDeviceControl> decode(std::uint32_t control) {
  constexpr std::uint32_t kGone = 0xffff;  // what a function that has left the bus reads as
  const PcieDeviceControl out{size_of(control >> 5), size_of(control >> 12)};
  if (control == kGone || out.max_payload_bytes == 0 || out.max_read_request_bytes == 0) {
    return std::nullopt;
  }
  return out;
}

}  // namespace

std::optional<PcieDeviceControl> pcie_device_control(std::string_view config) {
  if (config.size() < kHeader) return std::nullopt;
  if ((word_at(config, kStatus) & kStatusHasCapabilities) == 0) return std::nullopt;
  std::size_t at = byte_at(config, kFirstCapability) & ~3U;
  for (int i = 0; i < kMaxCapabilities; ++i) {
    if (at < kHeader || at + kDeviceControl + 2 > config.size()) return std::nullopt;
    if (byte_at(config, at) == kCapabilityIsPcie) {
      return decode(word_at(config, at + kDeviceControl));
    }
    at = byte_at(config, at + 1) & ~3U;
  }
  return std::nullopt;
}

}  // namespace reveal::procfs
