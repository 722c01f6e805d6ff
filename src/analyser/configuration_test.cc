#include "analyser/configuration.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "settings/file.h"

namespace reveal::analyser {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;

settings::Given given_by(const std::string& file) {
  settings::Given out;
  const auto read = settings::read_settings(file, "reveal.toml", out);
  EXPECT_TRUE(read) << read.error().message();
  return out;
}

void give(settings::Given& given, const char* section, const char* key, const char* text) {
  EXPECT_TRUE(given.by_flag(*settings::find_setting(section, key), text));
}

std::string error_of(const std::string& file) {
  const auto options = options_of(given_by(file));
  if (options) return "";
  EXPECT_EQ(options.error().kind, base::ErrorKind::kUsage);
  return options.error().message();
}

TEST(AnalyserConfiguration, IsThatOfTheLoopbackByItself) {
  const auto options = options_of({});
  ASSERT_TRUE(options) << options.error().message();
  EXPECT_EQ(options->broker.url, "nats://127.0.0.1:4222");
  EXPECT_EQ(options->broker.name, "reveal analyser");
  EXPECT_EQ(options->keep_days, 365u);
  EXPECT_EQ(options->epoch, 1u);
  EXPECT_FALSE(options->makes_streams);
  EXPECT_EQ(options->database, "");
  EXPECT_THAT(options->alerts.receivers, IsEmpty());
}

TEST(AnalyserConfiguration, FlagsWinOverTheFile) {
  auto given = given_by(
      "[fleet]\nservers = \"tls://a:4222\"\nuser = \"u\"\npassword_file = \"p\"\n"
      "[analyser]\ndatabase = \"/fleet.db\"\nkeep_days = 7\nmake_streams = true\nreplicas = 3\n"
      "url = \"https://fleet.example\"\n"
      "[alerts]\nlabels = \"cluster=a\"\n[[alerts.webhook]]\nurl = \"http://h/\"\n");
  give(given, "analyser", "keep_days", "9");
  const auto options = options_of(given);
  ASSERT_TRUE(options) << options.error().message();
  EXPECT_EQ(options->broker.url, "tls://a:4222");
  EXPECT_EQ(options->broker.user, "u");
  EXPECT_EQ(options->database, "/fleet.db");
  EXPECT_EQ(options->keep_days, 9u);
  EXPECT_EQ(options->replicas, 3u);
  EXPECT_TRUE(options->makes_streams);
  EXPECT_EQ(options->page_url, "https://fleet.example");
  EXPECT_THAT(options->alerts.labels, ElementsAre(Pair("cluster", "a")));
  EXPECT_THAT(options->alerts.receivers, SizeIs(1));
  EXPECT_TRUE(options->alerts.state_file.empty()) << "the database knows what was told";
}

TEST(AnalyserConfiguration, WhoTheAgentIsIsNotWhoTheAnalyserIs) {
  auto given = given_by(
      "[fleet]\nservers = \"tls://a:4222\"\nuser = \"u\"\npassword_file = \"p\"\n"
      "[fleet.tls]\nca_file = \"ca\"\n");
  give(given, "fleet", "credentials_file", "c");
  const auto options = options_of(given);
  ASSERT_TRUE(options) << options.error().message();
  EXPECT_EQ(options->broker.user, "");
  EXPECT_EQ(options->broker.password_file, "");
  EXPECT_EQ(options->broker.credentials_file, "c");
  EXPECT_EQ(options->broker.ca_file, "ca");
}

TEST(AnalyserConfiguration, ErrorsNameTheirPlace) {
  EXPECT_THAT(error_of("[fleet]\nservers = \"nats://far:4222\"\n"),
              StartsWith("reveal.toml, line 2: servers: nats://far:4222: "));
  EXPECT_THAT(error_of("[analyser]\nurl = \"fleet\"\n"),
              StartsWith("reveal.toml, line 2: url: fleet: is no address"));
  EXPECT_THAT(error_of("[[alerts.webhook]]\nurl = \"ftp://x\"\n"),
              HasSubstr("alerts.webhook[0].url"));
  settings::Given given;
  give(given, "fleet", "servers", "nats://far:4222");
  const auto options = options_of(given);
  ASSERT_FALSE(options);
  EXPECT_THAT(options.error().message(), StartsWith("--servers: nats://far:4222: "));
}

TEST(AnalyserConfiguration, FilesThatAreNamedAreLookedInto) {
  for (const auto& [file, place] :
       {std::pair("[fleet]\ncredentials_file = \"/nowhere\"\n", "line 2: credentials_file"),
        std::pair("[[alerts.webhook]]\nurl = \"http://h/\"\ntoken_file = \"/nowhere\"\n",
                  "alerts.webhook[0].token_file")}) {
    const auto given = given_by(file);
    EXPECT_TRUE(options_of(given)) << file;
    const auto sound = check_with_files(given);
    ASSERT_FALSE(sound) << file;
    EXPECT_EQ(sound.error().kind, base::ErrorKind::kUsage);
    EXPECT_THAT(sound.error().message(), HasSubstr(place));
  }
}

}  // namespace
}  // namespace reveal::analyser
