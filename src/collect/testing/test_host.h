// One collector over a tree of kernel files that a test writes and changes, read tick by tick. Only
// tests include this.
#pragma once

#include <bit>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "collect/collector.h"

namespace reveal::collect {

class TestHost {
 public:
  explicit TestHost(const CollectorDescriptor& collector)
      : collector_(collector.make()),
        path_(std::filesystem::path(::testing::TempDir()) /
              ("test_host_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TestHost() { std::filesystem::remove_all(path_); }
  TestHost(const TestHost&) = delete;
  TestHost& operator=(const TestHost&) = delete;

  void write(const std::string& file, std::string_view text) const {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file, std::ios::binary | std::ios::trunc) << text;
  }
  void make_folder(const std::string& folder) const {
    std::filesystem::create_directories(path_ / folder);
  }
  void remove(const std::string& file) const { std::filesystem::remove_all(path_ / file); }

  base::Result<void> open() {
    return collector_->open({(path_ / "proc").string(), (path_ / "sys").string()}, channels_);
  }

  void tick() {
    frame_.validity.assign(frame_.validity.size(), model::Validity::kMissing);
    frame_.notes.clear();
    FrameWriter writer(channels_, frame_, "test");
    collector_->collect(writer);
  }

  // Returns the value of the latest tick in the metric's unit; nothing if it gave none.
  std::optional<double> value(std::string_view channel) const {
    const auto id = channels_.find_channel(channel);
    if (!id || !frame_.was_read(*id)) return std::nullopt;
    const auto& metric = channels_.metric(*id);
    const std::uint64_t bits = frame_.bits[id->index()];
    if (metric.repr == model::Repr::kF64) return std::bit_cast<double>(bits) * metric.scale;
    return static_cast<double>(bits) * metric.scale;
  }

  // Returns whether the latest tick said that the channel counts anew.
  bool is_reset(std::string_view channel) const {
    const auto id = channels_.find_channel(channel);
    return id && frame_.validity[id->index()] == model::Validity::kReset;
  }

  // Returns the names of all channels so far.
  std::vector<std::string> channel_names() const {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < channels_.channel_count(); ++i) {
      out.emplace_back(channels_.name(model::ChannelId(i)));
    }
    return out;
  }

  // Returns what the latest tick said: "subject: text".
  std::vector<std::string> facts() const {
    std::vector<std::string> out;
    for (const auto& note : frame_.notes) out.push_back(note.subject + ": " + note.text);
    return out;
  }

  // Returns how many channels there are so far.
  std::size_t channels() const { return channels_.channel_count(); }

 private:
  std::unique_ptr<Collector> collector_;
  std::filesystem::path path_;
  model::ChannelTable channels_;
  model::Frame frame_;
};

}  // namespace reveal::collect
