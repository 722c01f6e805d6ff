// What every program is started with (posix_spawn): no signal blocked or ignored, and a process
// group of its own, so that a Ctrl-C at the terminal passes it by and it can be killed with all
// that it has started.
#pragma once

#include <spawn.h>

namespace reveal::base {

class SpawnAttributes {
 public:
  SpawnAttributes();
  ~SpawnAttributes() { ::posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

}  // namespace reveal::base
