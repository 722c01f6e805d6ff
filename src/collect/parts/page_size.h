// The scale of metrics that the kernel counts in pages: a recording keeps it with the metric, so
// that a host of 64 KiB pages is read rightly on one of 4 KiB.
#pragma once

#include <unistd.h>

namespace reveal::collect {

inline double page_bytes() {
  return static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace reveal::collect
