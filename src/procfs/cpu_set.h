// A set of cores, read from the kernel's lists ("0-2,4") and written as one, without allocation.
// https://docs.kernel.org/admin-guide/cputopology.html
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>

#include "procfs/cpu_list.h"

namespace reveal::procfs {

class CpuSet {
 public:
  // Sets it to the cores of a list; an empty list is an empty set. Returns false, leaving it empty,
  // for text that is not a list or names a core beyond kMaxListedCpu.
  bool assign(std::string_view list);

  void clear() { cores_.reset(); }
  void add(std::uint32_t cpu) { cores_.set(cpu); }
  void merge(const CpuSet& other) { cores_ |= other.cores_; }
  bool contains(std::uint32_t cpu) const { return cores_.test(cpu); }
  std::size_t count() const { return cores_.count(); }

  // Appends the set as a list.
  void append_to(std::string& out) const;

  // Calls f(cpu) for each core, the lowest first.
  template <typename F>
  void for_each(F f) const {
    for (std::size_t cpu = cores_._Find_first(); cpu < cores_.size();
         cpu = cores_._Find_next(cpu)) {
      f(static_cast<std::uint32_t>(cpu));
    }
  }

 private:
  bool add_range(std::string_view range);

  std::bitset<kMaxListedCpu + 1> cores_;
};

}  // namespace reveal::procfs
