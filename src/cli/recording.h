// One recording from start to end: what `reveal record` and `reveal run` share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options.h"
#include "cli/supervisor.h"
#include "collect/sampler.h"
#include "model/frame.h"
#include "pipeline/pipeline.h"
#include "report/report.h"
#include "store/segment_writer.h"

namespace reveal::cli {

class Recording {
 public:
  // Checks everything that can be wrong before CMD starts: options, CMD's file, the directory.
  static base::Result<Recording> prepare(const std::filesystem::path& directory,
                                         const RecordOptions& record, const HostOptions& host,
                                         const std::vector<std::string>& command);

  // Starts CMD and records until it ends, a signal or the duration ends the run, or storing fails
  // for good. Frames also go to `pipeline`, unless that is null.
  base::Result<void> run(pipeline::Pipeline* pipeline);

  // Waits for CMD; returns its wait status, 0 without CMD.
  int wait() { return supervisor_->wait(); }
  bool has_command() const { return !command_.empty(); }

  const std::filesystem::path& directory() const { return directory_; }
  // Returns one line on what was recorded, and one more if anything was not.
  std::string summary() const;
  std::uint64_t bytes_written() const { return writer_.bytes_written(); }

 private:
  Recording(std::filesystem::path directory, std::vector<std::string> command,
            store::SegmentWriter writer);

  base::Result<void> loop(pipeline::Pipeline* pipeline);

  std::filesystem::path directory_;
  std::vector<std::string> command_;
  bool quiet_ = false;
  std::unique_ptr<Supervisor> supervisor_;
  std::unique_ptr<collect::Sampler> sampler_;
  store::SegmentWriter writer_;
  std::uint64_t frames_ = 0;
  std::int64_t elapsed_ns_ = 0;
};

// Returns "reveal-20261120-140307" with the current UTC time: where `reveal run` records unless
// told.
std::filesystem::path default_directory();

// Returns what this process has cost so far; bytes_written stays 0.
report::Cost cost_so_far();

}  // namespace reveal::cli
