#include "gpu/reader_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/spawn_attributes.h"

namespace reveal::gpu {
namespace {

// The numbers that the reader finds its descriptors by.
constexpr int kSharedFd = 3;
constexpr int kParentFd = 4;
constexpr int kSafeFd = 10;  // above them, so that moving one does not close the other

void sleep_ms(long time) {
  const timespec request{.tv_sec = 0, .tv_nsec = time * 1'000'000};
  ::nanosleep(&request, nullptr);
}

base::UniqueFd lifted(int fd) {
  return base::UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, kSafeFd));
}

// What a reader starts with, besides what every program does: no stream to litter, and its two
// descriptors.
class Setting {
 public:
  Setting(int shared_fd, int parent_fd) {
    ::posix_spawn_file_actions_init(&files_);
    for (const int stream : {0, 1, 2}) {
      ::posix_spawn_file_actions_addopen(&files_, stream, "/dev/null", O_RDWR, 0);
    }
    ::posix_spawn_file_actions_adddup2(&files_, shared_fd, kSharedFd);
    ::posix_spawn_file_actions_adddup2(&files_, parent_fd, kParentFd);
  }
  ~Setting() { ::posix_spawn_file_actions_destroy(&files_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return attributes_.get(); }

 private:
  posix_spawn_file_actions_t files_{};
  base::SpawnAttributes attributes_;
};

std::vector<std::string> arguments_of(const Selection& selection,
                                      std::chrono::nanoseconds interval) {
  std::vector<std::string> out{"gpu-reader",
                               "--shared-fd",
                               std::to_string(kSharedFd),
                               "--parent-fd",
                               std::to_string(kParentFd),
                               "--interval-ns",
                               std::to_string(interval.count())};
  if (selection.only) {
    out.insert(out.end(), {"--only", std::to_string(*selection.only)});
  } else if (!selection.except.empty()) {
    out.insert(out.end(), {"--except", fmt::format("{}", fmt::join(selection.except, ","))});
  }
  return out;
}

}  // namespace

base::Result<std::string> reader_program() {
  if (const char* named = std::getenv("REVEAL_READER_PROGRAM")) return std::string(named);
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error && self.filename().string().starts_with("reveal")) return "/proc/self/exe";
  return base::fail(base::ErrorKind::kAbsent, "this program has no GPU reader", "GPU reader",
                    "name the reveal program in REVEAL_READER_PROGRAM");
}

base::Result<std::unique_ptr<ReaderProcess>> ReaderProcess::start(
    const std::string& program, const Selection& selection, std::chrono::nanoseconds interval) {
  std::unique_ptr<ReaderProcess> out(new ReaderProcess);
  if (auto shared = out->share(); !shared) return base::pass(shared);
  auto arguments = arguments_of(selection, interval);
  if (auto spawned = out->spawn(program, std::move(arguments)); !spawned) {
    return base::pass(spawned);
  }
  return out;
}

base::Result<void> ReaderProcess::share() {
  memory_.reset(::memfd_create("reveal-gpu", MFD_CLOEXEC));
  if (!memory_.valid() || ::ftruncate(memory_.get(), sizeof(SharedReadings)) != 0) {
    return base::fail_errno(errno, "no shared memory", "GPU reader");
  }
  void* at =
      ::mmap(nullptr, sizeof(SharedReadings), PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (at == MAP_FAILED) return base::fail_errno(errno, "no shared memory", "GPU reader");
  shared_ = static_cast<SharedReadings*>(at);
  shared_->device_now.store(kNoDevice);
  return {};
}

base::Result<void> ReaderProcess::spawn(const std::string& program,
                                        std::vector<std::string> arguments) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return base::fail_errno(errno, "no pipe", "GPU reader");
  base::UniqueFd theirs(ends[0]);
  life_line_.reset(ends[1]);
  const auto shared_fd = lifted(memory_.get());
  const auto parent_fd = lifted(theirs.get());
  const Setting setting(shared_fd.get(), parent_fd.get());
  std::string name = "reveal";
  std::vector<char*> words{name.data()};
  for (auto& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  const int error = ::posix_spawn(&pid_, program.c_str(), setting.files(), setting.attributes(),
                                  words.data(), environ);
  if (error == 0) return {};
  pid_ = -1;
  return base::fail_errno(error, "cannot be started", program);
}

std::optional<int> ReaderProcess::ended() {
  int status = 0;
  if (!status_ && pid_ > 0 && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
  return status_;
}

bool ReaderProcess::kill() {
  if (pid_ <= 0 || ended()) return true;
  ::kill(pid_, SIGKILL);
  for (int i = 0; i < 20 && !ended(); ++i) sleep_ms(1);
  return ended().has_value();
}

ReaderProcess::~ReaderProcess() {
  life_line_.reset();
  for (int i = 0; pid_ > 0 && i < 50 && !ended(); ++i) sleep_ms(2);
  kill();
  if (shared_ != nullptr) ::munmap(shared_, sizeof(SharedReadings));
}

}  // namespace reveal::gpu
