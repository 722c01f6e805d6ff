#include "agent/fleet_options.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "settings/file.h"

namespace reveal::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

settings::Given given_by(const std::string& file) {
  settings::Given out;
  const auto read = settings::read_settings(file, "reveal.toml", out);
  EXPECT_TRUE(read) << read.error().message();
  return out;
}

std::string error_of(const base::Result<void>& sound) {
  if (sound) return "";
  EXPECT_EQ(sound.error().kind, base::ErrorKind::kUsage);
  return sound.error().message();
}

std::string error_of(const std::string& rest) {
  return error_of(check_fleet(given_by("[fleet]\n" + rest)));
}

TEST(FleetOptions, OfTheDefaultsAreSound) {
  EXPECT_EQ(error_of(""), "");
}

TEST(FleetOptions, AreWhatTheFleetIsTold) {
  const auto given = given_by(
      "[fleet]\nservers = \"tls://a:4222\"\nrole = \"trainer\"\n"
      "labels = [\"rack=r4\", \"note=a=b\"]\n");
  EXPECT_EQ(error_of(check_fleet(given)), "");
  const auto labels = host_labels(given.over({}).fleet);
  ASSERT_TRUE(labels);
  EXPECT_EQ(labels->site, "main");
  EXPECT_EQ(labels->role, "trainer");
  EXPECT_THAT(labels->labels, ElementsAre(Pair("rack", "r4"), Pair("note", "a=b")));
}

TEST(FleetOptions, ErrorsNameTheLine) {
  EXPECT_THAT(error_of("site = \"Main\"\n"), StartsWith("reveal.toml, line 2: site: Main: is no"));
  for (const auto* label : {"rack", "=r4"}) {
    EXPECT_THAT(error_of("labels = \"" + std::string(label) + "\"\n"),
                HasSubstr("line 2: labels: " + std::string(label) + ": is no label"));
  }
  EXPECT_THAT(error_of("servers = \"nats://far:4222\"\n"),
              StartsWith("reveal.toml, line 2: servers: nats://far:4222: a broker on another"));
}

}  // namespace
}  // namespace reveal::agent
