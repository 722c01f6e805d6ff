// What the recorder says of itself: punctuality, cost, memory, what it wrote, what failed. The
// sampler shows its state to these collectors before each tick; they only write it down.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/recorder_metrics.h"
#include "procfs/text_cursor.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using model::Repr;

constexpr auto kU64 = Repr::kU64;

constexpr MetricDescriptor kTickMetrics[] = {
    recorder_metric(Kind::kGauge, kU64, "seconds", 1e-9, "cpu_recorder_lateness_seconds",
                    "Recorder lateness", "recorder tick lateness", "lateness",
                    "How late the tick began, after the time at which it was due."),
    recorder_metric(Kind::kGauge, kU64, "seconds", 1e-9, "cpu_recorder_tick_seconds",
                    "CPU time of a tick", "recorder tick CPU time", "tick cost",
                    "CPU time that the ticking thread took for the tick before."),
    recorder_metric(Kind::kEvent, kU64, "ticks", 1.0, "cpu_recorder_missed_ticks_total",
                    "Missed ticks", "recorder missed ticks", "missed",
                    "Ticks without a frame, because the recorder came too late."),
};

class TickCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot&, model::ChannelTable& channels) override {
    add_channels_of(*this, channels);
    return {};
  }
  void watch(const Vitals& vitals) override { vitals_ = &vitals; }
  void collect(FrameWriter& writer) override {
    const auto ns = [](std::chrono::nanoseconds time) {
      return static_cast<std::uint64_t>(time.count());
    };
    host_.set(writer, 0, procfs::Value(vitals_ == nullptr ? 0 : ns(vitals_->lateness)));
    host_.set(writer, 1, procfs::Value(vitals_ == nullptr ? 0 : ns(vitals_->tick_cost)));
    host_.set(writer, 2, procfs::Value(vitals_ == nullptr ? 0 : vitals_->missed_ticks));
  }

 private:
  const Vitals* vitals_ = nullptr;
  InstanceChannels host_{kTickMetrics, ""};
};

constexpr MetricDescriptor kProcessMetrics[] = {
    recorder_metric(Kind::kCounter, kU64, "seconds", 1e-6, "cpu_recorder_user_seconds_total",
                    "Recorder's user time", "getrusage ru_utime", "ru_utime",
                    "CPU time of the recorder's process in user mode, analysis included."),
    recorder_metric(Kind::kCounter, kU64, "seconds", 1e-6, "cpu_recorder_system_seconds_total",
                    "Recorder's system time", "getrusage ru_stime", "ru_stime",
                    "CPU time of the recorder's process in the kernel, most of it for the text "
                    "that collectors read."),
    recorder_metric(Kind::kGauge, kU64, "bytes", 1024.0, "cpu_recorder_resident_peak_bytes",
                    "Recorder's peak memory", "getrusage ru_maxrss", "ru_maxrss",
                    "Largest resident memory of the recorder's process so far."),
    recorder_metric(Kind::kCounter, kU64, "bytes", 1.0, "cpu_recorder_written_bytes_total",
                    "Bytes recorded", "recorder bytes written", "bytes",
                    "Bytes written to the recording."),
    recorder_metric(Kind::kEvent, kU64, "frames", 1.0, "cpu_recorder_dropped_frames_total",
                    "Frames not stored", "recorder frames dropped", "drops",
                    "Frames that could not be stored, for example because the disk was full."),
    recorder_metric(Kind::kGauge, kU64, "bytes", 1.0, "cpu_recorder_resident_bytes",
                    "Recorder's memory", "recorder statm resident", "rss",
                    "Resident memory of the recorder's process, programs and libraries included."),
};

enum ProcessRow : std::size_t { kUserTime, kSystemTime, kPeak, kWritten, kDropped, kResident };

class ProcessCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot&, model::ChannelTable& channels) override {
    add_channels_of(*this, channels);
    return {};
  }
  void watch(const Vitals& vitals) override { vitals_ = &vitals; }
  void collect(FrameWriter& writer) override {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    host_.set(writer, kUserTime, microseconds(usage.ru_utime));
    host_.set(writer, kSystemTime, microseconds(usage.ru_stime));
    host_.set(writer, kPeak, procfs::Value(static_cast<std::uint64_t>(usage.ru_maxrss)));
    host_.set(writer, kResident, resident());
    if (vitals_ == nullptr || !vitals_->storage) return;
    const StorageVitals stored = vitals_->storage();
    host_.set(writer, kWritten, procfs::Value(stored.bytes_written));
    host_.set(writer, kDropped, procfs::Value(stored.frames_dropped));
  }
  base::Error why_absent(const MetricDescriptor&) const override {
    return {base::ErrorKind::kAbsent, "nothing is recorded now", "", ""};
  }

 private:
  static procfs::Value microseconds(const timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 +
           static_cast<std::uint64_t>(time.tv_usec);
  }
  // The second number of statm counts pages.
  procfs::Value resident() {
    const auto text = statm_.read();
    procfs::WordCursor words(text.value_or(""));
    procfs::Value pages;
    if (!words.next(pages) || !words.next(pages)) return std::nullopt;
    return pages ? procfs::Value(*pages * page_size_) : std::nullopt;
  }

  const Vitals* vitals_ = nullptr;
  InstanceChannels host_{kProcessMetrics, ""};
  procfs::TextFile statm_{"/proc/self/statm"};  // of this process, whatever host is read
  std::uint64_t page_size_ = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
};

constexpr MetricDescriptor kSourceMetrics[] = {
    recorder_metric(Kind::kCounter, kU64, "seconds", 1e-9, "cpu_recorder_collector_seconds_total",
                    "Time of a collector", "recorder reading time", "collector cost",
                    "Time that all readings of the collector took: elapsed time, or CPU time where "
                    "the collector is read in the background."),
    recorder_metric(Kind::kEvent, kU64, "readings", 1.0, "cpu_recorder_failed_readings_total",
                    "Failed readings", "recorder failed readings", "read errors",
                    "Readings that found nothing where the collector had found values before."),
};

class SourcesCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot&, model::ChannelTable&) override { return {}; }
  void watch(const Vitals& vitals) override { vitals_ = &vitals; }
  void collect(FrameWriter& writer) override {
    if (vitals_ == nullptr) return;
    for (const SourceVitals& source : vitals_->sources()) {
      auto& channels = channels_of(source.name);
      channels.set(writer, 0, procfs::Value(static_cast<std::uint64_t>(source.cost.count())));
      channels.set(writer, 1, procfs::Value(source.failures));
    }
  }
  base::Error why_absent(const MetricDescriptor&) const override {
    return {base::ErrorKind::kAbsent, "nothing is sampled now", "", ""};
  }

 private:
  InstanceChannels& channels_of(std::string_view collector) {
    for (auto& [name, channels] : sources_) {
      if (name == collector) return channels;
    }
    sources_.emplace_back(collector,
                          InstanceChannels(kSourceMetrics, fmt::format("collector={}", collector)));
    return sources_.back().second;
  }

  const Vitals* vitals_ = nullptr;
  std::vector<std::pair<std::string, InstanceChannels>> sources_;
};

template <std::size_t N>
std::vector<MetricDescriptor> listed(const MetricDescriptor (&metrics)[N]) {
  return {std::begin(metrics), std::end(metrics)};
}

std::unique_ptr<Collector> make_recorder_tick() {
  return std::make_unique<TickCollector>();
}
std::vector<MetricDescriptor> recorder_tick_metrics() {
  return listed(kTickMetrics);
}

std::unique_ptr<Collector> make_recorder_process() {
  return std::make_unique<ProcessCollector>();
}
std::vector<MetricDescriptor> recorder_process_metrics() {
  return listed(kProcessMetrics);
}

std::unique_ptr<Collector> make_recorder_sources() {
  return std::make_unique<SourcesCollector>();
}
std::vector<MetricDescriptor> recorder_sources_metrics() {
  return listed(kSourceMetrics);
}

}  // namespace

extern const CollectorDescriptor kRecorderTickCollector = {
    .name = "recorder_tick",
    .help = "how punctual and how costly the ticks are",
    .make = make_recorder_tick,
    .metrics = recorder_tick_metrics,
};

extern const CollectorDescriptor kRecorderProcessCollector = {
    .name = "recorder_process",
    .help = "what the recorder takes and writes",
    .make = make_recorder_process,
    .metrics = recorder_process_metrics,
    .poll_class = PollClass::kMedium,
};

extern const CollectorDescriptor kRecorderSourcesCollector = {
    .name = "recorder_sources",
    .help = "what each collector takes",
    .make = make_recorder_sources,
    .metrics = recorder_sources_metrics,
    .poll_class = PollClass::kSlow,
};

}  // namespace reveal::collect
