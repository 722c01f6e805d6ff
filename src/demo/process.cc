#include "demo/process.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

namespace reveal::demo {
namespace {

constexpr const char* kFolderRemedy = "run it in a folder on a disk that you may write to";

}  // namespace

void stay_on_few_cores() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  cpu_set_t chosen;
  CPU_ZERO(&chosen);
  std::size_t count = 0;
  for (std::size_t core = 0; core < CPU_SETSIZE && count < kCores; ++core) {
    if (!CPU_ISSET(core, &allowed)) continue;
    CPU_SET(core, &chosen);
    ++count;
  }
  ::sched_setaffinity(0, sizeof(chosen), &chosen);
}

void name_process(const char* name) {
  ::prctl(PR_SET_NAME, name);
}

base::Result<pid_t> start_process(const char* what, const std::function<int()>& body) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return base::fail_errno(errno, "cannot start a process", what);
  if (child > 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  ::_exit(body());
}

int status_of(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

base::Result<base::UniqueFd> unnamed_file() {
  base::UniqueFd file(::open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.valid()) return file;
  // Not every file system has files without a name: one is made, and loses it at once.
  char name[] = "reveal-demo-XXXXXX";
  file.reset(::mkostemp(name, O_CLOEXEC));
  if (!file.valid()) {
    return base::fail_errno(errno, "cannot make a file", "this folder", kFolderRemedy);
  }
  ::unlink(name);
  return file;
}

base::Result<void> files_can_be_read_again() {
  struct statfs about {};
  if (::statfs(".", &about) != 0) {
    return base::fail_errno(errno, "cannot see what file system it is on", "this folder");
  }
  if (about.f_type != TMPFS_MAGIC && about.f_type != RAMFS_MAGIC) return {};
  return base::fail(base::ErrorKind::kAbsent, "its files are in memory only", "this folder",
                    kFolderRemedy);
}

}  // namespace reveal::demo
