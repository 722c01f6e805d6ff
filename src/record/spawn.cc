#include "record/spawn.h"

#include <cerrno>
#include <cstdlib>
#include <sstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace reveal::record {
namespace {

constexpr int kCannotExecute = 127;  // as a shell has it; nobody sees it

// The child's side of spawn(): turns into CMD, or tells the parent why it cannot.
[[noreturn]] void become(char* const* arguments, const Surroundings& original, int failure_fd) {
  restore(original);
  ::execvp(arguments[0], arguments);
  const int error = errno;
  static_cast<void>(!::write(failure_fd, &error, sizeof error));
  ::_exit(kCannotExecute);
}

// Returns the errno that CMD could not be executed with, or 0 once it runs: then the pipe closes.
int failure_from(int fd) {
  int error = 0;
  ssize_t count = 0;
  do count = ::read(fd, &error, sizeof error);
  while (count < 0 && errno == EINTR);
  return count == sizeof error ? error : 0;
}

// Returns what exec takes: the words, and the null that ends them. They stay the command's.
std::vector<char*> arguments_of(const std::vector<std::string>& command) {
  std::vector<char*> out;
  out.reserve(command.size() + 1);
  for (const auto& word : command) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

}  // namespace

base::Result<void> check_command(const std::vector<std::string>& command) {
  if (command.empty()) return {};
  const auto& program = command.front();
  const auto refuse = [&](int error) {
    return base::fail_errno(error, "cannot run", program,
                            error == ENOENT ? "is it installed, and in PATH?" : "");
  };
  const auto usable = [](const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return errno;
    if (S_ISDIR(status.st_mode)) return EISDIR;
    return ::access(path.c_str(), X_OK) == 0 ? 0 : errno;
  };
  if (program.find('/') != std::string::npos) {
    const int error = usable(program);
    if (error == 0) return {};
    return refuse(error);
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/bin:/usr/bin" : path);
  int worst = ENOENT;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const int error = usable((folder.empty() ? "." : folder) + "/" + program);
    if (error == 0) return {};
    if (error == EACCES) worst = EACCES;
  }
  return refuse(worst);
}

// posix_spawn() cannot hand an ignored SIGCHLD on, so this is fork and exec.
base::Result<pid_t> spawn(const std::vector<std::string>& command, const Surroundings& original,
                          bool& refused) {
  refused = false;
  const auto arguments = arguments_of(command);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return base::fail_errno(errno, "cannot run", command[0]);
  const base::UniqueFd from_child(ends[0]);
  base::UniqueFd to_parent(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), original, to_parent.get());
  if (child < 0) return base::fail_errno(errno, "cannot run", command[0]);
  to_parent.reset();
  const int error = failure_from(from_child.get());
  if (error == 0) return child;
  ::waitpid(child, nullptr, 0);
  refused = true;
  return base::fail_errno(error, "cannot run", command[0]);
}

base::Error become_command(const std::vector<std::string>& command) {
  const auto arguments = arguments_of(command);
  ::execvp(arguments[0], arguments.data());
  return base::fail_errno(errno, "cannot run", command[0]).value();
}

}  // namespace reveal::record
