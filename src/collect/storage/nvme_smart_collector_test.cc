// The collector with a test that answers in the drives' place. The command itself needs a drive and
// CAP_SYS_ADMIN, and no test sends it to one.
#include <cerrno>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <unistd.h>

#include "collect/registry.h"
#include "collect/storage/nvme_smart.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;
using model::Validity;

// nvme0 is worn by a tenth, nvme1 refuses.
int answer(const std::string& device, NvmeSmartPage& page) {
  if (device != "/dev/nvme0") return EACCES;
  page[3] = 100;
  page[5] = 10;
  page[160] = 2;
  page[224] = 60;
  return 0;
}
int deny(const std::string& /*device*/, NvmeSmartPage& /*page*/) {
  return EACCES;
}

class NvmeSmartTest : public ::testing::Test {
 protected:
  NvmeSmartTest()
      : path_(fs::path(::testing::TempDir()) / ("nvme_smart_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    for (const auto* name : {"nvme0", "nvme1"}) fs::create_directories(path_ / "class/nvme" / name);
  }
  ~NvmeSmartTest() override { fs::remove_all(path_); }
  procfs::HostRoot root() const { return {path_.string(), path_.string()}; }

  fs::path path_;
  model::ChannelTable channels_;
};

TEST_F(NvmeSmartTest, DriveThatAnswersHasItsValues) {
  const auto collector = make_nvme_smart(answer, true);
  ASSERT_TRUE(collector->open(root(), channels_));
  model::Frame frame;
  FrameWriter writer(channels_, frame);
  collector->collect(writer);
  const auto value = [&](std::string_view name) {
    const auto id = channels_.find_channel(name).value();
    EXPECT_EQ(frame.validity[id.index()], Validity::kFresh) << name;
    return frame.bits[id.index()];
  };
  EXPECT_EQ(value("storage_nvme_wear_ratio{dev=nvme0}"), 10u);
  EXPECT_EQ(value("storage_nvme_spare_ratio{dev=nvme0}"), 100u);
  EXPECT_EQ(value("storage_nvme_media_errors_total{dev=nvme0}"), 2u);
  EXPECT_EQ(value("storage_nvme_light_throttle_seconds_total{dev=nvme0}"), 60u);
  EXPECT_FALSE(channels_.find_channel("storage_nvme_wear_ratio{dev=nvme1}"));
  EXPECT_EQ(channels_.metric_count(), find_collector("nvme_smart")->metrics().size());
}

TEST_F(NvmeSmartTest, RefusalSaysWhatItTakes) {
  const auto collector = make_nvme_smart(deny, true);
  const auto opened = collector->open(root(), channels_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kPermission);
  EXPECT_EQ(opened.error().where, "/dev/nvme0");
  EXPECT_THAT(opened.error().remedy, ::testing::HasSubstr("CAP_SYS_ADMIN"));
  EXPECT_EQ(channels_.channel_count(), 0u);
}

TEST_F(NvmeSmartTest, CapturedTreeIsNotAskedAboutDrivesOfThisHost) {
  const auto collector = make_nvme_smart(answer, false);
  const auto opened = collector->open(root(), channels_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent);
}

TEST(ReadNvmeSmart, WhatIsNoDriveFailsWithItsErrno) {
  NvmeSmartPage page{};
  EXPECT_EQ(read_nvme_smart("/dev/reveal_no_such_drive", page), ENOENT);
  EXPECT_EQ(read_nvme_smart("/dev/null", page), ENOTTY);
}

}  // namespace
}  // namespace reveal::collect
