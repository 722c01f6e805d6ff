#include "peers/columns.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::peers {
namespace {

using testing::ElementsAre;

std::shared_ptr<const Meaning> meaning(const std::vector<std::string>& metrics) {
  auto out = std::make_shared<Meaning>();
  for (const auto& metric : metrics) {
    MeantQuantity one;
    one.quantity.metric = metric;
    out->quantities.push_back(one);
  }
  return out;
}

TEST(Columns, AreThoseOfAllDictionaries) {
  Columns columns;
  const auto first = meaning({"a", "b"});
  const auto second = meaning({"c", "b"});
  const auto places = columns.places_of(first);
  EXPECT_THAT(*places, ElementsAre(0, 1));
  EXPECT_THAT(*columns.places_of(second), ElementsAre(-1, 1, 0));
  EXPECT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns.places_of(first), places);
  EXPECT_EQ(place_in(*places, 2), -1);
  EXPECT_EQ(columns.find("c channel"), 2u);
  EXPECT_EQ(columns.find("d channel"), std::nullopt);
}

TEST(Columns, ThatNobodyHasAnyMoreAreRemoved) {
  Columns columns;
  const auto first = meaning({"a", "b", "c"});
  const auto second = meaning({"d", "c"});
  auto of_first = columns.places_of(first);
  const auto of_second = columns.places_of(second);
  columns[2].pooled = 7;
  EXPECT_EQ(columns.compact(), std::nullopt);
  of_first.reset();
  EXPECT_THAT(columns.compact(), testing::Optional(ElementsAre(2, 3)));
  EXPECT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns[0].quantity.metric, "c");
  EXPECT_EQ(columns[0].pooled, 7);
  EXPECT_THAT(*of_second, ElementsAre(1, 0));
  EXPECT_EQ(columns.find("a channel"), std::nullopt);
  EXPECT_THAT(*columns.places_of(meaning({"a", "d"})), ElementsAre(-1, 1, 0));
}

// As many as containers come and go in a day.
TEST(Columns, DoNotGrowWithWhatComesAndGoes) {
  Columns columns;
  const auto stays = meaning({"a"});
  const auto places = columns.places_of(stays);
  for (int i = 0; i < 3000; ++i) {
    const auto goes = meaning({"a", "b" + std::to_string(i)});
    static_cast<void>(columns.places_of(goes));
    if (i % 20 == 0) columns.compact();
    ASSERT_LT(columns.size(), 40u);
  }
}

}  // namespace
}  // namespace reveal::peers
