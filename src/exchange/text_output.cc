#include "exchange/text_output.h"

#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace reveal::exchange {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} * 1024;
constexpr int kGzipWindowBits = 15 + 16;  // zlib.h: 16 more than the window for a gzip header
constexpr int kMemoryLevel = 8;

bool wait_writable(int fd) {
  pollfd waited{.fd = fd, .events = POLLOUT, .revents = 0};
  return ::poll(&waited, 1, -1) >= 0 || errno == EINTR;
}

// Opens a device that takes text as it comes, or a pipe that somebody reads: without O_NONBLOCK a
// pipe without a reader would hold this up for ever.
base::Result<base::UniqueFd> open_stream(const std::filesystem::path& path) {
  constexpr int kTries = 100;
  constexpr int kPause_us = 50'000;
  for (int i = 0; i < kTries; ++i) {
    base::UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (fd.valid() && ::fstat(fd.get(), &status) == 0 &&
        (S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode))) {
      return fd;
    }
    if (fd.valid()) {
      return base::fail(base::ErrorKind::kUsage, "is not a file, pipe or terminal", path.string(),
                        "name a new file");
    }
    if (errno != ENXIO) return base::fail_errno(errno, "cannot open", path.string());
    ::usleep(kPause_us);
  }
  return base::fail(base::ErrorKind::kIo, "no program reads this pipe", path.string(),
                    "start its reader first, or name a new file");
}

}  // namespace

struct TextOutput::Deflater {
  z_stream stream{};
  std::array<char, kBufferBytes> out{};

  Deflater() = default;
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(&stream); }

  bool begin() {
    return deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindowBits, kMemoryLevel,
                        Z_DEFAULT_STRATEGY) == Z_OK;
  }
};

base::Result<TextOutput> TextOutput::create(const std::filesystem::path& path, bool gzip) {
  std::unique_ptr<Deflater> deflater;
  if (gzip) {
    deflater = std::make_unique<Deflater>();
    if (!deflater->begin()) return base::fail(base::ErrorKind::kIo, "zlib cannot start");
  }
  if (path == kStandardOutput) {
    base::UniqueFd fd(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!fd.valid()) return base::fail_errno(errno, "cannot write", "standard output");
    return TextOutput(path, std::nullopt, std::move(fd), std::move(deflater));
  }
  std::error_code ignored;
  const auto there = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    auto fd = open_stream(path);
    if (!fd) return base::pass(fd);
    return TextOutput(path, std::nullopt, std::move(*fd), std::move(deflater));
  }
  auto file = base::NewFile::create(path);
  if (!file) return base::pass(file);
  return TextOutput(path, std::move(*file), {}, std::move(deflater));
}

TextOutput::TextOutput(std::filesystem::path path, std::optional<base::NewFile> file,
                       base::UniqueFd fd, std::unique_ptr<Deflater> deflater)
    : path_(std::move(path)),
      file_(std::move(file)),
      fd_(std::move(fd)),
      deflater_(std::move(deflater)) {}

TextOutput::TextOutput(TextOutput&& other) noexcept = default;

TextOutput::~TextOutput() = default;

std::string TextOutput::shown() const {
  return path_ == kStandardOutput ? "standard output" : path_.string();
}

base::Result<void> TextOutput::append(std::string_view text) {
  buffer_.append(text);
  return buffer_.size() < kBufferBytes ? base::Result<void>() : flush();
}

base::Result<void> TextOutput::flush() {
  auto done = deflater_ ? deflate(Z_NO_FLUSH) : put(buffer_);
  buffer_.clear();
  return done;
}

base::Result<void> TextOutput::deflate(int mode) {
  z_stream& stream = deflater_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(buffer_.data());
  stream.avail_in = static_cast<uInt>(buffer_.size());
  for (;;) {
    auto& out = deflater_->out;
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int state = ::deflate(&stream, mode);
    if (auto done = put({out.data(), out.size() - stream.avail_out}); !done) return done;
    if (state == Z_STREAM_END || (mode == Z_NO_FLUSH && stream.avail_out > 0)) return {};
    if (state != Z_OK && state != Z_BUF_ERROR) {
      return base::fail(base::ErrorKind::kIo, "zlib cannot compress", shown());
    }
  }
}

base::Result<void> TextOutput::put(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(fd(), bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EINTR || (errno == EAGAIN && wait_writable(fd()))) continue;
    return base::fail_errno(errno, "cannot write", shown());
  }
  return {};
}

base::Result<void> TextOutput::finish() {
  auto done = deflater_ ? deflate(Z_FINISH) : put(buffer_);
  buffer_.clear();
  return done && file_ ? file_->keep() : done;
}

}  // namespace reveal::exchange
