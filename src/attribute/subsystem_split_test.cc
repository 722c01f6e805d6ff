#include "attribute/subsystem_split.h"

#include <map>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::attribute {
namespace {

using model::Subsystem;
using testing::ElementsAre;
using Rows = std::vector<std::size_t>;

// Windows of 3 s every second, each letter one: the subsystem that stalls its work, in upper case
// if that raises an alarm; '.' if none does.
std::vector<std::size_t> lengths(std::string_view windows) {
  const std::map<char, Subsystem> kLetters{{'c', Subsystem::kCpu},
                                           {'m', Subsystem::kMemory},
                                           {'n', Subsystem::kNetwork},
                                           {'s', Subsystem::kStorage}};
  feature::FeatureMatrix matrix;
  detect::DetectorVerdict saturation;
  for (std::size_t row = 0; row < windows.size(); ++row) {
    const auto begin = static_cast<std::int64_t>(row) * 1'000'000'000;
    matrix.add_row({window::WindowId(row), begin, begin + 3'000'000'000, row * 10, 0});
    saturation.flagged.push_back(windows[row] >= 'A' && windows[row] <= 'Z');
  }
  Rows rows(windows.size());
  std::iota(rows.begin(), rows.end(), 0);
  const auto parts = split_by_subsystem(
      matrix, saturation, rows, [&](std::size_t row) -> std::optional<Subsystem> {
        const auto found = kLetters.find(static_cast<char>(windows[row] | 0x20));
        return found == kLetters.end() ? std::nullopt : std::optional(found->second);
      });
  std::vector<std::size_t> out;
  Rows joined;
  for (const auto& part : parts) {
    out.push_back(part.size());
    joined.insert(joined.end(), part.begin(), part.end());
  }
  EXPECT_EQ(joined, rows) << windows;  // nothing is lost, and the order stays
  return out;
}

TEST(SubsystemSplit, TwoFaultsInARowAreTwo) {
  EXPECT_THAT(lengths("ssSSScCCCc"), ElementsAre(5, 5));
  EXPECT_THAT(lengths("..SSSS..CCCC.."), ElementsAre(8, 6));
  EXPECT_THAT(lengths("SSSSCCCCNNNN"), ElementsAre(4, 4, 4));
  EXPECT_THAT(lengths("SSCSSSCSSNNNNN"), ElementsAre(9, 5));
}

TEST(SubsystemSplit, OneFaultIsOne) {
  EXPECT_THAT(lengths("SSSSSS"), ElementsAre(6));
  EXPECT_THAT(lengths("......"), ElementsAre(6));
  EXPECT_THAT(lengths("SSSSSsccc"), ElementsAre(9));  // too short: its windows share samples
  EXPECT_THAT(lengths("SSSSccccc"), ElementsAre(9));  // it raises no alarm
  EXPECT_THAT(lengths("SSSSmMMMM"), ElementsAre(9));  // what is written waits in memory
  EXPECT_THAT(lengths("SSCSSSCSS"), ElementsAre(9));  // a window or two of another
  EXPECT_THAT(lengths("CCSSSSCC"), ElementsAre(8));
}

TEST(SubsystemSplit, ASubsystemIsClearlyOneByItsShare) {
  // cpu, gpu, memory, network, storage
  EXPECT_EQ(clearly_one({0.7, 0, 0.1, 0, 0.2}, 0.6), Subsystem::kCpu);
  EXPECT_EQ(clearly_one({0.5, 0, 0.2, 0, 0.3}, 0.6), std::nullopt);
  EXPECT_EQ(clearly_one({0.3, 0, 0.3, 0, 0.4}, 0.6), Subsystem::kStorage);
  EXPECT_EQ(clearly_one({0.3, 0, 0.4, 0, 0.3}, 0.6), Subsystem::kMemory);
  EXPECT_EQ(clearly_one({0, 0, 0, 0, 0}, 0.6), std::nullopt);
}

}  // namespace
}  // namespace reveal::attribute
