#include "record/live_recorder.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "base/whole_file.h"

namespace reveal::record {
namespace {

// What is kept on the disk; what is looked at is kept in memory.
constexpr const char* kKeep = "5m";

std::filesystem::path log_in(const std::filesystem::path& folder) {
  return folder / "recorder.log";
}

// The child's side: turns into the recorder, which ends when reveal top does, however that ends.
[[noreturn]] void become(char* const* arguments, int log_fd, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(EXIT_FAILURE);
  ::setpgid(0, 0);  // Ctrl-C is for reveal top, which ends the recorder
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(log_fd, STDOUT_FILENO);
  ::dup2(log_fd, STDERR_FILENO);
  ::execv("/proc/self/exe", arguments);
  ::_exit(EXIT_FAILURE);
}

// Returns the last line of what the recorder said, without its "reveal: ".
std::string last_words(const std::filesystem::path& log) {
  const auto text = base::read_whole_file(log, "recorder's log");
  if (!text) return {};
  std::string out = *text;
  while (!out.empty() && out.back() == '\n') out.pop_back();
  if (const auto line = out.rfind('\n'); line != std::string::npos) out.erase(0, line + 1);
  constexpr std::string_view kName = "reveal: ";
  if (out.starts_with(kName)) out.erase(0, kName.size());
  return out;
}

}  // namespace

base::Result<LiveRecorder> LiveRecorder::start(const std::vector<std::string>& options) {
  auto folder = base::TempDir::make("reveal_top_");
  if (!folder) return base::pass(folder);
  const auto directory = folder->path() / "recording";
  std::vector<std::string> words{"reveal", "record", "--quiet",         "--keep",
                                 kKeep,    "-o",     directory.string()};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const auto log = log_in(folder->path());
  const base::UniqueFd log_fd(
      ::open(log.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (log_fd.get() < 0) return base::fail_errno(errno, "cannot write", log.string());
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), log_fd.get(), parent);
  if (child < 0) return base::fail_errno(errno, "cannot start a recorder");
  return LiveRecorder(std::move(*folder), child);
}

LiveRecorder::~LiveRecorder() {
  if (child_ < 0) return;
  ::kill(child_, SIGTERM);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

base::Result<void> LiveRecorder::check() {
  if (child_ >= 0 && ::waitpid(child_, nullptr, WNOHANG) != child_) return {};
  child_ = -1;
  return base::fail(base::ErrorKind::kIo,
                    "the recorder ended: " + last_words(log_in(folder_.path())), {},
                    "see reveal doctor");
}

}  // namespace reveal::record
