// What the processes of a demonstration do about themselves.
#pragma once

#include <cstddef>
#include <functional>

#include <sys/types.h>

#include "base/result.h"
#include "base/unique_fd.h"

namespace reveal::demo {

// Cores that the job and the disturbance of the CPU share. A larger machine keeps the others.
inline constexpr std::size_t kCores = 2;

// Keeps this process, and those that it starts, on the first kCores cores that it may use. If the
// kernel refuses, they run anywhere.
void stay_on_few_cores();

// Gives this process a name in ps and in reports, of at most 15 bytes.
void name_process(const char* name);

// Starts a process that ends with what `body` returns, or with this process. `what` says in the
// error what it is. Fails if the system has none left. REQUIRES: one thread.
base::Result<pid_t> start_process(const char* what, const std::function<int()>& body);

// Waits for a process to end; returns its status as waitpid() has it.
int status_of(pid_t process);

// Returns a new file in the current folder that has no name: nothing of it is left, however this
// process ends. Fails if the file system has no room or no such files.
base::Result<base::UniqueFd> unnamed_file();

// Fails with kAbsent if files of the current folder have no other place than memory (tmpfs).
base::Result<void> files_can_be_read_again();

}  // namespace reveal::demo
