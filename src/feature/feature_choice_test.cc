#include "feature/feature_choice.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::feature {
namespace {

using testing::Contains;
using testing::Not;

std::vector<std::string_view> names_of(std::string_view profile) {
  const auto profiles = feature_profiles();
  const auto& own = *std::ranges::find(profiles, profile, &FeatureProfile::name);
  return {own.dynamic.begin(), own.dynamic.end()};
}

// Section 4.2: "moments, linear trends, autocorrelation, and stationarity tests".
TEST(FeatureProfiles, ThePapersHasWhatThePaperNames) {
  const auto names = names_of("paper");
  for (const char* name : {"mean", "variance", "skewness", "kurtosis",
                           R"(linear_trend__attr_"slope")", "autocorrelation__lag_1",
                           R"(augmented_dickey_fuller__attr_"teststat"__autolag_"AIC")", "kpss"}) {
    EXPECT_THAT(names, Contains(name));
  }
}

TEST(FeatureProfiles, OthersHaveNoStationarityTests) {
  for (const auto* profile : {"minimal", "default"}) {
    EXPECT_THAT(names_of(profile), Not(Contains("kpss"))) << profile;
  }
}

TEST(FeatureProfiles, NamesAreFeaturesAndOnlyOnce) {
  for (const auto& profile : feature_profiles()) {
    const std::vector<std::string> words{std::string(profile.name)};
    const auto choice = choose_features(words);
    ASSERT_TRUE(choice);
    const auto all = registry().size();
    EXPECT_EQ(choice->dynamic.size(), profile.dynamic.empty() ? all : profile.dynamic.size());
  }
}

}  // namespace
}  // namespace reveal::feature
