// Masks of cores as sysfs writes them: hexadecimal groups of 32 bits, the highest first, joined by
// commas ("00000000,0000ffff"). https://docs.kernel.org/admin-guide/cputopology.html tells the two
// ways in which the kernel writes a set of cores; this is the first, cpu_list.h the second.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reveal::procfs {

class CpuMask {
 public:
  // Adds the cores of a mask. Returns false, adding nothing, for text that is not a mask or names a
  // core beyond 8191.
  bool merge(std::string_view text);
  void clear() { words_.fill(0); }

  std::size_t count() const;
  bool contains(std::size_t cpu) const;

 private:
  static constexpr std::size_t kWords = 8192 / 32;
  std::array<std::uint32_t, kWords> words_{};  // lowest cores first
};

}  // namespace reveal::procfs
