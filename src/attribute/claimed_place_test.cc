#include "attribute/claimed_place.h"

#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace reveal::attribute {
namespace {

const feature::FeatureKey kOther{model::ChannelId(0), feature::FeatureId(3)};
const feature::FeatureKey kClaimed{model::ChannelId(1), feature::FeatureId(3)};

window::WindowSpan span_of(std::size_t window) {
  const auto begin = static_cast<std::int64_t>(window) * 1'000'000'000;
  return {window::WindowId(window), begin, begin + 3'000'000'000, 10 * window, 0};
}

// Windows that are numbered from 100 on, with these values of the feature that is claimed. The
// other one is 9 everywhere.
feature::FeatureMatrix matrix_of(const std::vector<double>& values) {
  feature::FeatureMatrix out;
  out.add_column(kOther);
  out.add_column(kClaimed);
  for (std::size_t i = 0; i < values.size(); ++i) out.add_row(span_of(100 + i)) = {9, values[i]};
  return out;
}

Finding finding_of(const std::vector<std::size_t>& windows, double observed) {
  Finding out;
  for (const auto window : windows) out.windows.push_back({span_of(window), {}});
  out.telling = Evidence{.key = kClaimed, .observed = observed};
  return out;
}

std::optional<std::size_t> row_of(const Finding& finding, const feature::FeatureMatrix& matrix) {
  const auto place = claimed_place(finding, matrix);
  if (!place) return std::nullopt;
  EXPECT_EQ(place->column, 1U);
  EXPECT_EQ(place->evidence.key, kClaimed);
  return place->row;
}

TEST(ClaimedPlace, IsTheWindowWithTheValue) {
  EXPECT_EQ(row_of(finding_of({101, 102}, 9), matrix_of({9, 2, 9, 9})), 2U);
}

// Windows 100 and 102 were flagged. That between them has the same value but is not the finding's.
TEST(ClaimedPlace, IsNoWindowBetweenThoseThatWereFlagged) {
  EXPECT_EQ(row_of(finding_of({100, 102}, 9), matrix_of({4, 9, 9, 1})), 2U);
  EXPECT_EQ(row_of(finding_of({100, 102}, 9), matrix_of({9, 9, 4, 1})), 0U);
  EXPECT_FALSE(row_of(finding_of({100, 102}, 9), matrix_of({4, 9, 4, 1})));
}

TEST(ClaimedPlace, IsTheFirstOfSeveral) {
  EXPECT_EQ(row_of(finding_of({101, 102, 103}, 9), matrix_of({9, 4, 9, 9})), 2U);
}

TEST(ClaimedPlace, IsTheWindowThatTheClaimNamesOnceItsValueIsRounded) {
  auto finding = finding_of({101, 103}, 9 + 1e-9);
  EXPECT_FALSE(row_of(finding, matrix_of({4, 9, 4, 9})));
  finding.telling->seen_in = window::WindowId(103);
  EXPECT_EQ(row_of(finding, matrix_of({4, 9, 4, 9})), 3U);
  finding.telling->seen_in = window::WindowId(102);
  EXPECT_FALSE(row_of(finding, matrix_of({4, 9, 4, 9}))) << "it is not flagged";
}

TEST(ClaimedPlace, IsNothingOnceTheWindowIsForgotten) {
  auto matrix = matrix_of({4, 9, 4, 1});
  matrix.drop_first(1);
  EXPECT_EQ(row_of(finding_of({101, 102}, 9), matrix), 0U);
  matrix.drop_first(1);
  EXPECT_FALSE(row_of(finding_of({101, 102}, 9), matrix));
}

TEST(ClaimedPlace, IsNothingWithoutAClaimOrItsColumn) {
  const auto matrix = matrix_of({9});
  auto finding = finding_of({100}, 9);
  finding.telling->key.feature = feature::FeatureId(4);
  EXPECT_FALSE(claimed_place(finding, matrix));
  finding.telling.reset();
  EXPECT_FALSE(claimed_place(finding, matrix));
}

}  // namespace
}  // namespace reveal::attribute
