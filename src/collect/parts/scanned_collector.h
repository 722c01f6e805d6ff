// The collector of devices that are found by looking: it scans for them when it is opened and when
// what it watches has changed, and reads each at every reading. A device that comes back finds its
// channels again by its name, so a scan may start from nothing.
//
// Device: read(FrameWriter&), and error_of(row) as DeviceFiles has them. A device that has
// something to remember has adopt(Device& before) too, which is given each device of the scan
// before. One that says facts has forget_facts(), since a trial reading is thrown away.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collect/collector.h"
#include "procfs/directory.h"

namespace reveal::collect {

template <typename Device>
struct ScannedSource {
  using Metrics = std::span<const model::MetricDescriptor>;

  std::function<std::vector<Device>(const procfs::HostRoot&, Metrics)> scan;
  // Below the sys root: directories and small files that change when devices come or go.
  std::vector<std::string_view> watched;
  // Returns the paths of further ones that are found by looking, such as a directory in each of
  // the watched one's. May be empty.
  std::function<std::vector<std::string>(const procfs::HostRoot&)> watched_inside{};
  // A look at what is watched opens files: for a source that is read often, it costs more than the
  // reading, and a device may be noticed a few readings later.
  std::size_t readings_per_look = 1;
  std::string_view none;    // what to say where there is no device: "no memory controller"
  std::string_view remedy;  // and what to do about it
  std::string_view denied_remedy = "run as root";  // what to do where a file may not be read
};

template <typename Device>
class ScannedCollector final : public Collector {
 public:
  ScannedCollector(std::vector<model::MetricDescriptor> metrics, ScannedSource<Device> source)
      : metrics_(std::move(metrics)), source_(std::move(source)) {}

  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    root_ = root;
    set_watches();
    devices_ = source_.scan(root, metrics_);
    const std::size_t before = channels.channel_count();
    add_channels_of(*this, channels);
    if constexpr (requires(Device & device) { device.forget_facts(); }) {
      for (Device& device : devices_) device.forget_facts();
    }
    if (channels.channel_count() == before) return base::Unexpected(why_nothing());
    return {};
  }

  void collect(FrameWriter& writer) override {
    if (++readings_ >= source_.readings_per_look) look();
    for (Device& device : devices_) device.read(writer);
  }

  base::Error why_absent(const model::MetricDescriptor& metric) const override {
    for (std::size_t row = 0; row < metrics_.size(); ++row) {
      if (metrics_[row].name != metric.name) continue;
      if (auto error = error_of(row)) return *error;
    }
    return {base::ErrorKind::kAbsent, "no device here has " + std::string(metric.source), "", ""};
  }

 private:
  void look() {
    readings_ = 0;
    bool changed = false;
    for (auto& watch : watches_) changed = watch.changed() || changed;
    if (!changed) return;
    set_watches();
    scan_again();
  }

  void set_watches() {
    watches_.clear();
    for (const auto path : source_.watched) watches_.emplace_back(root_.sys_path(path));
    if (source_.watched_inside == nullptr) return;
    for (auto& path : source_.watched_inside(root_)) watches_.emplace_back(std::move(path));
  }

  void scan_again() {
    auto before = std::exchange(devices_, source_.scan(root_, metrics_));
    if constexpr (requires(Device & device) { device.adopt(device); }) {
      for (Device& device : devices_) {
        for (Device& old : before) device.adopt(old);
      }
    }
  }

  std::optional<base::Error> error_of(std::size_t row) const {
    for (const Device& device : devices_) {
      auto error = device.error_of(row);
      if (!error) continue;
      if (error->kind == base::ErrorKind::kPermission) error->remedy = source_.denied_remedy;
      return error;
    }
    return std::nullopt;
  }

  // Returns the first error of any file, or that there is no device at all.
  base::Error why_nothing() const {
    for (std::size_t row = 0; row < metrics_.size(); ++row) {
      if (auto error = error_of(row)) return *error;
    }
    return {base::ErrorKind::kAbsent, std::string(source_.none),
            root_.sys_path(source_.watched.front()), std::string(source_.remedy)};
  }

  std::vector<model::MetricDescriptor> metrics_;
  ScannedSource<Device> source_;
  procfs::HostRoot root_;
  std::vector<procfs::Watch> watches_;
  std::vector<Device> devices_;
  std::size_t readings_ = 0;  // since the last look
};

}  // namespace reveal::collect
