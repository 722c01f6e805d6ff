#include "page/codes.h"

#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "page/testing/decoder.h"

namespace reveal::page {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kMax = std::numeric_limits<double>::max();

TEST(Codes, AreLinearFromLowToHigh) {
  const Scale scale{10, 10 + 65534};
  EXPECT_EQ(code_of(10, scale, CodeBits::k16), 1);
  EXPECT_EQ(code_of(11, scale, CodeBits::k16), 2);
  EXPECT_EQ(code_of(10 + 65534, scale, CodeBits::k16), 65535);
  const Scale small{0, 254};
  EXPECT_EQ(code_of(0, small, CodeBits::k8), 1);
  EXPECT_EQ(code_of(127, small, CodeBits::k8), 128);
  EXPECT_EQ(code_of(254, small, CodeBits::k8), 255);
}

TEST(Codes, OfWhatIsMissingConstantOrOutside) {
  EXPECT_EQ(code_of(kNaN, {0, 1}, CodeBits::k16), 0);
  EXPECT_EQ(code_of(5, {5, 5}, CodeBits::k16), 1);
  EXPECT_EQ(code_of(-1, {0, 1}, CodeBits::k8), 1);
  EXPECT_EQ(code_of(2, {0, 1}, CodeBits::k8), 255);
}

TEST(Codes, OfTheWidestScale) {
  const Scale scale{-kMax, kMax};
  EXPECT_EQ(code_of(-kMax, scale, CodeBits::k8), 1);
  EXPECT_EQ(code_of(0, scale, CodeBits::k8), 128);
  EXPECT_EQ(code_of(kMax, scale, CodeBits::k8), 255);
}

TEST(Planes, AreTheLowBytesOfDifferencesBeforeTheHighOnes) {
  std::string planes;
  append_planes(std::vector<std::uint16_t>{0x0102, 0x0101, 0x0401}, CodeBits::k16, planes);
  EXPECT_THAT(planes, ElementsAre('\x02', '\xFF', '\x00', '\x01', '\xFF', '\x03'));
}

TEST(Planes, ComeBack) {
  base::Rng rng(5);
  for (const CodeBits bits : {CodeBits::k8, CodeBits::k16}) {
    for (const std::size_t count : {1U, 2U, 999U}) {
      std::vector<std::uint16_t> random;
      for (std::size_t i = 0; i < count; ++i) {
        random.push_back(static_cast<std::uint16_t>(rng.next() & greatest_code(bits)));
      }
      const std::vector<std::uint16_t> missing(count, kMissingCode);
      std::string planes;
      append_planes(random, bits, planes);
      append_planes(missing, bits, planes);
      const auto back = decoded(deflated(planes), count, static_cast<unsigned>(bits));
      EXPECT_THAT(back, ElementsAre(ElementsAreArray(random), ElementsAreArray(missing)));
    }
  }
}

}  // namespace
}  // namespace reveal::page
