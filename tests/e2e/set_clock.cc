// Loaded before libc by clock_test.py: the realtime clock is set back by an hour,
// SET_CLOCK_AFTER_MS after the program first looked at it. Nothing else of the machine changes, so
// no privilege is needed and no other test sees it.
#include <cstdlib>
#include <ctime>

#include <dlfcn.h>

namespace {

constexpr time_t kHour = 3600;

using ClockFunction = int (*)(clockid_t, timespec*);

long long ms_of(const timespec& time) {
  return static_cast<long long>(time.tv_sec) * 1000 + time.tv_nsec / 1'000'000;
}

// An hour back, or SET_CLOCK_BY_S.
time_t step_s() {
  static const char* said = std::getenv("SET_CLOCK_BY_S");
  return said == nullptr ? -kHour : static_cast<time_t>(std::atoll(said));
}

bool is_time(const timespec& mono) {
  static const long long first = ms_of(mono);
  static const long long after = std::atoll(std::getenv("SET_CLOCK_AFTER_MS"));
  return ms_of(mono) - first >= after;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  static const auto real = reinterpret_cast<ClockFunction>(dlsym(RTLD_NEXT, "clock_gettime"));
  if (clock != CLOCK_REALTIME) return real(clock, time);
  timespec mono{};
  real(CLOCK_MONOTONIC, &mono);
  const int result = real(clock, time);
  if (is_time(mono)) time->tv_sec += step_s();
  return result;
}
