// /proc/interrupts: interrupts per core and kind of device.
//
// The text has a row an interrupt and a column a core, and the kernel takes longer over it than
// over any other file here: a tenth of a millisecond with two cores, milliseconds on a large host,
// where its budget lets it be read once a second only. The host's total, tick by tick, is in
// /proc/stat.
#include "collect/collector.h"
#include "collect/cpu/interrupt_sums.h"
#include "collect/parts/instance_channels.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

std::vector<model::MetricDescriptor> interrupts_metrics();

using model::MetricDescriptor;

class InterruptsCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    file_ = procfs::TextFile(root.proc_path("interrupts"));
    if (auto text = file_.read(); !text) return base::pass(text);
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    const auto text = file_.read();
    if (!text) return;
    sums_.update(*text);
    for (std::size_t column = 0; column < sums_.cpus().size(); ++column) set(writer, column);
  }

 private:
  void set(FrameWriter& writer, std::size_t column) {
    const auto cpu = sums_.cpus()[column];
    if (cpu >= kMaxCores) return;
    auto& core = core_channels(cores_, cpu, metrics_);
    for (std::size_t row = 0; row < metrics_.size(); ++row) {
      if (metrics_[row].scope != model::Scope::kHost) {
        core.set(writer, row, sums_.value(row, column));
      } else if (column == 0) {
        host_.set(writer, row, sums_.value(row, column));
      }
    }
  }

  std::vector<MetricDescriptor> metrics_ = interrupts_metrics();
  InstanceChannels host_{metrics_, ""};
  std::vector<InstanceChannels> cores_;
  procfs::TextFile file_;
  InterruptSums sums_;
};

std::vector<MetricDescriptor> interrupts_metrics() {
  return metrics_of(interrupt_rows());
}

std::unique_ptr<Collector> make_interrupts() {
  return std::make_unique<InterruptsCollector>();
}

}  // namespace

extern const CollectorDescriptor kInterruptsCollector = {
    .name = "interrupts",
    .help = "interrupts per core and kind of device",
    .make = make_interrupts,
    .metrics = interrupts_metrics,
    .poll_class = PollClass::kQuick,
};

}  // namespace reveal::collect
