#include "peers/cause.h"

#include <vector>

#include <gtest/gtest.h>

namespace reveal::peers {
namespace {

constexpr std::int64_t kMs = 1'000'000;

std::optional<std::size_t> cause(const std::vector<Suspect>& hosts) {
  return cause_of(hosts);
}

TEST(Cause, OfNobodyIsNobodyAndOfOneIsThatHost) {
  EXPECT_EQ(cause({}), std::nullopt);
  EXPECT_EQ(cause({{}}), 0u);
}

TEST(Cause, IsTheOneWhosePatternSaysSoAlthoughItBeganLater) {
  EXPECT_EQ(cause({{.onset_ns = 0}, {.onset_ns = 5000 * kMs, .has_own_cause = true}}), 1u);
}

TEST(Cause, IsTheFirstIfTheOthersBeganLaterThanBothErrors) {
  EXPECT_EQ(cause({{.onset_ns = 300 * kMs, .error_ns = 100 * kMs},
                   {.onset_ns = 0, .error_ns = 100 * kMs},
                   {.onset_ns = 201 * kMs, .error_ns = 100 * kMs}}),
            1u);
}

TEST(Cause, WithinBothErrorsIsAtOnceAndTheResourceTells) {
  EXPECT_EQ(cause({{.onset_ns = 200 * kMs, .error_ns = 100 * kMs},
                   {.onset_ns = 0, .error_ns = 100 * kMs}}),
            std::nullopt);
  EXPECT_EQ(cause({{.onset_ns = 200 * kMs, .error_ns = 100 * kMs, .shows_resource = true},
                   {.onset_ns = 0, .error_ns = 100 * kMs}}),
            0u);
}

TEST(Cause, OfTwoWithTheSameSignsIsNotKnown) {
  EXPECT_EQ(cause({{.has_own_cause = true, .shows_resource = true},
                   {.has_own_cause = true, .shows_resource = true}}),
            std::nullopt);
}

}  // namespace
}  // namespace reveal::peers
