// Benchmarks of steps that can fail: then there is nothing to measure, and the program says why.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/result.h"

namespace reveal::bench {

[[noreturn]] inline void fail(const std::string& what) {
  fmt::print(stderr, "{}: {}\n", program_invocation_short_name, what);
  std::exit(1);
}

template <typename T>
T sound(base::Result<T> result) {
  if (!result) fail(result.error().message());
  return std::move(*result);
}

inline void sound(const base::Result<void>& result) {
  if (!result) fail(result.error().message());
}

}  // namespace reveal::bench
