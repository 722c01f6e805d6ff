// A recorder of a host whose control groups come and go by the thousands: its recording numbers
// those that live, a new one is recorded however many were before it, and one that stays is one
// series to a reader.
#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/temp_dir.h"
#include "record/recording.h"
#include "store/recording_dir.h"
#include "store/segment_reader.h"

namespace reveal::record {
namespace {

namespace fs = std::filesystem;
using model::ChannelId;
using model::Validity;

constexpr int kAtOnce = 20;
constexpr int kBatches = 110;
constexpr std::uint64_t kFramesPerBatch = 4;
constexpr int kBatchesAfter = 6;  // with no more groups
constexpr std::string_view kUsage = "cpu_cgroup_usage_seconds_total";

std::string usage_of(const std::string& group) {
  return fmt::format("{}{{cg=/{}}}", kUsage, group);
}

// Control groups of version 2, as files.
class Host {
 public:
  Host() {
    fs::create_directories(root_.path() / "proc");
    fs::create_directories(top());
    write(top() / "cgroup.controllers", "cpu memory pids\n");
    make("stays");
  }

  procfs::HostRoot root() const {
    return {(root_.path() / "proc").string(), (root_.path() / "sys").string()};
  }
  void make(const std::string& name) const {
    fs::create_directories(top() / name);
    use(name, 1000);
    write(top() / name / "memory.current", "4096\n");
  }
  void use(const std::string& name, std::uint64_t usage_us) const {
    write(top() / name / "cpu.stat", fmt::format("user_usec 0\nusage_usec {}\n", usage_us));
  }
  void remove(const std::string& name) const { fs::remove_all(top() / name); }

 private:
  // In place: texts only grow, so that a reader meets none that is cut short.
  static void write(const fs::path& path, std::string_view text) {
    if (!fs::exists(path)) std::ofstream{path};
    std::fstream(path) << text;
  }
  fs::path top() const { return root_.path() / "sys/fs/cgroup"; }

  base::TempDir root_;
};

// Twenty groups come and twenty go every few frames, until `batches` were there; then one more, and
// after a while a signal that ends the recording.
class Churn {
 public:
  Churn(const Host& host, std::string prefix, int batches)
      : host_(host), prefix_(std::move(prefix)), batches_(batches) {}

  void step(const Recording::State& state) {
    most_channels = std::max(most_channels, state.channels);
    host_.use("stays", 1000 * ++steps_);
    if (state.frames % kFramesPerBatch != 0) return;
    if (batch_ == batches_ + kBatchesAfter) ::kill(::getpid(), SIGTERM);
    if (batch_++ > batches_) return;
    come_and_go(batch_ - 1);
  }

  std::size_t most_channels = 0;

 private:
  void come_and_go(int batch) const {
    for (int i = 0; i < kAtOnce && batch > 0; ++i) host_.remove(name(batch - 1, i));
    for (int i = 0; i < kAtOnce && batch < batches_; ++i) host_.make(name(batch, i));
    if (batch == batches_) host_.make(prefix_ + "last");
  }
  std::string name(int batch, int i) const { return fmt::format("{}{}x{}", prefix_, batch, i); }

  const Host& host_;
  std::string prefix_;
  int batches_;
  int batch_ = 0;
  static inline std::uint64_t steps_ = 1;  // its use goes on, whoever records it
};

RecordingOptions options_of(const Host& host, const fs::path& directory) {
  RecordingOptions out;
  out.directory = directory;
  out.interval_ns = 20'000'000;
  out.root = host.root();
  out.poll_plan.choices.emplace("cgroup", *collect::poll_choice("fast"));
  out.poll_plan.budget_ratio = 100;  // it is read far more often than on any host
  out.storage.min_free_bytes = 0;
  out.storage.block_ticks = 40;
  return out;
}

void record(const RecordingOptions& options, Churn& churn) {
  auto recording = Recording::prepare(options, nullptr);
  ASSERT_TRUE(recording) << recording.error().message();
  ASSERT_TRUE(recording->start());
  recording->run([&](const Recording::State& state) { churn.step(state); });
  EXPECT_TRUE(recording->losses().empty());
}

// What a reader of all has: how many channels, and for some of them their values by frame.
struct Read {
  std::size_t channels = 0;
  std::map<std::string, std::vector<std::optional<std::uint64_t>>> values;
};

Read read(const fs::path& directory, const std::vector<std::string>& names) {
  Read out;
  auto reader = store::SegmentReader::open(directory);
  EXPECT_TRUE(reader);
  if (!reader) return out;
  for (;;) {
    const auto frame = reader->next();
    EXPECT_TRUE(frame);
    if (!frame || *frame == nullptr) break;
    for (const auto& name : names) {
      const auto id = reader->channels().find_channel(name);
      const bool there = id && id->index() < (*frame)->bits.size() &&
                         (*frame)->validity[id->index()] != Validity::kMissing;
      out.values[name].push_back(there ? std::optional((*frame)->bits[id->index()]) : std::nullopt);
    }
  }
  EXPECT_TRUE(reader->damage().empty()) << reader->damage().front().what;
  out.channels = reader->channels().channel_count();
  return out;
}

// Returns how many channels the segment with most has, each read alone.
std::size_t most_channels_of_a_segment(const fs::path& directory) {
  std::size_t out = 0;
  const auto numbers = store::list_segments(directory);
  EXPECT_TRUE(numbers);
  for (const auto number : *numbers) {
    const base::TempDir alone;
    fs::copy(directory / store::segment_name(number), alone.path());
    out = std::max(out, read(alone.path(), {}).channels);
  }
  return out;
}

void expect_one_series(const std::vector<std::optional<std::uint64_t>>& values) {
  const auto first = std::find_if(values.begin(), values.end(), [](const auto& v) { return v; });
  ASSERT_NE(first, values.end());
  EXPECT_TRUE(std::all_of(first, values.end(), [](const auto& value) { return value; }));
  EXPECT_TRUE(std::is_sorted(first, values.end()));
  EXPECT_GT(*values.back(), **first);
}

TEST(Renumbering, OfThousandsOfGroupsThoseThatLiveHaveNumbers) {
  const Host host;
  const base::TempDir directory;
  const auto options = options_of(host, directory.path() / "r");
  Churn churn(host, "a", kBatches);
  record(options, churn);
  const auto all = read(options.directory, {usage_of("stays"), usage_of("alast")});
  ASSERT_GT(all.channels, 2000u);
  EXPECT_LT(churn.most_channels, all.channels / 2);
  EXPECT_LT(most_channels_of_a_segment(options.directory), all.channels / 2);
  expect_one_series(all.values.at(usage_of("stays")));
  EXPECT_TRUE(all.values.at(usage_of("alast")).back());
}

TEST(Renumbering, AResumedRecordingGoesOnWithIt) {
  const Host host;
  const base::TempDir directory;
  auto options = options_of(host, directory.path() / "r");
  Churn before(host, "a", 30);
  record(options, before);
  host.remove("alast");
  options.resume = true;
  Churn after(host, "b", 30);
  record(options, after);
  const auto all =
      read(options.directory, {usage_of("stays"), usage_of("alast"), usage_of("blast")});
  EXPECT_LT(after.most_channels, all.channels);
  const auto& stays = all.values.at(usage_of("stays"));
  EXPECT_TRUE(std::is_sorted(
      std::find_if(stays.begin(), stays.end(), [](const auto& v) { return v; }), stays.end()));
  EXPECT_FALSE(all.values.at(usage_of("alast")).back());
  EXPECT_TRUE(all.values.at(usage_of("blast")).back());
}

}  // namespace
}  // namespace reveal::record
