#include "collect/cpu/interrupt_sums.h"

#include <algorithm>
#include <cstring>

namespace reveal::collect {
namespace {

constexpr std::uint64_t kCountMask = 0xffffffff;  // the kernel's counts are 32 bits wide

constexpr bool is_sum_of_kinds(const IrqKey& key) {
  return key.name.empty() && !key.irq_class;
}

}  // namespace

void InterruptSums::update(std::string_view text) {
  rows_read_ = 0;
  if (!update_changed(text)) read_all(text);
}

// Returns false, perhaps with sums that are half done, if the text must be read as a whole.
bool InterruptSums::update_changed(std::string_view text) {
  if (!all_there_ || text.size() != text_.size()) return false;
  for (const Line& line : lines_) {
    if (std::memcmp(text.data() + line.begin, text_.data() + line.begin, line.size) == 0) continue;
    if (!line.is_row || !replace(line, text.substr(line.begin, line.size))) return false;
  }
  return true;
}

bool InterruptSums::replace(const Line& line, std::string_view now) {
  if (now.find('\n') != now.size() - 1) return false;
  const std::string_view before(text_.data() + line.begin, line.size);
  procfs::CpuTableRow was;
  procfs::CpuTableRow is;
  reader_.read_row(before.substr(0, line.size - 1), old_counts_, was);
  if (!reader_.read_row(now.substr(0, line.size - 1), new_counts_, is)) return false;
  if (is.name != was.name || is.description != was.description) return false;
  if (is.counts.size() != was.counts.size() || (!is_whole(is) && !is_of_host(is))) return false;
  for (std::size_t column = 0; column < is.counts.size(); ++column) {
    if (!is.counts[column] || !was.counts[column]) return false;
    new_counts_[column] = *is.counts[column] - *was.counts[column];  // modulo 2^32 once added
  }
  add(line, is);
  std::memcpy(text_.data() + line.begin, now.data(), now.size());
  ++rows_read_;
  return true;
}

void InterruptSums::read_all(std::string_view text) {
  text_.assign(text);
  lines_.clear();
  reader_.start(text_);
  sums_.assign(rows_.size() * cpus().size(), std::nullopt);
  old_counts_.reserve(cpus().size());  // not on the first change, which may come much later
  all_there_ = !cpus().empty() && text_.ends_with('\n');
  for (std::size_t begin = 0; begin < text_.size(); begin += lines_.back().size) {
    read_line(text_, begin);
  }
  if (!all_there_) forget_sums();
}

// Text behind the last newline is a line of no meaning.
void InterruptSums::read_line(std::string_view text, std::size_t begin) {
  const auto newline = text.find('\n', begin);
  const bool complete = newline != std::string_view::npos;
  Line line;
  line.begin = begin;
  line.size = complete ? newline + 1 - begin : text.size() - begin;
  procfs::CpuTableRow row;
  const bool below_header = begin > 0 && !cpus().empty();
  if (complete && below_header &&
      reader_.read_row(text.substr(begin, line.size - 1), new_counts_, row)) {
    ++rows_read_;
    all_there_ = all_there_ && (is_whole(row) || is_of_host(row));
    place(line, row);
    add(line, row);
  }
  lines_.push_back(line);
}

void InterruptSums::place(Line& line, const procfs::CpuTableRow& row) const {
  const auto name = procfs::usual_name(row.name, row.description);
  const bool of_device = procfs::is_device_row(name);
  const auto irq_class = procfs::classify_irq(row.description);
  const auto is_of_line = [&](const MetricRow<IrqKey>& metric) {
    if (metric.key.irq_class) return of_device && *metric.key.irq_class == irq_class;
    return !of_device && metric.key.name == name && !is_sum_of_kinds(metric.key);
  };
  const auto found = std::find_if(rows_.begin(), rows_.end(), is_of_line);
  line.is_row = true;
  line.of_device = of_device;
  line.in_total = of_device || !is_of_host(row);
  if (found != rows_.end()) line.metric = static_cast<std::size_t>(found - rows_.begin());
}

bool InterruptSums::is_whole(const procfs::CpuTableRow& row) const {
  return row.counts.size() == cpus().size() &&
         std::all_of(row.counts.begin(), row.counts.end(),
                     [](const procfs::Value& count) { return count.has_value(); });
}

// Returns whether the row has one number for all cores, which is not a core's own. Only the name
// tells if there is but one core.
bool InterruptSums::is_of_host(const procfs::CpuTableRow& row) const {
  if (row.name == "ERR" || row.name == "MIS") return true;
  return !procfs::is_device_row(row.name) && row.counts.size() == 1 && cpus().size() > 1;
}

void InterruptSums::add(const Line& line, const procfs::CpuTableRow& row) {
  for (std::size_t column = 0; column < row.counts.size(); ++column) {
    if (!row.counts[column]) continue;
    if (line.in_total) add(kAllRows, column, *row.counts[column]);
    if (line.of_device) add(kDeviceRows, column, *row.counts[column]);
    if (line.metric) add(*line.metric, column, *row.counts[column]);
  }
}

void InterruptSums::add(std::size_t metric, std::size_t column, std::uint64_t count) {
  procfs::Value& sum = sums_[metric * cpus().size() + column];
  sum = (sum.value_or(0) + count) & kCountMask;
}

void InterruptSums::forget_sums() {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i].key.name.empty()) continue;
    const auto begin = sums_.begin() + static_cast<std::ptrdiff_t>(i * cpus().size());
    std::fill_n(begin, cpus().size(), std::nullopt);
  }
}

}  // namespace reveal::collect
