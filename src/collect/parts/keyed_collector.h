// The collector of a file whose values are found by a key, one channel a key, all of the whole
// host. The key of a metric is what its `source` says behind the path: "/proc/meminfo Dirty" is the
// value of Dirty. So a new metric of such a file is one row in its table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "procfs/text_file.h"

namespace reveal::collect {

// Returns what stands behind the first blank of a source.
constexpr std::string_view key_of_source(std::string_view source) {
  return source.substr(source.find(' ') + 1);
}

inline std::vector<std::string_view> keys_of(std::span<const model::MetricDescriptor> metrics) {
  std::vector<std::string_view> keys;
  for (const auto& metric : metrics) keys.push_back(key_of_source(metric.source));
  return keys;
}

// Whether the counters of a file all begin anew at once, as those of a module do that is loaded
// again: then a fall of two of them is no wrap, and none goes on from the value before.
enum class Restart : std::uint8_t { kEachForItself, kTogether };

// Layout: made from keys; read(text, values) sets the values by key. kLongestRecord: see TextFile.
template <typename Layout, std::size_t kLongestRecord = procfs::kAnyRecord>
class KeyedCollector final : public Collector {
 public:
  // `file` is below the proc root; `remedy` is what to do if it is absent or
  // there, but cannot be read, as pressure/cpu is if the kernel counts no pressure.
  KeyedCollector(std::string_view file, std::vector<model::MetricDescriptor> metrics,
                 std::string_view remedy = {}, Restart restart = Restart::kEachForItself)
      : path_(file),
        remedy_(remedy),
        restart_(restart),
        metrics_(std::move(metrics)),
        layout_(keys_of(metrics_)),
        values_(metrics_.size()) {}

  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    file_ = procfs::TextFile(root.proc_path(path_), kLongestRecord);
    if (auto text = file_.read(); !text) {
      auto error = std::move(text.error());
      const bool denied = error.kind == base::ErrorKind::kPermission;
      if (!denied && error.remedy.empty()) error.remedy = remedy_;
      return base::Unexpected(std::move(error));
    }
    channels_.emplace(metrics_, "");
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    const auto text = file_.read();
    if (!text) return;
    if (restart_ == Restart::kTogether) before_ = values_;
    layout_.read(*text, values_);
    channels_->forget();
    for (std::size_t row = 0; row < values_.size(); ++row)
      channels_->set(writer, row, values_[row]);
    if (restart_ == Restart::kTogether && began_anew()) channels_->mark_reset(writer);
  }

 private:
  bool began_anew() const {
    std::size_t fell = 0;
    for (std::size_t row = 0; row < values_.size(); ++row) {
      const bool counts =
          metrics_[row].kind == model::Kind::kCounter || metrics_[row].kind == model::Kind::kEvent;
      if (counts && values_[row] && before_[row] && *values_[row] < *before_[row]) ++fell;
    }
    return fell >= 2;
  }

  std::string path_;
  std::string remedy_;
  Restart restart_;
  std::vector<model::MetricDescriptor> metrics_;
  Layout layout_;
  std::vector<procfs::Value> values_;
  std::vector<procfs::Value> before_;  // of Restart::kTogether only
  procfs::TextFile file_;
  std::optional<InstanceChannels> channels_;
};

}  // namespace reveal::collect
