// A copy of a fixture host's sys that a test may damage, and one collector driven over it as the
// sampler does. Only tests include this.
#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "collect/collector.h"

namespace reveal::collect {

class SysfsCopy {
 public:
  // `host` is the name of a fixture; empty: a host without anything.
  SysfsCopy(std::string_view host, std::unique_ptr<Collector> collector)
      : dir_(std::filesystem::path(::testing::TempDir()) /
             ("sysfs_copy_" + std::to_string(::getpid()))),
        collector_(std::move(collector)) {
    std::filesystem::remove_all(dir_);
    std::filesystem::create_directories(dir_);
    const auto fixture = std::filesystem::path(REVEAL_SOURCE_DIR) / "tests/hosts" / host / "sys";
    if (host.empty()) return;
    namespace fs = std::filesystem;
    fs::copy(fixture, dir_, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  }
  ~SysfsCopy() { std::filesystem::remove_all(dir_); }
  SysfsCopy(const SysfsCopy&) = delete;
  SysfsCopy& operator=(const SysfsCopy&) = delete;

  void write(const std::string& file, std::string_view text) const {
    std::filesystem::create_directories((dir_ / file).parent_path());
    std::ofstream(dir_ / file, std::ios::binary | std::ios::trunc) << text;
  }
  void remove(const std::string& file) const { std::filesystem::remove_all(dir_ / file); }
  void move(const std::string& from, const std::string& to) const {
    std::filesystem::rename(dir_ / from, dir_ / to);
  }

  base::Result<void> open() { return collector_->open({"/nonexistent", dir_.string()}, channels_); }

  // Reads once. Returns the fresh values by channel, each times its scale.
  std::map<std::string, double> tick() {
    for (auto& validity : frame_.validity) validity = model::Validity::kMissing;
    frame_.notes.clear();
    FrameWriter writer(channels_, frame_);
    collector_->collect(writer);
    std::map<std::string, double> out;
    for (std::size_t i = 0; i < frame_.bits.size(); ++i) {
      const model::ChannelId id(i);
      if (frame_.validity[i] == model::Validity::kFresh) out[channels_.name(id)] = value(id);
    }
    return out;
  }

  // Returns the facts that the last tick stated, by their subject.
  std::map<std::string, std::string> facts() const {
    std::map<std::string, std::string> out;
    for (const auto& note : frame_.notes) out[note.subject] = note.text;
    return out;
  }

  Collector& collector() { return *collector_; }

 private:
  double value(model::ChannelId id) const {
    const auto& metric = channels_.metric(id);
    const std::uint64_t bits = frame_.bits[id.index()];
    if (metric.repr == model::Repr::kF64) return std::bit_cast<double>(bits) * metric.scale;
    return static_cast<double>(bits) * metric.scale;
  }

  std::filesystem::path dir_;
  std::unique_ptr<Collector> collector_;
  model::ChannelTable channels_;
  model::Frame frame_;
};

}  // namespace reveal::collect
