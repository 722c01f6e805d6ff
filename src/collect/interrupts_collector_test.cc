// Sums over the rows of /proc/interrupts where rows are not as they should be. Expected values are
// added up by hand from the texts.
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>

#include "collect/collectors.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWhole =
    "           CPU0       CPU1\n"
    " 40:        100          0  IR-PCI-MSI 1-edge      nvme0q1\n"
    " 41:          0        200  IR-PCI-MSI 2-edge      nvme0q2\n"
    " 50:          3          4  IR-PCI-MSI 3-edge      mlx5_comp0@pci:0000:3b:00.0\n"
    "LOC:       1000       2000   Local timer interrupts\n"
    "ERR:          7\n"
    "MIS:          0\n";

class InterruptsTest : public ::testing::Test {
 protected:
  InterruptsTest()
      : path_(fs::path(::testing::TempDir()) / ("interrupts_" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
    write(kWhole);
    const auto opened = collector_->open({path_.string(), path_.string()}, channels_);
    EXPECT_TRUE(opened) << opened.error().message();
  }
  ~InterruptsTest() override { fs::remove_all(path_); }

  void write(std::string_view text) {
    std::ofstream(path_ / "interrupts", std::ios::binary | std::ios::trunc) << text;
  }
  // Reads the text, with `from` in it replaced by `to`.
  void read(std::string_view from, std::string_view to) {
    std::string text(kWhole);
    text.replace(text.find(from), from.size(), to);
    read(text);
  }
  void read(std::string_view text) {
    write(text);
    for (auto& validity : frame_.validity) validity = model::Validity::kMissing;
    FrameWriter writer(channels_, frame_);
    collector_->collect(writer);
  }
  std::optional<std::uint64_t> value(std::string_view channel) const {
    const auto id = channels_.find_channel(channel).value();
    if (frame_.validity[id.index()] != model::Validity::kFresh) return std::nullopt;
    return frame_.bits[id.index()];
  }
  void expect_whole() const {
    EXPECT_EQ(value("storage_device_interrupts_total{cpu=0}"), 100u);
    EXPECT_EQ(value("storage_device_interrupts_total{cpu=1}"), 200u);
    EXPECT_EQ(value("network_mlx5_interrupts_total{cpu=1}"), 4u);
    EXPECT_EQ(value("cpu_core_interrupts_total{cpu=0}"), 1103u);
    EXPECT_EQ(value("cpu_core_interrupts_total{cpu=1}"), 2204u);
  }
  void expect_no_sums() const {
    for (const char* cpu : {"{cpu=0}", "{cpu=1}"}) {
      for (const char* metric : {"storage_device_interrupts_total", "network_mlx5_interrupts_total",
                                 "cpu_core_interrupts_total"}) {
        EXPECT_EQ(value(std::string(metric) + cpu), std::nullopt) << metric << cpu;
      }
    }
  }

 private:
  fs::path path_;
  std::unique_ptr<Collector> collector_ = make_interrupts();
  model::ChannelTable channels_;
  model::Frame frame_;
};

TEST_F(InterruptsTest, AddsUpRowsAndLeavesHostWideOnesOut) {
  read(kWhole);
  expect_whole();
  EXPECT_EQ(value("cpu_interrupt_errors_total"), 7u);
  EXPECT_EQ(value("cpu_interrupts_missed_total"), 0u);
}

TEST_F(InterruptsTest, TextCutInALineHasNoSums) {
  read(kWhole.substr(0, kWhole.find("ERR") + 5));
  expect_no_sums();
  EXPECT_EQ(value("cpu_timer_interrupts_total{cpu=1}"), 2000u);
  EXPECT_EQ(value("cpu_interrupt_errors_total"), std::nullopt);
  read(kWhole.substr(0, kWhole.find(" 50:") + 12));
  expect_no_sums();
  EXPECT_EQ(value("cpu_timer_interrupts_total{cpu=1}"), std::nullopt);
  read(kWhole);
  expect_whole();
}

TEST_F(InterruptsTest, RowWithFewerCountsThanCoresLeavesNoSums) {
  read(" 41:          0        200  IR-PCI", " 41:          0  IR-PCI");
  expect_no_sums();
  EXPECT_EQ(value("cpu_timer_interrupts_total{cpu=0}"), 1000u);
  read("LOC:       1000       2000   Local", "LOC:       1000   Local");
  expect_no_sums();
  EXPECT_EQ(value("cpu_timer_interrupts_total{cpu=0}"), 1000u);
  EXPECT_EQ(value("cpu_timer_interrupts_total{cpu=1}"), std::nullopt);
  read(" 41:          0        200  IR-PCI", " 41:          0\n IR-PCI");
  expect_no_sums();
  read(kWhole);
  expect_whole();
}

TEST_F(InterruptsTest, RubbishInACountLeavesNoSums) {
  read("200", "2x0");
  expect_no_sums();
  EXPECT_EQ(value("cpu_timer_interrupts_total{cpu=1}"), 2000u);
}

// Other architectures have other names for it.
TEST_F(InterruptsTest, RowsWithOneNumberForAllCoresAreNoCores) {
  read("ERR:          7\nMIS:          0\n", "Err:          7\n");
  expect_whole();
}

}  // namespace
}  // namespace reveal::collect
