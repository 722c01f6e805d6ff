// A text that is being written: to a file, which appears whole or not at all, or to standard
// output or a device or pipe, which take it as it comes; compressed by gzip if asked for. For one
// thread.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/new_file.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace reveal::exchange {

// The path that means standard output.
inline constexpr std::string_view kStandardOutput = "-";

class TextOutput {
 public:
  // Begins a new file, which finish() puts in its place, or opens the device or pipe that is there
  // (to put a file in the place of /dev/null would be a disaster). Fails if neither can be, and if
  // nobody reads the pipe within 5 s.
  static base::Result<TextOutput> create(const std::filesystem::path& path, bool gzip);

  TextOutput(TextOutput&& other) noexcept;
  TextOutput& operator=(TextOutput&&) = delete;
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;
  ~TextOutput();  // what was not finished is taken back

  // Appends; errors name the path.
  base::Result<void> append(std::string_view text);
  // Writes the rest and puts the file in its place.
  base::Result<void> finish();
  // Returns whether a file appears, beside which others can stand.
  bool to_file() const { return file_.has_value(); }

 private:
  struct Deflater;
  TextOutput(std::filesystem::path path, std::optional<base::NewFile> file, base::UniqueFd fd,
             std::unique_ptr<Deflater> deflater);

  int fd() const { return file_ ? file_->fd() : fd_.get(); }
  std::string shown() const;
  base::Result<void> flush();
  base::Result<void> deflate(int mode);
  base::Result<void> put(std::string_view bytes);

  std::filesystem::path path_;
  std::optional<base::NewFile> file_;  // none: fd_
  base::UniqueFd fd_;
  std::unique_ptr<Deflater> deflater_;  // none: as it is
  std::string buffer_;
};

}  // namespace reveal::exchange
