#include "perf/scaled_count.h"

namespace reveal::perf {

ScaledCount scaled_count(std::uint64_t count, std::uint64_t enabled_ns, std::uint64_t running_ns) {
  if (running_ns == 0) return std::nullopt;
  if (enabled_ns == running_ns) return count;
  const long double ratio =
      static_cast<long double>(enabled_ns) / static_cast<long double>(running_ns);
  const long double scaled = static_cast<long double>(count) * ratio + 0.5L;
  if (scaled >= 18446744073709551616.0L) return std::nullopt;
  return static_cast<std::uint64_t>(scaled);
}

}  // namespace reveal::perf
