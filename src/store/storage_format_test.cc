// The document's worked example was encoded by hand from the document, not by this code: the writer
// must yield its bytes and the reader its meaning.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "store/testing/test_run.h"

namespace reveal::store {
namespace {

using model::Frame;
using model::Validity;

void append_line(std::string& bytes, const std::string& line) {
  if (line.starts_with('"')) {
    bytes += line.substr(1, line.rfind('"') - 1);
    return;
  }
  std::istringstream words(line.substr(0, line.find(';')));
  for (std::string word; words >> word;) {
    ASSERT_EQ(word.size(), 2u) << line;
    bytes.push_back(static_cast<char>(std::stoi(word, nullptr, 16)));
  }
}

// Returns the bytes in the document's ```hex block.
std::string worked_example() {
  std::ifstream document(REVEAL_SOURCE_DIR "/docs/storage_format.md");
  std::string bytes;
  bool inside = false;
  for (std::string line; std::getline(document, line);) {
    if (line == "```hex") {
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      append_line(bytes, line);
    }
  }
  return bytes;
}

model::ChannelTable example_channels() {
  model::MetricDescriptor metric;
  metric.name = "cpu_busy_seconds_total";
  metric.label = "CPU busy time";
  metric.unit = "seconds";
  metric.source = "/proc/stat cpu";
  metric.alias = "Busy%";
  metric.help = "Time not idle.";
  metric.kind = model::Kind::kCounter;
  metric.scope = model::Scope::kCore;
  metric.scale = 0.01;
  metric.rank = 10;
  model::ChannelTable table;
  const auto id = table.add_metric(metric);
  table.add_channel(id, "cpu=0");
  table.add_channel(id, "cpu=1");
  return table;
}

std::vector<Frame> example_frames() {
  std::vector<Frame> out(2);
  out[0].wall_ns = 1'700'000'000'000'000'000;
  out[0].mono_ns = 5'000'000'000;
  out[0].cost_ns = 150'000;
  out[0].bits = {300, 0};
  out[0].validity = {Validity::kFresh, Validity::kMissing};
  out[1].sequence = 3;
  out[1].wall_ns = 1'700'000'000'300'000'100;
  out[1].mono_ns = 5'300'000'000;
  out[1].cost_ns = 120'000;
  out[1].gap = model::kGapLate;
  out[1].bits = {299, std::numeric_limits<std::uint64_t>::max()};
  out[1].validity = {Validity::kFresh, Validity::kFresh};
  return out;
}

TEST(StorageFormat, TheWriterYieldsTheWorkedExample) {
  const testing_run::TempDir dir;
  auto writer = SegmentWriter::create(dir.path(), testing_run::without_reserve());
  ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
  const model::ChannelTable table = example_channels();
  for (const Frame& frame : example_frames()) ASSERT_TRUE(writer->write(table, frame));
  ASSERT_TRUE(writer->finish());
  const std::string want = worked_example();
  ASSERT_GT(want.size(), 500u);
  EXPECT_EQ(testing_run::read_file(dir.path() / "000001.rvs"), want);
}

TEST(StorageFormat, TheReaderUnderstandsTheWorkedExample) {
  const testing_run::TempDir dir;
  testing_run::write_file(dir.path() / "000001.rvs", worked_example());
  const auto got = testing_run::read_all(dir.path());
  EXPECT_EQ(got.error, "");
  EXPECT_TRUE(got.clean && got.damage.empty());
  const auto want = example_frames();
  ASSERT_EQ(got.frames.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) testing_run::expect_same(got.frames[i], want[i]);
}

}  // namespace
}  // namespace reveal::store
