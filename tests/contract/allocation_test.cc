// A tick allocates nothing: every collector reads a host again and again while this program counts
// the calls of operator new. The texts differ from tick to tick as a kernel's do, in their numbers.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <unistd.h>

#include "allocation_count.h"
#include "collector_bench.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;

class LivingHost {
 public:
  LivingHost() : path_(scratch_folder() / ("reveal_allocation_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::copy(fs::path(REVEAL_SOURCE_DIR) / "tests/hosts/server-8cpu-linux-4.18", path_,
             fs::copy_options::recursive);
  }
  ~LivingHost() { fs::remove_all(path_); }
  LivingHost(const LivingHost&) = delete;
  LivingHost& operator=(const LivingHost&) = delete;

  procfs::HostRoot root() const { return {(path_ / "proc").string(), (path_ / "sys").string()}; }

  // Changes one digit of every file's numbers, which keeps the shape of the text.
  void go_on() {
    for (const auto& entry : fs::recursive_directory_iterator(path_ / "proc")) {
      if (entry.is_regular_file()) change_last_digit(entry.path());
    }
  }

 private:
  static void change_last_digit(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto digit = text.find_last_of("01234567");
    if (digit != std::string::npos) ++text[digit];
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
  }

  fs::path path_;
};

// Saying that a fact has changed allocates; that it has not does not.
void expect_no_allocation(Collector& collector, FrameWriter& writer, model::Frame& frame,
                          std::string_view name) {
  frame.notes.clear();
  const std::size_t before = allocation_count();
  collector.collect(writer);
  if (frame.notes.empty()) {
    EXPECT_EQ(allocation_count() - before, 0u) << name;
  }
}

TEST(AllocationContract, TicksAllocateNothing) {
  LivingHost host;
  for (const auto& descriptor : registry()) {
    const auto collector = descriptor.make();
    model::ChannelTable channels;
    if (!collector->open(host.root(), channels)) continue;
    model::Frame frame;
    FrameWriter writer(channels, frame);
    collector->collect(writer);
    for (int tick = 0; tick < 5; ++tick) {
      host.go_on();
      expect_no_allocation(*collector, writer, frame, descriptor.name);
    }
    expect_no_allocation(*collector, writer, frame, descriptor.name);
    EXPECT_TRUE(frame.notes.empty()) << descriptor.name << " says what is no news";
  }
}

// What reads no files can only be tried on this machine.
TEST(AllocationContract, TicksOfSystemCallsAllocateNothing) {
  for (const auto& descriptor : registry()) {
    if (!descriptor.name.starts_with("perf_") || descriptor.opt_in) continue;
    const auto collector = descriptor.make();
    model::ChannelTable channels;
    if (!collector->open({}, channels)) continue;
    model::Frame frame;
    FrameWriter writer(channels, frame);
    collector->collect(writer);  // says its facts
    const std::size_t before = allocation_count();
    for (int tick = 0; tick < 5; ++tick) collector->collect(writer);
    EXPECT_EQ(allocation_count() - before, 0u) << descriptor.name;
  }
}

// The other hosts as they stand, with all their devices. On the broken one the text of an error may
// be made anew at each reading.
TEST(AllocationContract, TicksOfNoHostAllocate) {
  for (const auto& host : hosts()) {
    if (host.filename() == "broken") continue;
    for (const auto& descriptor : registry()) {
      const auto collector = descriptor.make();
      model::ChannelTable channels;
      if (!collector->open(root_of(host), channels)) continue;
      model::Frame frame;
      FrameWriter writer(channels, frame);
      collector->collect(writer);
      const std::size_t before = allocation_count();
      collector->collect(writer);
      EXPECT_EQ(allocation_count() - before, 0u) << descriptor.name << " on " << host;
    }
  }
}

TEST(AllocationContract, TheCountIsOfThisProgram) {
  const std::size_t before = allocation_count();
  const auto number = std::make_unique<std::string>(100, 'x');
  EXPECT_GE(allocation_count() - before, 2u);
}

}  // namespace
}  // namespace reveal::collect
