// /proc/interrupts: interrupts per core and kind of device.
//
// The text has a row an interrupt and a column a core, and the kernel takes longer over it than
// over any other file here. Where it is large the collector reads it on every tenth tick only, and
// repeats its values as stale in between. An unchanged text is not parsed again.
//
// Sums over rows are only as good as the rows: a row that is not there makes them smaller, and
// nobody sees it. So a text that ends in the middle of a line, or a row without one number a core,
// leaves all sums missing in that reading; rows that stand for themselves are not concerned.
#include <algorithm>
#include <string>

#include "collect/collectors.h"
#include "collect/instance_channels.h"
#include "collect/interrupts_metrics.h"
#include "procfs/cpu_table.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using model::Validity;

constexpr std::size_t kLargeText = std::size_t{32} * 1024;
constexpr std::uint64_t kSlowLane = 10;  // ticks
constexpr std::uint64_t kCountMask = 0xffffffff;

// Sums of one core, by row of interrupt_rows().
using Sums = std::vector<procfs::Value>;

void add(procfs::Value& sum, std::uint64_t count) {
  sum = (sum.value_or(0) + count) & kCountMask;
}

class InterruptsCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    file_ = procfs::TextFile(root.proc_path("interrupts"));
    if (auto text = file_.read(); !text) return base::Unexpected(text.error());
    ticks_ = 0;
    add_channels_of(*this, channels);
    forget();  // what was read now is in no frame: the first tick reads again
    return {};
  }

  void collect(FrameWriter& writer) override {
    const bool slow = text_.size() > kLargeText;
    if (slow && ticks_++ % kSlowLane != 0) return repeat(writer, Validity::kStale);
    if (!slow) ticks_ = 1;
    const auto text = file_.read();
    if (!text) return forget();
    if (*text == text_) return repeat(writer, Validity::kFresh);
    text_.assign(*text);
    forget_values();
    sum_rows();
    for (std::size_t column = 0; column < reader_.cpus().size(); ++column) set(writer, column);
  }

 private:
  void repeat(FrameWriter& writer, Validity validity) const {
    host_.repeat(writer, validity);
    for (const auto& core : cores_) core.repeat(writer, validity);
  }
  void forget_values() {
    host_.forget();
    for (auto& core : cores_) core.forget();
  }
  void forget() {
    text_.clear();
    ticks_ = 0;
    forget_values();
  }

  void sum_rows() {
    reader_.start(text_);
    sums_.resize(reader_.cpus().size());
    for (auto& sums : sums_) sums.assign(rows_.size(), std::nullopt);
    bool all_there = text_.ends_with('\n');
    for (procfs::CpuTableRow row; reader_.next(row);) {
      all_there = all_there && (is_whole(row) || is_of_host(row));
      if (procfs::is_device_row(row.name)) {
        sum_device_row(row);
      } else {
        sum_named_row(row);
      }
    }
    if (!all_there) forget_sums();
  }

  bool is_whole(const procfs::CpuTableRow& row) const {
    return row.counts.size() == reader_.cpus().size() &&
           std::all_of(row.counts.begin(), row.counts.end(),
                       [](const procfs::Value& count) { return count.has_value(); });
  }

  // Returns whether the row has one number for all cores, which is no core's own. Only the name
  // tells where there is but one core.
  bool is_of_host(const procfs::CpuTableRow& row) const {
    if (row.name == "ERR" || row.name == "MIS") return true;
    return !procfs::is_device_row(row.name) && row.counts.size() == 1 && reader_.cpus().size() > 1;
  }

  void forget_sums() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!rows_[i].key.name.empty()) continue;
      for (auto& sums : sums_) sums[i].reset();
    }
  }

  void sum_device_row(const procfs::CpuTableRow& row) {
    const auto irq_class = procfs::classify_irq(row.description);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].key.irq_class == irq_class || is_total(rows_[i])) add_counts(i, row);
    }
  }

  void sum_named_row(const procfs::CpuTableRow& row) {
    const bool of_host = is_of_host(row);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].key.name == row.name || (is_total(rows_[i]) && !of_host)) add_counts(i, row);
    }
  }

  static bool is_total(const MetricRow<IrqKey>& row) {
    return row.key.name.empty() && !row.key.irq_class;
  }

  void add_counts(std::size_t i, const procfs::CpuTableRow& row) {
    for (std::size_t column = 0; column < row.counts.size(); ++column) {
      if (row.counts[column]) add(sums_[column][i], *row.counts[column]);
    }
  }

  void set(FrameWriter& writer, std::size_t column) {
    const auto cpu = reader_.cpus()[column];
    if (cpu >= kMaxCores) return;
    auto& core = core_channels(cores_, cpu, metrics_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].metric.scope != model::Scope::kHost) {
        core.set(writer, i, sums_[column][i]);
      } else if (column == 0) {
        host_.set(writer, i, sums_[column][i]);
      }
    }
  }

  std::span<const MetricRow<IrqKey>> rows_ = interrupt_rows();
  std::vector<MetricDescriptor> metrics_ = interrupts_metrics();
  InstanceChannels host_{metrics_, ""};
  std::vector<InstanceChannels> cores_;
  procfs::TextFile file_;
  procfs::CpuTableReader reader_;
  std::string text_;        // that the values came from
  std::vector<Sums> sums_;  // by column
  std::uint64_t ticks_ = 0;
};

}  // namespace

std::vector<MetricDescriptor> interrupts_metrics() {
  return metrics_of(interrupt_rows());
}

std::unique_ptr<Collector> make_interrupts() {
  return std::make_unique<InterruptsCollector>();
}

}  // namespace reveal::collect
