#include "exchange/new_parquet_file.h"

#include <cctype>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "duck/session.h"
#include "exchange/text_output.h"
#include "text/utf8.h"

namespace reveal::exchange {
namespace {

using base::Result;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

Result<base::NewFile> new_parquet_file(const std::filesystem::path& path) {
  if (path == kStandardOutput) {
    return base::fail(base::ErrorKind::kUsage, "Parquet cannot be written to standard output", {},
                      "name a file: -o FILE.parquet");
  }
  // A file in the place of /dev/null would be a disaster, and Parquet cannot go through a pipe.
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    return base::fail(base::ErrorKind::kUsage, "exists and is not a file", path.string(),
                      "name a file: -o FILE.parquet");
  }
  return base::NewFile::create(path);
}

std::string named_columns(std::span<const std::string> names) {
  std::set<std::string> taken;
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string mended;
    const std::string plain(text::as_utf8(names[i], mended));
    std::string name = plain;
    for (int n = 2; !taken.insert(lower(name)).second; ++n) name = fmt::format("{} ({})", plain, n);
    out += fmt::format("{}c{} AS {}", i == 0 ? "" : ", ", i, duck::quoted_name(name));
  }
  return out;
}

}  // namespace reveal::exchange
