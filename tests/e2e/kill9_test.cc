// A recorder that is killed outright loses at most the frame in flight. A child records frames
// whose contents follow from their number, and says through a pipe which of them write() has
// returned for. The parent kills it at a random moment and expects every frame that was announced,
// as it was written.
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/temp_dir.h"
#include "base/unique_fd.h"
#include "store/segment_reader.h"
#include "store/segment_writer.h"

namespace reveal {
namespace {

namespace fs = std::filesystem;
using model::ChannelTable;
using model::Frame;
using namespace std::chrono_literals;

// Rounds of the test; a campaign (make campaign) has more.
int rounds() {
  const char* many = std::getenv("REVEAL_KILLS");
  return many != nullptr ? std::atoi(many) : 150;
}
constexpr std::size_t kFirstChannels = 300;
constexpr std::size_t kFramesPerNewChannel = 15;

// Small, so that many rounds die while a block is being encoded, or has just landed, or near the
// change from one segment to the next.
constexpr std::size_t kBlockTicks = 12;
constexpr std::uint64_t kSegmentBytes = 32 << 10;

std::size_t channels_of(std::uint64_t number) {
  return kFirstChannels + number / kFramesPerNewChannel;
}

Frame frame_of(std::uint64_t number) {
  base::Rng rng(number);
  Frame frame;
  frame.sequence = number;
  frame.wall_ns = 1'700'000'000'000'000'000 + static_cast<std::int64_t>(number) * 1'000'000;
  frame.mono_ns = static_cast<std::int64_t>(number) * 1'000'000;
  frame.cost_ns = rng.below(1000);
  frame.resize(channels_of(number));
  for (std::size_t i = 0; i < frame.bits.size(); ++i) {
    frame.set_u64(model::ChannelId(i), rng.below(3) == 0 ? rng.next() : i);
  }
  return frame;
}

void grow(ChannelTable& table, std::size_t count) {
  model::MetricDescriptor metric;
  metric.name = "storage_synthetic_total";
  const auto id = table.add_metric(metric);
  while (table.channel_count() < count) {
    table.add_channel(id, "dev=" + std::to_string(table.channel_count()));
  }
}

bool announce(int pipe, std::uint64_t word) {
  return ::write(pipe, &word, sizeof word) == sizeof word;
}

// Never returns: the parent ends it.
[[noreturn]] void record_until_killed(const fs::path& dir, int pipe) {
  store::WriterOptions options;
  options.segment_bytes = kSegmentBytes;
  options.min_free_bytes = 0;
  options.block_ticks = kBlockTicks;
  auto writer = store::SegmentWriter::create(dir, options);
  model::RunFacts facts;
  facts.interval_ns = 100'000'000;
  if (!writer || !writer->begin(facts) || !announce(pipe, 0)) ::_exit(1);
  ChannelTable table;
  for (std::uint64_t number = 0;; ++number) {
    const Frame frame = frame_of(number);
    grow(table, frame.bits.size());
    if (!writer->write(table, frame) || writer->status().dropped_frames != 0) ::_exit(2);
    if (!announce(pipe, number + 1)) ::_exit(3);
    std::this_thread::sleep_for(1ms);
  }
}

std::optional<std::uint64_t> next_word(int pipe) {
  std::uint64_t word = 0;
  if (::read(pipe, &word, sizeof word) != sizeof word) return std::nullopt;
  return word;
}

// Returns how many frames the child had stored for certain when it was killed.
std::uint64_t record_and_kill(const fs::path& dir, std::chrono::microseconds life) {
  int ends[2];
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const base::UniqueFd from_child(ends[0]);
  base::UniqueFd to_parent(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) record_until_killed(dir, to_parent.get());
  to_parent.reset();
  EXPECT_TRUE(next_word(from_child.get())) << "the recorder did not begin";
  std::this_thread::sleep_for(life);
  EXPECT_EQ(::kill(child, SIGKILL), 0);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the recorder gave up by itself";
  std::uint64_t stored = 0;
  while (const auto word = next_word(from_child.get())) stored = *word;
  return stored;
}

void expect_same(const Frame& got, const Frame& want) {
  EXPECT_EQ(got.sequence, want.sequence);
  EXPECT_EQ(got.wall_ns, want.wall_ns);
  EXPECT_EQ(got.mono_ns, want.mono_ns);
  EXPECT_EQ(got.cost_ns, want.cost_ns);
  EXPECT_EQ(got.gap, want.gap);
  EXPECT_EQ(got.bits, want.bits);
  EXPECT_EQ(got.validity, want.validity);
}

// Returns how many frames were read, having compared each with the one of its number.
std::uint64_t read_back(const fs::path& dir) {
  auto reader = store::SegmentReader::open(dir);
  EXPECT_TRUE(reader) << reader.error().message();
  if (!reader) return 0;
  std::uint64_t count = 0;
  for (;; ++count) {
    const auto frame = reader->next();
    EXPECT_TRUE(frame);
    if (!frame || *frame == nullptr) break;
    expect_same(**frame, frame_of(count));
  }
  EXPECT_TRUE(reader->damage().empty());
  EXPECT_FALSE(reader->clean_close());
  return count;
}

class Kill9 : public testing::Test {
 protected:
  const base::TempDir scratch_;
  const fs::path root_ = scratch_.path();
};

TEST_F(Kill9, LosesAtMostTheFrameInFlight) {
  base::Rng rng(9);
  std::uint64_t all_stored = 0;
  for (int round = 0; round < rounds() && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const fs::path dir = root_ / std::to_string(round);
    const auto life = std::chrono::microseconds(5'000 + rng.below(75'000));
    const std::uint64_t stored = record_and_kill(dir, life);
    const std::uint64_t read = read_back(dir);
    EXPECT_GE(read, stored);
    EXPECT_LE(read, stored + 1);  // one more, if it died before it could say so
    all_stored += stored;
    fs::remove_all(dir);
  }
  EXPECT_GT(all_stored, static_cast<std::uint64_t>(rounds()));
}

}  // namespace
}  // namespace reveal
