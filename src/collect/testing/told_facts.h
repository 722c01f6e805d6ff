// The facts that a collector tells of a copy of a fixture host: each once, again when it changes,
// and its end when it can no longer be read. Expected texts are read off the fixture's files. Only
// tests include this.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>
#include <unistd.h>

#include "collect/collector.h"
#include "procfs/text_cursor.h"

namespace reveal::collect {

using Facts = std::map<std::string, std::string>;

class ToldFacts : public ::testing::Test {
 protected:
  ToldFacts()
      : path_(std::filesystem::path(::testing::TempDir()) /
              ("told_facts_" + std::to_string(::getpid()))) {
    namespace fs = std::filesystem;
    fs::remove_all(path_);
    fs::copy(fs::path(REVEAL_SOURCE_DIR) / "tests/hosts/server-8cpu-linux-4.18", path_,
             fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  }
  ~ToldFacts() override { std::filesystem::remove_all(path_); }

  void open(std::unique_ptr<Collector> collector) {
    collector_ = std::move(collector);
    const auto opened =
        collector_->open({(path_ / "proc").string(), (path_ / "sys").string()}, channels_);
    ASSERT_TRUE(opened) << opened.error().message();
  }
  void write(const char* file, std::string_view text) {
    std::ofstream(path_ / file, std::ios::binary | std::ios::trunc) << text;
  }
  void remove(const char* file) { std::filesystem::remove(path_ / file); }

  // Reads once and returns the facts that were news.
  Facts news() {
    frame_.notes.clear();
    for (auto& validity : frame_.validity) validity = model::Validity::kMissing;
    FrameWriter writer(channels_, frame_);
    collector_->collect(writer);
    Facts out;
    for (const auto& note : frame_.notes) {
      EXPECT_EQ(note.kind, model::Note::Kind::kFact);
      EXPECT_TRUE(out.emplace(note.subject, note.text).second) << note.subject << " twice";
    }
    return out;
  }
  procfs::Value value(std::string_view channel) const {
    const auto id = channels_.find_channel(channel);
    if (!id || !frame_.was_read(*id)) return std::nullopt;
    return frame_.bits[id->index()];
  }

  std::filesystem::path path_;
  std::unique_ptr<Collector> collector_;
  model::ChannelTable channels_;
  model::Frame frame_;
};

}  // namespace reveal::collect
