// A recording below a limit on addresses (ulimit -v, RLIMIT_AS of setrlimit(2)).
#pragma once

#include "base/result.h"

namespace reveal::record {

// Makes this process take few addresses if their number is limited: all threads then share one
// heap, where the C library would give each of them 64 MiB. Fails, and says how to mend it, if even
// so the limit leaves less than a recording takes: memory that runs out in the midst of a
// destructor would end Reveal, and CMD would lose its parent. To be called before the first thread
// is started.
base::Result<void> fit_into_address_space();

}  // namespace reveal::record
