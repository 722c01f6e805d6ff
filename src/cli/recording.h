// One recording from start to end: what `reveal record` and `reveal run` share.
#pragma once

#include <chrono>
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
#include "model/channel_filter.h"
#include "model/frame.h"
#include "pipeline/pipeline.h"
#include "report/report.h"
#include "store/segment_writer.h"

namespace reveal::cli {

class Recording {
 public:
  // Fails if an option has no value that makes sense.
  static base::Result<void> check(const RecordOptions& record);

  // Does everything that can fail before CMD starts, from the options to the first bytes on disk.
  // Frames will also go to `pipeline`, unless that is null; it must outlive the recording.
  static base::Result<Recording> prepare(const std::filesystem::path& directory,
                                         const RecordOptions& record, const HostOptions& host,
                                         const std::vector<std::string>& command,
                                         pipeline::Pipeline* pipeline);

  // Starts CMD, if there is one. Fails where it cannot be run, with kAbsent where it is not there.
  base::Result<void> start() { return supervisor_->start(command_); }
  // After start() has failed: takes back what prepare() made, its folder too unless that was there
  // before. Then says why; if it was not for CMD, CMD runs without Reveal. Returns the exit status.
  int end_early(const base::Error& why);

  // Records until CMD ends, or a signal or the duration ends the run. Cannot fail, because CMD
  // runs: what goes wrong is among the losses. REQUIRES: start() succeeded.
  void run();

  // Waits for CMD; returns its wait status, 0 without CMD.
  int wait() { return supervisor_->wait(); }
  bool has_command() const { return !command_.empty(); }

  const std::filesystem::path& directory() const { return directory_; }
  // Returns one line on what was recorded.
  std::string summary() const;
  // Returns a line on each way in which the recording is not whole; empty if it is.
  std::vector<std::string> losses() const;
  // Returns the size of the recording.
  std::uint64_t bytes_on_disk() const { return writer_.bytes_on_disk(); }

 private:
  Recording(std::filesystem::path directory, std::vector<std::string> command,
            store::SegmentWriter writer)
      : directory_(std::move(directory)),
        command_(std::move(command)),
        writer_(std::move(writer)) {}

  void discard();
  base::Result<void> loop();
  base::Result<void> take(const model::Frame& frame);
  base::Result<void> store(const model::Frame& frame);
  std::size_t channels_stored() const;

  std::filesystem::path directory_;
  std::vector<std::string> command_;
  bool quiet_ = false;
  bool made_ = false;  // the directory
  std::unique_ptr<Supervisor> supervisor_;
  std::unique_ptr<collect::Sampler> sampler_;
  store::SegmentWriter writer_;
  std::optional<model::ChannelFilter> filter_;  // none: all channels are stored
  pipeline::Pipeline* pipeline_ = nullptr;
  std::shared_ptr<collect::StorageVitals> stored_;  // what the sampler is told
  std::optional<base::Error> trouble_;              // what ended the recording early
  std::uint64_t frames_ = 0;
  std::int64_t elapsed_ns_ = 0;
};

// Returns "reveal-HOST-20261120-140307-4711", with the current UTC time and this process's number,
// and of a task of a batch job "-jobJOB-rankRANK" besides: where `reveal run` records unless told.
// No two tasks of a job share it.
std::filesystem::path default_directory();

// Returns what this process has cost, with the wall time since `started`; bytes_written stays 0.
report::Cost cost_since(std::chrono::steady_clock::time_point started);

}  // namespace reveal::cli
