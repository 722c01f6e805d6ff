#include "cli/recording.h"

#include <chrono>
#include <ctime>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "attribute/quantity.h"
#include "cli/progress.h"
#include "report/time_text.h"

namespace reveal::cli {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// Wall time since the first call, which main makes.
std::chrono::steady_clock::time_point first_call() {
  static const auto start = std::chrono::steady_clock::now();
  return start;
}

}  // namespace

Recording::Recording(std::filesystem::path directory, std::vector<std::string> command,
                     store::SegmentWriter writer)
    : directory_(std::move(directory)),
      command_(std::move(command)),
      supervisor_(std::make_unique<Supervisor>()),
      writer_(std::move(writer)) {}

base::Result<Recording> Recording::prepare(const std::filesystem::path& directory,
                                           const RecordOptions& record, const HostOptions& host,
                                           const std::vector<std::string>& command) {
  first_call();
  const auto interval = record.interval_ns();
  if (!interval) return tl::make_unexpected(interval.error());
  const auto duration = record.duration_ns();
  if (!duration) return tl::make_unexpected(duration.error());
  if (!command.empty()) {
    if (auto found = check_executable(command.front()); !found) {
      return tl::make_unexpected(found.error());
    }
  }
  store::WriterOptions options;
  options.min_free_bytes = record.min_free_mib << 20;

  auto supervisor = std::make_unique<Supervisor>();
  collect::SamplerOptions sampling{
      .root = host.root(),
      .interval = std::chrono::nanoseconds(*interval),
      .duration = std::nullopt,
      .command = command,
      .stop_fd = supervisor->end_fd(),
  };
  if (*duration) sampling.duration = std::chrono::nanoseconds(**duration);
  auto sampler = collect::Sampler::open(std::move(sampling));
  if (!sampler) return tl::make_unexpected(sampler.error());
  auto writer = store::SegmentWriter::create(directory, options);
  if (!writer) return tl::make_unexpected(writer.error());

  Recording out(directory, command, std::move(*writer));
  out.quiet_ = record.quiet;
  out.supervisor_ = std::move(supervisor);
  out.sampler_ = std::move(*sampler);
  return out;
}

base::Result<void> Recording::run(pipeline::Pipeline* pipeline) {
  if (pipeline != nullptr) {
    if (auto begun = pipeline->begin(sampler_->facts()); !begun) return begun;
  }
  if (auto begun = writer_.begin(sampler_->facts()); !begun) return begun;
  if (auto started = supervisor_->start(command_); !started) return started;
  auto looped = loop(pipeline);
  const auto finished = writer_.finish();
  return looped ? finished : looped;
}

base::Result<void> Recording::loop(pipeline::Pipeline* pipeline) {
  Progress progress(quiet_, has_command() && ::isatty(STDOUT_FILENO) == 1);
  std::int64_t begin_ns = 0;
  for (;;) {
    const auto next = sampler_->next();
    if (!next) return tl::make_unexpected(next.error());
    const auto* frame = *next;
    if (frame == nullptr) break;
    if (auto stored = writer_.write(sampler_->channels(), *frame); !stored) return stored;
    if (pipeline != nullptr) {
      if (auto taken = pipeline->write(sampler_->channels(), *frame); !taken) return taken;
    }
    if (frames_++ == 0) begin_ns = frame->mono_ns;
    elapsed_ns_ = frame->mono_ns - begin_ns;
    progress.update({.elapsed_ns = elapsed_ns_,
                     .channels = frame->bits.size(),
                     .frames = frames_,
                     .missed = sampler_->missed_ticks(),
                     .windows = pipeline == nullptr ? 0 : pipeline->window_count(),
                     .bytes = writer_.bytes_written(),
                     .storing = !writer_.status().paused});
  }
  progress.clear();
  return {};
}

std::string Recording::summary() const {
  std::string out =
      fmt::format("recorded {} of {} channels, {} frames, {} ticks missed, {} in {}",
                  report::span_text(elapsed_ns_), sampler_->channels().channel_count(), frames_,
                  sampler_->missed_ticks(),
                  attribute::format_quantity(static_cast<double>(bytes_written()), "bytes"),
                  directory_.string());
  const auto& status = writer_.status();
  if (status.dropped_frames > 0 && status.first_failure) {
    out += fmt::format("\nreveal: {} frames could not be stored; first: {}", status.dropped_frames,
                       status.first_failure->message());
  }
  return out;
}

std::filesystem::path default_directory() {
  const auto now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("reveal-{:04}{:02}{:02}-{:02}{:02}{:02}", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

report::Cost cost_so_far() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  report::Cost cost;
  cost.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - first_call();
  cost.wall_seconds = wall.count();
  cost.max_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return cost;
}

}  // namespace reveal::cli
