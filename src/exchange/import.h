// Opens files of samples, Reveal's own or another program's, as frames.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "exchange/format.h"
#include "exchange/gathered_source.h"
#include "exchange/import_options.h"
#include "model/frame.h"

namespace reveal::exchange {

class Import {
 public:
  // Opens a file, or all files of a directory whose names say a format, as one host's samples on
  // one grid of ticks. `format` null: as the name says. Files that reveal export wrote come back
  // as they were, one at a time; the options do not matter to them.
  static base::Result<Import> open(const std::filesystem::path& path, const Format* format,
                                   const ImportOptions& options);

  model::FrameSource& frames() { return own_ ? *own_ : *gathered_; }
  // Returns what the user should know of how the files were read, once all frames are.
  std::vector<std::string> remarks() const;

 private:
  Import() = default;

  std::unique_ptr<model::FrameSource> own_;  // else:
  std::unique_ptr<GatheredSource> gathered_;
  std::vector<std::string> remarks_;
};

}  // namespace reveal::exchange
