#include "record/address_space.h"

#include <cerrno>
#include <cstddef>
#include <string>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/heap.h"

namespace reveal::record {
namespace {

// Some 40 threads have stacks of 8 MiB each (ulimit -s). The rest is for what they hold.
constexpr std::size_t kNeededMiB = 512;

bool is_limited() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// Takes addresses alone: no page of them is ever used, and none counts as memory.
bool has_room(std::size_t bytes) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* taken = ::mmap(nullptr, bytes, PROT_NONE, kFlags, -1, 0);
  return taken != MAP_FAILED && ::munmap(taken, bytes) == 0;
}

}  // namespace

base::Result<void> fit_into_address_space() {
  if (!is_limited()) return {};
  if (!has_room(kNeededMiB << 20)) {
    return base::fail_errno(errno, "cannot record with so few addresses", "",
                            fmt::format("raise ulimit -v by {} MiB or more", kNeededMiB));
  }
  base::use_one_heap();
  return {};
}

}  // namespace reveal::record
