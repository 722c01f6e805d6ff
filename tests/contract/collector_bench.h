// What the contract tests of collectors share: the fixture hosts, a collector alone on one of them,
// and a copy of a host that may be damaged. Only tests include this.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "collect/registry.h"

namespace reveal::collect {

inline std::filesystem::path fixtures() {
  return std::filesystem::path(REVEAL_SOURCE_DIR) / "tests/fixtures";
}

inline std::vector<std::filesystem::path> hosts() {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(fixtures())) {
    if (entry.is_directory()) out.push_back(entry.path());
  }
  return out;
}

inline procfs::HostRoot root_of(const std::filesystem::path& host) {
  return {(host / "proc").string(), (host / "sys").string()};
}

using Values = std::map<std::string, std::uint64_t>;  // of fresh channels, by their name

// One collector alone on a host, driven as the sampler does.
class Bench {
 public:
  Bench(const CollectorDescriptor& descriptor, procfs::HostRoot root)
      : collector_(descriptor.make()), root_(std::move(root)) {}

  base::Result<void> open() { return collector_->open(root_, channels_); }
  Values tick() {
    for (auto& validity : frame_.validity) validity = model::Validity::kMissing;
    FrameWriter writer(channels_, frame_);
    collector_->collect(writer);
    Values out;
    for (std::size_t i = 0; i < frame_.bits.size(); ++i) {
      const model::ChannelId id(i);
      if (frame_.validity[i] == model::Validity::kFresh) out[channels_.name(id)] = frame_.bits[i];
    }
    return out;
  }
  const model::ChannelTable& channels() const { return channels_; }

 private:
  std::unique_ptr<Collector> collector_;
  procfs::HostRoot root_;
  model::ChannelTable channels_;
  model::Frame frame_;
};

inline Values values_of(const CollectorDescriptor& descriptor, const std::filesystem::path& host) {
  Bench bench(descriptor, root_of(host));
  if (!bench.open()) return {};
  return bench.tick();
}

inline Values values_of(const std::filesystem::path& host) {
  Values out;
  for (const auto& descriptor : registry()) out.merge(values_of(descriptor, host));
  return out;
}

// Returns the file that a source names, below a host's folder; empty for one that names none.
inline std::filesystem::path file_of(std::string_view source) {
  if (!source.starts_with("/proc/")) return {};
  return source.substr(1, source.find(' ') - 1);
}

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

// A copy of a fixture host that may be damaged.
class Copy {
 public:
  explicit Copy(const std::filesystem::path& host)
      : path_(std::filesystem::path(::testing::TempDir()) /
              ("contract_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    if (!host.empty()) {
      std::filesystem::copy(host, path_, std::filesystem::copy_options::recursive);
    }
  }
  ~Copy() { std::filesystem::remove_all(path_); }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace reveal::collect
