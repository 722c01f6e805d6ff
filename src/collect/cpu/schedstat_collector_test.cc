#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "collect/registry.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;

TEST(Schedstat, AFormatThatIsNotKnownIsSaidSo) {
  const auto collector = find_collector("schedstat")->make();
  const fs::path path = fs::path(::testing::TempDir()) / ("sched_" + std::to_string(::getpid()));
  fs::create_directories(path);
  std::ofstream(path / "schedstat") << "version 99\ntimestamp 1\ncpu0 1 2 3 4 5 6 7 8 9\n";
  model::ChannelTable channels;
  ASSERT_TRUE(collector->open({path.string(), path.string()}, channels));
  EXPECT_EQ(channels.channel_count(), 0u);
  const auto why = collector->why_absent(find_collector("schedstat")->metrics().front());
  EXPECT_EQ(why.what, "version 99 of the format is not known");
  fs::remove_all(path);
}

}  // namespace
}  // namespace reveal::collect
