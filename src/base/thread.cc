#include "base/thread.h"

#include <new>
#include <system_error>
#include <utility>

namespace reveal::base {

Result<std::thread> start_thread(const std::string& what, std::function<void()> body) {
  constexpr const char* kRemedy = "raise pids.max (TasksMax=), ulimit -u or ulimit -v";
  try {
    return std::thread(std::move(body));
  } catch (const std::system_error& refused) {
    return fail_errno(refused.code().value(), "cannot start a thread", what, kRemedy);
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::kIo, "cannot start a thread: no memory", what, kRemedy);
  }
}

}  // namespace reveal::base
