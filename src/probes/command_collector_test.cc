#include "probes/command_collector.h"

#include <chrono>
#include <thread>

#include <gmock/gmock.h>

#include "probes/testing/reading.h"

namespace reveal::probes {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Command shell(const std::string& script) {
  return {{"/bin/sh", "-c", script}, seconds(60), seconds(20)};
}

Reading reading(const std::vector<Command>& commands) {
  return Reading(std::make_unique<CommandCollector>(commands, declared()));
}

// Reads until a channel has a new value, or something was said of the command.
void tick_until(Reading& probe, std::string_view channel) {
  for (int i = 0; i < 4000; ++i) {
    probe.tick();
    if (probe.is_new(channel) || !probe.remark("command /bin/sh").empty()) return;
    std::this_thread::sleep_for(milliseconds(5));
  }
}

TEST(CommandCollector, ValuesOfARunStand) {
  auto probe = reading({shell("echo 'power_kilowatts{rack=\"a\"} 2.5'")});
  ASSERT_TRUE(probe.open());
  tick_until(probe, "power_kilowatts{rack=a}");
  EXPECT_EQ(probe.value("power_kilowatts{rack=a}"), 2.5);
  probe.tick();
  EXPECT_EQ(probe.value("power_kilowatts{rack=a}"), 2.5);
  EXPECT_FALSE(probe.is_new("power_kilowatts{rack=a}"));
}

TEST(CommandCollector, AFailureIsSaidAndItsOutputIsNotBelieved) {
  auto probe = reading({shell("echo power_kilowatts 2.5; exit 1")});
  ASSERT_TRUE(probe.open());
  tick_until(probe, "power_kilowatts");
  EXPECT_EQ(probe.remark("command /bin/sh"), "ended with status 1");
  EXPECT_FALSE(probe.value("power_kilowatts"));
}

TEST(CommandCollector, AReadingNeverWaits) {
  auto probe = reading({shell("sleep 300"), shell("echo power_kilowatts 2.5")});
  ASSERT_TRUE(probe.open());
  const auto begin = Clock::now();
  probe.tick();
  EXPECT_LT(Clock::now() - begin, seconds(5));
  tick_until(probe, "power_kilowatts");
  EXPECT_EQ(probe.value("power_kilowatts"), 2.5) << "one that hangs holds back no other";
}

TEST(CommandCollector, ALineThatIsNoSampleIsSaid) {
  auto probe = reading({shell("echo Usage: power; echo power_kilowatts 2.5")});
  ASSERT_TRUE(probe.open());
  tick_until(probe, "power_kilowatts");
  EXPECT_EQ(probe.value("power_kilowatts"), 2.5);
  EXPECT_EQ(probe.remark("command /bin/sh"), "its output, line 1: the value is not a number");
}

}  // namespace
}  // namespace reveal::probes
