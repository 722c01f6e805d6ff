// Sums over the rows of /proc/interrupts if rows are not as they should be. Expected values are
// added up by hand from the texts.
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/rng.h"
#include "collect/cpu/interrupt_sums.h"
#include "collect/registry.h"

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
    EXPECT_EQ(value("cpu_device_interrupts_total{cpu=0}"), 103u);
    EXPECT_EQ(value("cpu_device_interrupts_total{cpu=1}"), 204u);
  }
  void expect_no_sums() const {
    for (const char* cpu : {"{cpu=0}", "{cpu=1}"}) {
      for (const char* metric : {"storage_device_interrupts_total", "network_mlx5_interrupts_total",
                                 "cpu_core_interrupts_total", "cpu_device_interrupts_total"}) {
        EXPECT_EQ(value(std::string(metric) + cpu), std::nullopt) << metric << cpu;
      }
    }
  }

 private:
  fs::path path_;
  std::unique_ptr<Collector> collector_ = find_collector("interrupts")->make();
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

// A large server's text with counts padded as the kernel pads them, and what its sums must be.
class LargeText {
 public:
  static constexpr std::size_t kRows = 300;
  static constexpr std::size_t kCpus = 64;

  LargeText() : counts_(kRows, std::vector<std::uint32_t>(kCpus, 4'294'967'000)) {}

  // Serves some interrupts of one row, each core another number; counts wrap.
  void serve(std::size_t row) {
    for (auto& count : counts_[row]) count += static_cast<std::uint32_t>(rng_.below(1000));
  }
  std::string text() const {
    std::string out = "           ";
    for (std::size_t cpu = 0; cpu < kCpus; ++cpu) out += padded("CPU" + std::to_string(cpu));
    out += '\n';
    for (std::size_t row = 0; row < kRows; ++row) {
      out += padded(std::to_string(row) + ":");
      for (const auto count : counts_[row]) out += padded(std::to_string(count));
      out += row % 2 == 0 ? "  IR-PCI-MSI 1-edge      nvme0q1\n"
                          : "  IR-PCI-MSI 2-edge      mlx5_comp0\n";
    }
    return out;
  }
  // Adds up the rows from `first`, every second one or each.
  std::uint32_t sum(std::size_t cpu, std::size_t first, std::size_t step) const {
    std::uint32_t out = 0;
    for (std::size_t row = first; row < kRows; row += step) out += counts_[row][cpu];
    return out;
  }

 private:
  static std::string padded(std::string word) {
    return std::string(word.size() < 11 ? 11 - word.size() : 0, ' ') + word;
  }

  std::vector<std::vector<std::uint32_t>> counts_;
  base::Rng rng_{11};
};

std::size_t row_of(std::string_view metric) {
  const auto rows = interrupt_rows();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].metric.name == metric) return row;
  }
  return rows.size();
}

void expect_sums(const InterruptSums& sums, const LargeText& host) {
  ASSERT_EQ(sums.cpus().size(), LargeText::kCpus);
  for (std::size_t cpu = 0; cpu < LargeText::kCpus; ++cpu) {
    EXPECT_EQ(sums.value(row_of("cpu_core_interrupts_total"), cpu), host.sum(cpu, 0, 1));
    EXPECT_EQ(sums.value(row_of("cpu_device_interrupts_total"), cpu), host.sum(cpu, 0, 1));
    EXPECT_EQ(sums.value(row_of("storage_device_interrupts_total"), cpu), host.sum(cpu, 0, 2));
    EXPECT_EQ(sums.value(row_of("network_mlx5_interrupts_total"), cpu), host.sum(cpu, 1, 2));
  }
}

TEST(InterruptSums, OnlyRowsThatChangedAreReadAndTheirSumsAreRight) {
  LargeText host;
  InterruptSums sums;
  sums.update(host.text());
  EXPECT_EQ(sums.rows_read(), LargeText::kRows);
  expect_sums(sums, host);
  sums.update(host.text());
  EXPECT_EQ(sums.rows_read(), 0u);
  for (std::size_t reading = 0; reading < 20; ++reading) {
    for (const std::size_t row : {reading, reading + 150, std::size_t{299}}) host.serve(row);
    sums.update(host.text());
    EXPECT_EQ(sums.rows_read(), 3u);
    expect_sums(sums, host);
  }
}

// The same interrupt of another device, which no difference can tell.
TEST(InterruptSums, RowThatGoesToAnotherDeviceIsReadAnew) {
  LargeText host;
  InterruptSums sums;
  sums.update(host.text());
  std::string text = host.text();
  const auto at = text.find("nvme0q1");
  text.replace(at, 7, "amdgpu1");
  sums.update(text);
  EXPECT_EQ(sums.value(row_of("gpu_device_interrupts_total"), 0), 4'294'967'000u);
  EXPECT_EQ(sums.value(row_of("storage_device_interrupts_total"), 0),
            host.sum(0, 0, 2) - 4'294'967'000u);
  sums.update(host.text());
  expect_sums(sums, host);
}

TEST(InterruptSums, BrokenTextsBetweenLeaveNoTrace) {
  LargeText host;
  InterruptSums sums;
  sums.update(host.text());
  std::string cut = host.text();
  for (const std::string_view letter : {"x", "\n", ":", " "}) {
    for (std::size_t at = 40; at < cut.size(); at += cut.size() / 7) {
      std::string broken = host.text();
      broken.replace(at, 1, letter);
      sums.update(broken);
      host.serve(at % LargeText::kRows);
      sums.update(host.text());
      expect_sums(sums, host);
    }
  }
  sums.update("");
  EXPECT_TRUE(sums.cpus().empty());
  sums.update(host.text());
  expect_sums(sums, host);
}

}  // namespace
}  // namespace reveal::collect
