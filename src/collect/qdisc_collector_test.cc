#include <filesystem>
#include <set>
#include <string>

#include <gmock/gmock.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;

TEST(QdiscCollector, ACapturedTreeIsNotAskedHere) {
  TestHost host(*find_collector("qdisc"));
  host.write("proc/net/dev", "");
  const auto opened = host.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent);
}

// The kernel's list of interfaces is another way to ask for their names.
TEST(QdiscCollectorLive, NamesInterfacesOfThisMachine) {
  const auto collector = find_collector("qdisc")->make();
  model::ChannelTable channels;
  const auto opened = collector->open({}, channels);
  if (!opened) {
    ASSERT_EQ(opened.error().kind, base::ErrorKind::kAbsent) << opened.error().message();
    GTEST_SKIP() << opened.error().message();
  }
  std::set<std::string> known;
  for (const auto& entry : fs::directory_iterator("/sys/class/net")) {
    known.insert("dev=" + entry.path().filename().string());
  }
  ASSERT_GT(channels.channel_count(), 0u);
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    const std::string name(channels.name(model::ChannelId(i)));
    const auto brace = name.find('{');
    ASSERT_NE(brace, std::string::npos) << name;
    EXPECT_TRUE(known.contains(name.substr(brace + 1, name.size() - brace - 2))) << name;
  }
}

}  // namespace
}  // namespace reveal::collect
