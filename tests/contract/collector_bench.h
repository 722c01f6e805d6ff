// What the contract tests of collectors share: the fixture hosts, a collector alone on one of them,
// and a copy of a host that may be damaged. Only tests include this.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <glob.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "collect/cpu/cpu_files.h"
#include "collect/registry.h"

namespace reveal::collect {

inline std::filesystem::path fixtures() {
  return std::filesystem::path(REVEAL_SOURCE_DIR) / "tests/hosts";
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

// All collectors but those that record the recorder, whose values no fixture decides.
inline std::span<const CollectorDescriptor> host_collectors() {
  static const auto kept = [] {
    std::vector<CollectorDescriptor> out;
    for (const auto& descriptor : registry()) {
      if (descriptor.metrics().front().scope != model::Scope::kRecorder) out.push_back(descriptor);
    }
    return out;
  }();
  return kept;
}

using Values = std::map<std::string, std::uint64_t>;  // of channels read, by their name

// Returns the bits of a number that is not a whole one, as Values have it.
inline std::uint64_t real(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

// One collector alone on a host, driven as the sampler does.
class Bench {
 public:
  Bench(const CollectorDescriptor& descriptor, procfs::HostRoot root)
      : collector_(descriptor.make()), root_(std::move(root)) {}

  base::Result<void> open() { return collector_->open(root_, channels_); }
  Values tick() {
    read();
    return values();
  }
  void read() {
    for (auto& validity : frame_.validity) validity = model::Validity::kMissing;
    FrameWriter writer(channels_, frame_);
    collector_->collect(writer);
  }
  // Returns what the latest reading gave.
  Values values() const {
    Values out;
    for (std::size_t i = 0; i < frame_.bits.size(); ++i) {
      const model::ChannelId id(i);
      if (frame_.was_read(id)) out[channels_.name(id)] = frame_.bits[i];
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

// Reads as often as it takes a quick collector to notice a core that came or went.
inline Values tick_until_seen(Bench& bench) {
  for (std::size_t i = 1; i < kQuickReadingsPerLook; ++i) bench.read();
  return bench.tick();
}

inline Values values_of(const CollectorDescriptor& descriptor, const std::filesystem::path& host) {
  Bench bench(descriptor, root_of(host));
  if (!bench.open()) return {};
  return bench.tick();
}

inline Values values_of(const std::filesystem::path& host) {
  Values out;
  for (const auto& descriptor : host_collectors()) out.merge(values_of(descriptor, host));
  return out;
}

// Returns whether the source is files that a captured tree can have; others are system calls about
// the running kernel.
inline bool is_of_files(std::string_view source) {
  return source.starts_with("/proc/") || source.starts_with("/sys/");
}

// Returns the path of a source of files, which may be a pattern of the shell.
inline std::string_view pattern_of(std::string_view source) {
  return source.substr(0, source.find(' '));
}

inline void add_files(const std::string& pattern, std::vector<std::filesystem::path>& out) {
  ::glob_t found{};
  if (::glob(pattern.c_str(), GLOB_BRACE, nullptr, &found) == 0) {
    out.insert(out.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  ::globfree(&found);
}

// Returns what a source names below a host's folder: several where the path is a pattern, none
// where this host lacks it. "**" is any number of folders, as control groups have.
inline std::vector<std::filesystem::path> files_of(const std::filesystem::path& host,
                                                   std::string_view source) {
  namespace fs = std::filesystem;
  std::vector<fs::path> out;
  if (!is_of_files(source)) return out;
  const std::string pattern = host.string() + std::string(pattern_of(source));
  const auto stars = pattern.find("/**/");
  if (stars == std::string::npos) {
    add_files(pattern, out);
    return out;
  }
  std::error_code absent;
  for (const auto& entry : fs::recursive_directory_iterator(pattern.substr(0, stars), absent)) {
    if (entry.is_directory() && !entry.is_symlink()) {
      add_files(entry.path().string() + pattern.substr(stars + 3), out);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

// The same for all metrics of a collector, each file once.
inline std::vector<std::filesystem::path> files_of(const std::filesystem::path& host,
                                                   const CollectorDescriptor& descriptor) {
  std::vector<std::filesystem::path> out;
  for (const auto& metric : descriptor.metrics()) {
    const auto files = files_of(host, metric.source);
    out.insert(out.end(), files.begin(), files.end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

// Returns where trees of many small files are made and unmade: in memory where there is such a file
// system, for a disk takes a thousand times as long.
inline std::filesystem::path scratch_folder() {
  const std::filesystem::path memory = "/dev/shm";
  return ::access(memory.c_str(), W_OK | X_OK) == 0 ? memory
                                                    : std::filesystem::path(::testing::TempDir());
}

// A copy of a fixture host that may be damaged.
class Copy {
 public:
  explicit Copy(const std::filesystem::path& host)
      : path_(scratch_folder() / ("reveal_contract_" + std::to_string(::getpid()))), host_(host) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    restore();
  }
  ~Copy() { std::filesystem::remove_all(path_); }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  const std::filesystem::path& path() const { return path_; }

  // Makes every file what it is on the host, whatever has become of it.
  void restore() {
    namespace fs = std::filesystem;
    if (host_.empty()) return;
    for (const auto& entry : fs::directory_iterator(path_)) fs::remove_all(entry.path());
    fs::copy(host_, path_, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  }

 private:
  std::filesystem::path path_;
  std::filesystem::path host_;
};

}  // namespace reveal::collect
