#include "exchange/spool.h"

#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

namespace reveal::exchange {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} * 1024;

}  // namespace

base::Result<Spool> Spool::create(const std::filesystem::path& directory, std::size_t texts) {
  std::string path = (directory / ".reveal-export-XXXXXX").string();
  base::UniqueFd fd(::mkostemp(path.data(), O_CLOEXEC));
  if (!fd.valid()) {
    return base::fail_errno(errno, "cannot create a temporary file", directory.string());
  }
  ::unlink(path.c_str());
  return Spool(std::move(fd), texts);
}

base::Result<void> Spool::append(std::size_t text, std::string_view piece) {
  Text& one = texts_[text];
  one.rest.append(piece);
  if (one.rest.size() < kBlockBytes) return {};
  for (std::size_t done = 0; done < one.rest.size();) {
    const auto written = ::pwrite(fd_.get(), one.rest.data() + done, one.rest.size() - done,
                                  static_cast<off_t>(size_ + done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return base::fail_errno(errno, "cannot write", "a temporary file");
    done += static_cast<std::size_t>(written);
  }
  one.blocks.push_back({size_, one.rest.size()});
  size_ += one.rest.size();
  one.rest.clear();
  return {};
}

base::Result<void> Spool::copy(std::size_t text, TextOutput& out) const {
  const Text& one = texts_[text];
  std::string piece;
  for (const Block& block : one.blocks) {
    piece.resize(block.bytes);
    for (std::size_t done = 0; done < piece.size();) {
      const auto got = ::pread(fd_.get(), piece.data() + done, piece.size() - done,
                               static_cast<off_t>(block.offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return base::fail_errno(errno, "cannot read", "a temporary file");
      done += static_cast<std::size_t>(got);
    }
    if (auto done = out.append(piece); !done) return done;
  }
  return out.append(one.rest);
}

}  // namespace reveal::exchange
