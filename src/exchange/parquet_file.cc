#include "exchange/parquet_file.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

namespace reveal::exchange {
namespace {

// Enough for a group of rows; what is more waits on disk.
constexpr std::uint64_t kMemory_mib = 256;

}  // namespace

base::Result<duck::Session> open_file_session() {
  const auto library = duck::Library::load();
  if (!library) return base::pass(library);
  duck::SessionOptions options;
  options.memory_mib = kMemory_mib;
  options.files = true;
  return duck::Session::open(*library, options);
}

base::Result<ParquetFile> ParquetFile::open(const std::filesystem::path& path) {
  base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return base::fail_errno(errno, "cannot be read", path.string());
  auto session = open_file_session();
  if (!session) return base::pass(session);
  return ParquetFile{path.string(), std::move(fd), std::move(*session)};
}

std::string ParquetFile::sql_name() const {
  return fmt::format("'/proc/self/fd/{}'", fd.get());
}

}  // namespace reveal::exchange
