// A recording that is downsampled, for the tests of that: what it has, and what is left of it. Only
// tests include this.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "retention/downsampling.h"
#include "store/segment_reader.h"
#include "store/segment_writer.h"

namespace reveal::retention {

// Records a host with a counter, a gauge and a fact, from tick 0 on: 7 s a segment.
class Recorder {
 public:
  static constexpr std::int64_t kSecond = 1'000'000'000;
  static constexpr std::int64_t kTick = kSecond / 10;
  static constexpr std::int64_t kStart = 1'700'000'000 * kSecond;
  static constexpr std::size_t kGroups = 20;

  explicit Recorder(const std::filesystem::path& dir, std::int64_t interval_ns = kTick)
      : writer_(store::SegmentWriter::create(dir, options()).value()), interval_ns_(interval_ns) {
    model::RunFacts facts;
    facts.host = "h";
    facts.boot_id = "b";
    facts.interval_ns = interval_ns;
    facts.start_wall_ns = kStart;
    EXPECT_TRUE(writer_->begin(facts));
    sectors_ = add("storage_x_sectors_total", model::Kind::kCounter);
    bytes_ = add("memory_x_bytes", model::Kind::kGauge);
    cores_ = add("cpu_x_cores", model::Kind::kStatic);
  }

  // From here on the channels have other numbers.
  Recorder& number_anew() {
    EXPECT_TRUE(writer_->number_anew());
    table_ = model::ChannelTable();
    frame_ = model::Frame();
    cores_ = add("cpu_x_cores", model::Kind::kStatic);
    bytes_ = add("memory_x_bytes", model::Kind::kGauge);
    sectors_ = add("storage_x_sectors_total", model::Kind::kCounter);
    return *this;
  }

  // From here on other control groups are there, and none that was before.
  Recorder& other_groups() {
    groups_.clear();
    std::fill(frame_.validity.begin(), frame_.validity.end(), model::Validity::kMissing);
    for (std::size_t i = 0; i < kGroups; ++i) {
      groups_.push_back(
          add("memory_x_group_bytes", model::Kind::kGauge, fmt::format("cg=/{}", come_++)));
    }
    return *this;
  }

  Recorder& ticks(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) tick();
    return *this;
  }
  Recorder& note(std::string subject, std::string text) {
    frame_.notes.push_back({model::Note::Kind::kFact, "s", std::move(subject), std::move(text)});
    return *this;
  }
  // Closes the recording and gives its lock back.
  void finish() {
    EXPECT_TRUE(writer_->finish());
    writer_.reset();
  }
  std::int64_t now() const { return kStart + static_cast<std::int64_t>(next_) * interval_ns_; }

 private:
  static store::WriterOptions options() {
    store::WriterOptions out;
    out.segment_ns = 7 * kSecond;
    out.block_ticks = 35;
    out.min_free_bytes = 0;
    return out;
  }

  model::ChannelId add(std::string_view name, model::Kind kind, std::string_view instance = {}) {
    model::MetricDescriptor metric;
    metric.name = name;
    metric.unit = "u";
    metric.kind = kind;
    metric.collector = "x";
    const auto id = table_.add_channel(table_.add_metric(metric), instance);
    frame_.resize(table_.channel_count());
    return id;
  }

  void tick() {
    frame_.sequence = next_++;
    frame_.wall_ns = kStart + static_cast<std::int64_t>(frame_.sequence) * interval_ns_;
    frame_.mono_ns = frame_.wall_ns - kStart + 40 * kSecond;
    frame_.set_u64(sectors_, read_ += rng_.below(1000));
    frame_.set_u64(bytes_, rng_.below(1000));
    frame_.set_u64(cores_, 4);
    for (const model::ChannelId group : groups_) frame_.set_u64(group, 1000 + next_ % 7);
    EXPECT_TRUE(writer_->write(table_, frame_));
    frame_.notes.clear();
  }

  std::optional<store::SegmentWriter> writer_;
  std::int64_t interval_ns_;
  base::Rng rng_{3};
  model::ChannelTable table_;
  model::ChannelId sectors_;
  model::ChannelId bytes_;
  model::ChannelId cores_;
  std::vector<model::ChannelId> groups_;
  std::size_t come_ = 0;
  std::uint64_t read_ = 0;  // sectors so far
  model::Frame frame_;
  std::uint64_t next_ = 0;
};

inline std::vector<model::Frame> read(const std::filesystem::path& dir) {
  std::vector<model::Frame> out;
  auto reader = store::SegmentReader::open(dir);
  if (!reader) return out;
  for (auto next = reader->next(); next && *next != nullptr; next = reader->next()) {
    out.push_back(**next);
  }
  EXPECT_TRUE(reader->damage().empty()) << dir << ": " << reader->damage()[0].what;
  return out;
}

// Returns, for each frame, what the channels have that are there, by name.
inline std::vector<std::map<std::string, std::pair<std::uint64_t, model::Validity>>> values_by_name(
    const std::filesystem::path& dir) {
  std::vector<std::map<std::string, std::pair<std::uint64_t, model::Validity>>> out;
  auto reader = store::SegmentReader::open(dir);
  if (!reader) return out;
  for (auto next = reader->next(); next && *next != nullptr; next = reader->next()) {
    auto& values = out.emplace_back();
    for (std::size_t i = 0; i < (*next)->bits.size(); ++i) {
      if ((*next)->validity[i] == model::Validity::kMissing) continue;
      values[reader->channels().name(model::ChannelId(i))] = {(*next)->bits[i],
                                                              (*next)->validity[i]};
    }
  }
  EXPECT_TRUE(reader->damage().empty()) << dir << ": " << reader->damage()[0].what;
  return out;
}

inline std::vector<std::uint64_t> sequences(const std::filesystem::path& dir) {
  std::vector<std::uint64_t> out;
  for (const model::Frame& frame : read(dir)) out.push_back(frame.sequence);
  return out;
}

inline std::vector<std::uint64_t> from_to(std::uint64_t from, std::uint64_t to) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = from; i < to; ++i) out.push_back(i);
  return out;
}

inline DownsampleResult downsample_at(const std::filesystem::path& dir, std::int64_t now_ns,
                                      RetentionAges ages, std::vector<WallSpan> evidence = {}) {
  auto result = downsample({dir, ages, now_ns, std::move(evidence)});
  EXPECT_TRUE(result) << result.error().message();
  return result ? *result : DownsampleResult();
}

// Returns the spans around findings of these seconds since the start, as reports have them.
inline std::vector<WallSpan> around(const std::vector<std::pair<int, int>>& findings) {
  constexpr std::int64_t kMargin = 30 * Recorder::kSecond;
  const auto at = [](int second) { return Recorder::kStart + second * Recorder::kSecond; };
  std::vector<WallSpan> out;
  for (const auto& [begin, end] : findings) {
    out.push_back({at(begin) - kMargin, at(end) + kMargin});
  }
  return out;
}

}  // namespace reveal::retention
