#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "collect/registry.h"
#include "collect/testing/test_host.h"

namespace reveal::collect {
namespace {

// All keys of Linux 6.18, each with a value of its own.
TEST(Meminfo, EachKeyOfTheKernelHasItsMetric) {
  std::ifstream file(REVEAL_SOURCE_DIR "/tests/hosts/vm-2cpu-linux-6.18/proc/meminfo");
  TestHost host(*find_collector("meminfo"));
  std::string text;
  std::size_t keys = 0;
  for (std::string line; std::getline(file, line);) {
    const bool in_pages = line.find("kB") == std::string::npos;
    text += line.substr(0, line.find(':') + 1) + " " + std::to_string(100 + keys++) +
            (in_pages ? "\n" : " kB\n");
  }
  host.write("proc/meminfo", text);
  ASSERT_TRUE(host.open());
  host.tick();
  EXPECT_EQ(host.channels(), keys);
  std::size_t number = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line); ++number) {
    const auto key = line.substr(0, line.find(':'));
    const double unit = line.find("kB") == std::string::npos ? 1 : 1024;
    bool found = false;
    for (const auto& metric : find_collector("meminfo")->metrics()) {
      if (metric.alias != key) continue;
      found = true;
      EXPECT_EQ(host.value(metric.name), static_cast<double>(100 + number) * unit) << key;
    }
    EXPECT_TRUE(found) << key;
  }
}

}  // namespace
}  // namespace reveal::collect
