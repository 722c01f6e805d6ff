#include "record/live_recorder.h"

#include <cerrno>
#include <string_view>
#include <utility>

#include <fcntl.h>

#include "base/unique_fd.h"
#include "base/whole_file.h"

namespace reveal::record {
namespace {

// What is kept on the disk; what is looked at is kept in memory.
constexpr const char* kKeep = "5m";

std::filesystem::path log_in(const std::filesystem::path& folder) {
  return folder / "recorder.log";
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
  std::vector<std::string> words{"record", "--quiet", "--keep", kKeep, "-o", directory.string()};
  words.insert(words.end(), options.begin(), options.end());
  const auto log = log_in(folder->path());
  const base::UniqueFd log_fd(
      ::open(log.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (log_fd.get() < 0) return base::fail_errno(errno, "cannot write", log.string());
  auto recorder = OwnProcess::start(words, log_fd.get());
  if (!recorder) return base::pass(recorder);
  return LiveRecorder(std::move(*folder), std::move(*recorder));
}

base::Result<void> LiveRecorder::check() {
  if (recorder_.runs()) return {};
  return base::fail(base::ErrorKind::kIo,
                    "the recorder ended: " + last_words(log_in(folder_.path())), {},
                    "see reveal doctor");
}

}  // namespace reveal::record
