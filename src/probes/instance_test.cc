#include "probes/instance.h"

#include <gtest/gtest.h>

namespace reveal::probes {
namespace {

TEST(Instance, DoesNotDependOnTheOrderOfLabels) {
  EXPECT_EQ(instance_of({{"rank", "3"}, {"host", "a"}}), "host=a,rank=3");
  EXPECT_EQ(instance_of({{"host", "a"}, {"rank", "3"}}), "host=a,rank=3");
  EXPECT_EQ(instance_of({}), "");
  EXPECT_EQ(instance_of({{"rank", "3"}, {"job", ""}}), "rank=3") << "an empty label is none";
}

TEST(Instance, CannotBeBrokenOrForgedByAValue) {
  EXPECT_EQ(instance_of({{"a", "x,gpu=0"}}), "a=x_gpu_0");
  EXPECT_EQ(instance_of({{"a", "{\"}"}}), "a=___");
  EXPECT_EQ(instance_of({{"a", "\x1b[31m\n\x7f"}}), "a=_[31m__");
  EXPECT_EQ(instance_of({{"a", "\xff\xc3\xa9"}}), "a=_\xc3\xa9");
}

TEST(Instance, IsBounded) {
  Labels many;
  for (int i = 0; i < 17; ++i) many.emplace_back("k" + std::to_string(i), "1");
  EXPECT_FALSE(instance_of(many));
  many.pop_back();
  EXPECT_TRUE(instance_of(many));
  EXPECT_TRUE(instance_of({{"a", std::string(198, 'x')}}));
  EXPECT_FALSE(instance_of({{"a", std::string(199, 'x')}}));
}

TEST(Instance, NamesAreThoseOfPrometheus) {
  for (const char* good : {"a", "_a", "job:steps_total", "A9"}) EXPECT_TRUE(is_metric_name(good));
  for (const char* bad : {"", "9a", "a b", "a-b", "a.b", "\xc3\xa9"}) {
    EXPECT_FALSE(is_metric_name(bad)) << bad;
  }
  EXPECT_TRUE(is_metric_name(std::string(200, 'a')));
  EXPECT_FALSE(is_metric_name(std::string(201, 'a')));
}

}  // namespace
}  // namespace reveal::probes
