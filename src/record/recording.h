// One recording from start to end, shared by `reveal record`, `reveal run` and a service. It prints
// nothing: its caller reports its status.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "collect/poll_class.h"
#include "collect/sampler.h"
#include "model/channel_filter.h"
#include "model/frame.h"
#include "probes/options.h"
#include "procfs/host_root.h"
#include "record/continuation.h"
#include "record/gone_channels.h"
#include "record/live_channels.h"
#include "record/mark_queue.h"
#include "record/supervisor.h"
#include "select/selection_plan.h"
#include "store/segment_writer.h"

namespace reveal::record {

struct RecordingOptions {
  std::filesystem::path directory;          // new or empty, unless `resume`
  bool resume = false;                      // go on with the recording in it, if there is one
  std::vector<std::string> command;         // CMD; empty: none
  std::int64_t interval_ns = 100'000'000;   // between ticks
  std::optional<std::int64_t> duration_ns;  // nothing: until CMD ends, or a signal
  procfs::HostRoot root;                    // of the host that is recorded
  collect::PollPlan poll_plan;              // what is read how often
  probes::Options probes;                   // metrics of the user's own
  store::WriterOptions storage;
  std::optional<select::SelectionPlan> selection;  // what is stored; nothing: all
  MarkQueue* marks = nullptr;  // that are noted; null: there are none; outlives the recording
};

class Recording {
 public:
  // How it goes.
  struct State {
    std::int64_t elapsed_ns = 0;  // since the first frame
    std::size_t channels = 0;     // that are stored
    std::uint64_t frames = 0;
    std::uint64_t missed = 0;  // ticks
    std::uint64_t bytes = 0;   // on the disk
    bool storing = true;       // false while the disk is full
  };
  using Observer = std::function<void(const State&)>;

  // Does everything that can fail before CMD starts, up to the first bytes on disk. Frames will
  // also go to `sink`, unless that is null; it must outlive the recording. Fails also, with kUsage,
  // if a recording is to be resumed that this host's run cannot go on with (continuation.h).
  static base::Result<Recording> prepare(const RecordingOptions& options, model::FrameSink* sink);

  // Starts CMD, if there is one. Fails if it cannot be run, with kAbsent if it is not there.
  base::Result<void> start() { return supervisor_->start(command_); }
  // Returns whether start() failed because CMD cannot be executed.
  bool command_refused() const { return supervisor_->command_refused(); }
  // After start() has failed: takes back what prepare() made, its folder too unless that was there
  // before, and this process's surroundings; a resumed recording is closed in order. Nothing else
  // may be called after it.
  void take_back();

  // Records until CMD ends, or a signal or the duration ends the run, and tells `observer` of each
  // frame. Cannot fail, because CMD runs: what goes wrong is among the losses. REQUIRES: start()
  // succeeded.
  void run(const Observer& observer);

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
  Recording(const RecordingOptions& options, store::SegmentWriter writer)
      : directory_(options.directory), command_(options.command), writer_(std::move(writer)) {}

  base::Result<void> loop(const Observer& observer);
  // Takes the next frame; returns false at the end.
  base::Result<bool> take_next(const Observer& observer);
  base::Result<void> say_last_marks(const Observer& observer);
  base::Result<void> take(const model::Frame& frame);
  base::Result<void> store(const model::Frame& frame);
  base::Result<void> begin(const model::RunFacts& facts);
  void number_anew_if_due();
  void filter_by_selection();
  State state() const;
  std::size_t channels_stored() const;

  std::filesystem::path directory_;
  std::vector<std::string> command_;
  bool made_ = false;  // the directory
  std::unique_ptr<Supervisor> supervisor_;
  std::unique_ptr<collect::Sampler> sampler_;
  store::SegmentWriter writer_;
  LiveChannels live_;
  GoneChannels gone_;
  std::optional<select::SelectionPlan> selection_;
  std::optional<model::ChannelFilter> filter_;  // none: all channels are stored
  std::optional<Continuation> continuation_;    // none: the recording is new
  model::FrameSink* sink_ = nullptr;
  MarkQueue* marks_ = nullptr;
  std::shared_ptr<collect::StorageVitals> stored_;  // what the sampler is told
  std::optional<base::Error> trouble_;              // what ended the recording early
  std::uint64_t frames_ = 0;
  std::int64_t begin_ns_ = 0;
  std::int64_t elapsed_ns_ = 0;
};

}  // namespace reveal::record
