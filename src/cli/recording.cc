#include "cli/recording.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/progress.h"
#include "cli/recorded_selection.h"
#include "select/selection_file.h"
#include "store/recording_dir.h"
#include "text/quantity.h"
#include "text/time_text.h"

namespace reveal::cli {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// Returns the letters of `text` that suit the name of a folder.
std::string name_part(std::string_view text) {
  constexpr std::size_t kMost = 64;
  std::string out;
  for (const char c : text.substr(0, kMost)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out.push_back(plain || c == '.' || c == '_' ? c : '-');
  }
  return out.empty() ? "host" : out;
}

// Returns the value of the first of these environment variables that is set.
std::optional<std::string> first_of(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return std::nullopt;
}

// Returns what the summary adds where the recorder has removed what it was not to keep.
std::string removed_text(const store::Removed& removed) {
  if (removed.for_age + removed.for_size == 0) return "";
  const char* why = removed.for_size == 0  ? "--keep says"
                    : removed.for_age == 0 ? "--max-size says"
                                           : "--keep and --max-size say";
  return fmt::format("; the oldest {} were removed, as {}", text::span_text(removed.span_ns), why);
}

// Opens what reads this host; its run ends when `stop_fd` becomes readable.
base::Result<std::unique_ptr<collect::Sampler>> open_sampler(
    const RecordOptions& record, const HostOptions& host, const std::vector<std::string>& command,
    int stop_fd, const collect::LanePlan& lanes, std::function<collect::StorageVitals()> storage) {
  const auto interval = record.interval_ns();
  if (!interval) return base::pass(interval);
  const auto duration = record.duration_ns();
  if (!duration) return base::pass(duration);
  if (stop_fd < 0) return base::fail_errno(errno, "cannot create an eventfd");
  collect::SamplerOptions options{
      .root = host.root(),
      .interval = std::chrono::nanoseconds(*interval),
      .duration = std::nullopt,
      .command = command,
      .stop_fd = stop_fd,
  };
  options.lanes = lanes;
  options.storage = std::move(storage);
  if (*duration) options.duration = std::chrono::nanoseconds(**duration);
  return collect::Sampler::open(std::move(options));
}

}  // namespace

base::Result<Recording> Recording::prepare(const std::filesystem::path& directory,
                                           const RecordOptions& record, const HostOptions& host,
                                           const std::vector<std::string>& command,
                                           pipeline::Pipeline* pipeline) {
  auto supervisor = std::make_unique<Supervisor>();
  const auto lanes = host.lanes();
  if (!lanes) return base::pass(lanes);
  const auto storage = record.storage();
  if (!storage) return base::pass(storage);
  const auto stored = std::make_shared<collect::StorageVitals>();
  auto sampler = open_sampler(record, host, command, supervisor->end_fd(), *lanes,
                              [stored] { return *stored; });
  if (!sampler) return base::pass(sampler);
  if (pipeline != nullptr) {
    if (auto begun = pipeline->begin((*sampler)->facts()); !begun) {
      return base::pass(begun);
    }
  }
  std::optional<model::ChannelFilter> filter;
  if (!record.select.empty()) {
    auto plan = select::load(record.select);
    if (!plan) return base::pass(plan);
    filter.emplace(recorded_by(std::move(*plan)));
  }
  std::error_code ignored;
  const bool made = !std::filesystem::exists(directory, ignored);
  auto writer = store::SegmentWriter::create(directory, *storage);
  if (!writer) return base::pass(writer);
  if (auto begun = writer->begin((*sampler)->facts()); !begun) {
    return base::pass(begun);
  }
  Recording out(directory, command, std::move(*writer));
  out.quiet_ = record.quiet;
  out.made_ = made;
  out.supervisor_ = std::move(supervisor);
  out.sampler_ = std::move(*sampler);
  out.pipeline_ = pipeline;
  out.stored_ = stored;
  out.filter_ = std::move(filter);
  return out;
}

base::Result<void> Recording::check(const RecordOptions& record) {
  if (const auto interval = record.interval_ns(); !interval) return base::pass(interval);
  if (const auto duration = record.duration_ns(); !duration) return base::pass(duration);
  if (const auto storage = record.storage(); !storage) return base::pass(storage);
  return {};
}

