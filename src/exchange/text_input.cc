#include "exchange/text_input.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/unique_fd.h"

namespace reveal::exchange {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{256} * 1024;

// Files, pipes, sockets and terminals end; a device like /dev/zero never does. A pipe that nobody
// ever writes into would be waited for without end.
base::Result<void> make_readable(int fd, const std::string& where) {
  constexpr int kPatience_ms = 10'000;
  struct stat state {};
  if (::fstat(fd, &state) != 0) return base::fail_errno(errno, "cannot read", where);
  if (S_ISDIR(state.st_mode)) {
    return base::fail(base::ErrorKind::kUsage, "is a directory, not a file", where);
  }
  if (S_ISBLK(state.st_mode) || (S_ISCHR(state.st_mode) && ::isatty(fd) == 0)) {
    return base::fail(base::ErrorKind::kUsage, "is a device, not a file", where);
  }
  pollfd waited{.fd = fd, .events = POLLIN, .revents = 0};
  if (S_ISFIFO(state.st_mode) && ::poll(&waited, 1, kPatience_ms) == 0) {
    return base::fail(base::ErrorKind::kUsage, "no program writes into this pipe", where);
  }
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) != 0) {
    return base::fail_errno(errno, "cannot read", where);
  }
  return {};
}

}  // namespace

// zlib's reader of files takes what is not compressed as it is.
struct TextInput::File {
  gzFile handle = nullptr;

  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (handle != nullptr) gzclose_r(handle);
  }
};

TextInput::TextInput(std::string where) : where_(std::move(where)) {}
TextInput::TextInput(TextInput&&) noexcept = default;
TextInput& TextInput::operator=(TextInput&&) noexcept = default;
TextInput::~TextInput() = default;

base::Result<TextInput> TextInput::open(const std::filesystem::path& path) {
  TextInput out(path.string());
  base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.valid()) return base::fail_errno(errno, "cannot open", out.where_);
  if (auto able = make_readable(fd.get(), out.where_); !able) return base::pass(able);
  out.file_ = std::make_unique<File>();
  out.file_->handle = gzdopen(fd.get(), "rb");
  if (out.file_->handle == nullptr) {
    return base::fail(base::ErrorKind::kIo, "zlib cannot open it", out.where_);
  }
  static_cast<void>(fd.release());
  gzbuffer(out.file_->handle, kPieceBytes);
  out.buffer_.resize(kPieceBytes);
  return out;
}

TextInput TextInput::from_memory(std::string text, std::string where) {
  TextInput out(std::move(where));
  out.buffer_ = std::move(text);
  return out;
}

base::Result<std::string_view> TextInput::read() {
  if (!file_) return std::exchange(given_, true) ? std::string_view() : std::string_view(buffer_);
  const int got = gzread(file_->handle, buffer_.data(), static_cast<unsigned>(buffer_.size()));
  int state = Z_OK;
  const char* what = gzerror(file_->handle, &state);
  if (got < 0 || state == Z_BUF_ERROR) {
    if (state == Z_ERRNO) return base::fail_errno(errno, "cannot read", where_);
    return base::fail(base::ErrorKind::kCorrupt,
                      state == Z_BUF_ERROR ? std::string("the compressed file is cut off")
                                           : fmt::format("cannot be decompressed: {}", what),
                      where_, "copy or export it again");
  }
  return std::string_view(buffer_).substr(0, static_cast<std::size_t>(got));
}

base::Result<std::string> read_text(const std::filesystem::path& path, std::size_t most_bytes) {
  std::error_code ignored;
  const auto there = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    return base::fail(base::ErrorKind::kUsage, "is not a regular file", path.string());
  }
  auto input = TextInput::open(path);
  if (!input) return base::pass(input);
  std::string out;
  for (;;) {
    const auto piece = input->read();
    if (!piece) return base::pass(piece);
    if (piece->empty()) return out;
    if (out.size() + piece->size() > most_bytes) {
      return base::fail(base::ErrorKind::kUsage,
                        fmt::format("is longer than the limit of {} bytes", most_bytes),
                        input->where());
    }
    out.append(*piece);
  }
}

}  // namespace reveal::exchange
