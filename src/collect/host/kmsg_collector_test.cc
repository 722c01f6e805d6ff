// Against the real /dev/kmsg, which only root may write to: elsewhere these tests are skipped.
#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "collect/registry.h"

namespace reveal::collect {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::SizeIs;
using ::testing::StartsWith;

class KmsgTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!open_log().valid()) GTEST_SKIP() << "cannot write /dev/kmsg: " << std::strerror(errno);
    // A container may have a /dev/kmsg that cannot be read.
    if (const auto opened = collector_->open({}, channels_); !opened) {
      GTEST_SKIP() << opened.error().message();
    }
  }

  static base::UniqueFd open_log() {
    return base::UniqueFd(::open("/dev/kmsg", O_WRONLY | O_CLOEXEC));
  }
  void print(const std::string& line) {
    // The kernel lets ten lines in five seconds through each descriptor: a new one for each line.
    // One without its newline waits for its continuation, and nobody may read it.
    const auto log = open_log();
    const std::string text = line + "\n";
    ASSERT_EQ(::write(log.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void tick() {
    frame_.notes.clear();
    FrameWriter writer(channels_, frame_, "kmsg");
    collector_->collect(writer);
  }
  std::uint64_t count(std::string_view metric) {
    const auto id = channels_.find_channel(metric).value();
    EXPECT_EQ(frame_.validity[id.index()], model::Validity::kFresh);
    return frame_.bits[id.index()];
  }

  // Whoever else prints, or tests this at the same time, is not in these.
  std::vector<std::string> our_notes() const {
    std::vector<std::string> out;
    for (const auto& note : frame_.notes) {
      if (note.text.ends_with(mark_)) out.push_back(note.subject + ": " + note.text);
    }
    return out;
  }

  const std::string mark_ = " (reveal test " + std::to_string(::getpid()) + ")";
  std::unique_ptr<Collector> collector_ = find_collector("kmsg")->make();
  model::ChannelTable channels_;
  model::Frame frame_;
};

TEST_F(KmsgTest, CountsWhatIsPrintedAfterItBegan) {
  tick();
  const auto xids = count("gpu_kernel_xid_errors_total");
  const auto links = count("network_link_downs_total");
  print("NVRM: Xid (PCI:0000:17:00): 79, pid=812, GPU has fallen off the bus" + mark_);
  print("reveal0: NIC Link is Down" + mark_);
  print("an ordinary line" + mark_);
  tick();
  EXPECT_GE(count("gpu_kernel_xid_errors_total"), xids + 1);
  EXPECT_GE(count("network_link_downs_total"), links + 1);
  EXPECT_THAT(our_notes(),
              ElementsAre(AllOf(StartsWith("GPU error: XID 79 (the GPU has fallen off the bus; "
                                           "hardware) on 0000:17:00: NVRM: Xid"),
                                EndsWith(mark_)),
                          "link down: reveal0: NIC Link is Down" + mark_));
  tick();
  EXPECT_THAT(our_notes(), IsEmpty());
}

TEST_F(KmsgTest, AStormIsCountedInFullButNotKept) {
  tick();
  const auto before = count("storage_nvme_timeouts_total");
  for (int i = 0; i < 100; ++i) print("nvme nvme0: I/O 12 QID 3 timeout, aborting" + mark_);
  tick();
  EXPECT_GE(count("storage_nvme_timeouts_total"), before + 100);
  EXPECT_THAT(our_notes(), SizeIs(AllOf(Ge(1u), Le(20u))));
}

TEST(Kmsg, BelongsToTheRunningKernel) {
  const auto collector = find_collector("kmsg")->make();
  model::ChannelTable channels;
  const auto opened = collector->open({"/nonexistent", "/nonexistent"}, channels);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent);
}

}  // namespace
}  // namespace reveal::collect