int Recording::end_early(const base::Error& why) {
  const bool refused = supervisor_->command_refused();
  discard();
  return refused ? complain_of_command(why) : run_without(why, command_);
}

void Recording::discard() {
  sampler_.reset();
  supervisor_.reset();
  if (const auto segments = store::list_segments(directory_)) {
    for (const auto number : *segments) {
      ::unlink((directory_ / store::segment_name(number)).c_str());
    }
  }
  if (made_) ::rmdir(directory_.c_str());
}

void Recording::run() {
  const auto looped = loop();
  const auto finished = writer_.finish();
  if (!looped) {
    trouble_ = looped.error();
  } else if (!finished) {
    trouble_ = finished.error();
  }
}

base::Result<void> Recording::take(const model::Frame& frame) {
  if (auto written = store(frame); !written) return written;
  *stored_ = {writer_.bytes_written(), writer_.status().dropped_frames};
  if (pipeline_ == nullptr) return {};
  return pipeline_->write(sampler_->channels(), frame);
}

base::Result<void> Recording::store(const model::Frame& frame) {
  if (!filter_) return writer_.write(sampler_->channels(), frame);
  const model::Frame& kept = filter_->apply(sampler_->channels(), frame);
  return writer_.write(filter_->channels(), kept);
}

base::Result<void> Recording::loop() {
  Progress progress(quiet_, has_command() && ::isatty(STDOUT_FILENO) == 1);
  std::int64_t begin_ns = 0;
  for (;;) {
    const auto next = sampler_->next();
    if (!next) return base::pass(next);
    const auto* frame = *next;
    if (frame == nullptr) break;
    if (auto taken = take(*frame); !taken) return taken;
    if (frames_++ == 0) begin_ns = frame->mono_ns;
    elapsed_ns_ = frame->mono_ns - begin_ns;
    progress.update({.elapsed_ns = elapsed_ns_,
                     .channels = channels_stored(),
                     .frames = frames_,
                     .missed = sampler_->missed_ticks(),
                     .windows = pipeline_ == nullptr ? 0 : pipeline_->window_count(),
                     .bytes = writer_.bytes_on_disk(),
                     .storing = !writer_.status().paused});
  }
  progress.clear();
  return {};
}

std::string Recording::summary() const {
  return fmt::format("recorded {} of {} channels, {} frames, {} ticks missed, {} in {}{}",
                     text::span_text(elapsed_ns_), channels_stored(), frames_,
                     sampler_->missed_ticks(),
                     text::format_quantity(static_cast<double>(bytes_on_disk()), "bytes"),
                     directory_.string(), removed_text(writer_.removed()));
}

std::size_t Recording::channels_stored() const {
  return (filter_ ? filter_->channels() : sampler_->channels()).channel_count();
}

std::vector<std::string> Recording::losses() const {
  std::vector<std::string> out;
  const auto& status = writer_.status();
  if (status.dropped_frames > 0 && status.first_failure) {
    out.push_back(fmt::format("{} of {} frames could not be stored; first: {}",
                              status.dropped_frames, frames_, status.first_failure->message()));
  }
  if (trouble_) out.push_back("the recording was not closed in order: " + trouble_->message());
  return out;
}

std::filesystem::path default_directory() {
  const auto now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  std::string name = fmt::format("reveal-{}-{:04}{:02}{:02}-{:02}{:02}{:02}-{}",
                                 name_part(host.data()), utc.tm_year + 1900, utc.tm_mon + 1,
                                 utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, ::getpid());
  if (const auto job = first_of({"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"})) {
    name += "-job" + name_part(*job);
  }
  if (const auto rank = first_of({"SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                  "MV2_COMM_WORLD_RANK"})) {
    name += "-rank" + name_part(*rank);
  }
  return name;
}

report::Cost cost_since(std::chrono::steady_clock::time_point started) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  report::Cost cost;
  cost.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
  cost.wall_seconds = wall.count();
  cost.max_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return cost;
}

}  // namespace reveal::cli
