// What the kernel knows of its realtime clock's error, by adjtimex(), which needs no privileges to
// ask. Frames of several hosts can be laid beside one another only as far as their clocks agree.
#include <cerrno>

#include <sys/timex.h>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using model::Repr;

constexpr MetricDescriptor row(std::string_view source, std::string_view alias,
                               std::string_view name, std::string_view label, std::string_view help,
                               std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "seconds";
  out.repr = Repr::kF64;
  out.subsystem = model::Subsystem::kCpu;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://man7.org/linux/man-pages/man2/adjtimex.2.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor flag(MetricDescriptor out) {
  out.unit = "flag";
  out.repr = Repr::kU64;
  return out;
}

constexpr MetricDescriptor kMetrics[] = {
    row("adjtimex offset", "offset", "cpu_clock_offset_seconds", "Clock offset",
        "How far the clock is from the time server, as the kernel was last told and has yet to "
        "amend.",
        150),
    row("adjtimex maxerror", "maxerror", "cpu_clock_max_error_seconds", "Largest clock error",
        "Bound of the clock's error; grows while no time server is heard.", 150),
    row("adjtimex esterror", "esterror", "cpu_clock_estimated_error_seconds",
        "Estimated clock error", "Error of the clock as the time service estimates it.", 150),
    flag(row("adjtimex STA_UNSYNC", "unsynced", "cpu_clock_unsynchronized_flag",
             "Clock not synchronized", "1 if no time service keeps the clock.", 100)),
};
enum Row : std::uint8_t { kOffset, kMaxError, kEstimatedError, kUnsynchronized };

class ClockCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (!root.is_live()) {
      return base::fail(base::ErrorKind::kAbsent,
                        "adjtimex() would ask this machine, whose proc this is not", root.proc);
    }
    struct timex clock {};
    if (::adjtimex(&clock) < 0) return base::fail_errno(errno, "", "adjtimex()");
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    struct timex clock {};
    if (::adjtimex(&clock) < 0) return;
    constexpr double kMicro = 1e-6;
    const double offset_unit = (clock.status & STA_NANO) != 0 ? 1e-9 : kMicro;
    channels_.set(writer, kOffset, std::optional(static_cast<double>(clock.offset) * offset_unit));
    channels_.set(writer, kMaxError, std::optional(static_cast<double>(clock.maxerror) * kMicro));
    channels_.set(writer, kEstimatedError,
                  std::optional(static_cast<double>(clock.esterror) * kMicro));
    channels_.set(writer, kUnsynchronized,
                  procfs::Value((clock.status & STA_UNSYNC) != 0 ? 1U : 0U));
  }

 private:
  InstanceChannels channels_{kMetrics, ""};
};

std::vector<MetricDescriptor> clock_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_clock() {
  return std::make_unique<ClockCollector>();
}

}  // namespace

extern const CollectorDescriptor kClockCollector = {
    .name = "clock",
    .help = "the error of the realtime clock",
    .make = make_clock,
    .metrics = clock_metrics,
    .poll_class = PollClass::kSlow,
};

}  // namespace reveal::collect
