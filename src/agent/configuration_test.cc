#include "agent/configuration.h"

#include <string>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/new_file.h"
#include "base/temp_dir.h"

namespace reveal::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kStart = "[record]\nkeep = \"24h\"\n[alerts]\nresend = \"30s\"\n";

class Held : public ::testing::Test {
 protected:
  Held() : held_(HeldConfiguration::begin(kStart, "reveal.toml").value()) {}

  base::Result<std::string> reload(const std::string& text) {
    EXPECT_TRUE(base::write_new_file(file_, text));
    return held_.reload(file_);
  }
  std::string why_not(const std::string& text) {
    const auto done = reload(text);
    return done ? "it holds: " + *done : done.error().message();
  }
  std::string recorder() const { return text_behind(held_.recorder_fd()).value(); }
  std::string judge() const { return text_behind(held_.judge_fd()).value(); }

  base::TempDir dir_;
  std::filesystem::path file_ = dir_.path() / "reveal.toml";
  HeldConfiguration held_;
};

TEST_F(Held, ThePartsHaveTheTextOfTheStartAlsoTwice) {
  EXPECT_EQ(recorder(), kStart);
  EXPECT_EQ(judge(), kStart);
  EXPECT_EQ(judge(), kStart);
  EXPECT_THAT(held_.not_in_force(), IsEmpty());
}

TEST_F(Held, AReloadIsTheJudgesAloneAndSaysWhatItChanges) {
  const std::string next =
      "[record]\nkeep = \"7d\"\n[alerts]\nresend = \"1m\"\n[[alerts.journal]]\n";
  EXPECT_EQ(reload(next).value(),
            "changed: alerts.resend, alerts.journal; after a restart only: record.keep");
  EXPECT_EQ(recorder(), kStart);
  EXPECT_EQ(judge(), next);
  EXPECT_THAT(held_.not_in_force(), ElementsAre("record.keep"));
  // What waits is told again each time, what has changed once.
  EXPECT_EQ(reload(next).value(), "after a restart only: record.keep");
  EXPECT_EQ(reload(kStart).value(), "changed: alerts.resend, alerts.journal");
  EXPECT_THAT(held_.not_in_force(), IsEmpty());
  EXPECT_EQ(reload(kStart).value(), "no setting has changed");
}

TEST_F(Held, TheFirstProcessAndTheRecorderGoOnWithWhatTheyHave) {
  ASSERT_TRUE(
      reload("[agent]\ndirectory = \"/elsewhere\"\ndaily_report = false\n[record]\nkeep = \"2d\"\n"
             "[collect]\nslow = \"20s\"\n[collect.poll_classes]\nedac = \"off\"\n"));
  EXPECT_THAT(held_.not_in_force(), ElementsAre("agent.directory", "record.keep", "collect.slow",
                                                "collect.poll_classes"));
}

TEST_F(Held, WhatIsWrongInAnyPartChangesNothing) {
  EXPECT_THAT(why_not("[record]\nkeeep = \"7d\"\n"), HasSubstr("line 2"));
  EXPECT_THAT(why_not("[analysis]\nagreement = 100\n"),
              HasSubstr("line 2: agreement: 100: is more than"));
  EXPECT_THAT(why_not("[analysis]\nbaseline = \"/nonexistent/baseline\"\n"),
              HasSubstr("line 2: baseline: /nonexistent/baseline: "));
  EXPECT_THAT(why_not("[[alerts.webhook]]\nurl = \"nowhere\"\n"), HasSubstr("alerts.webhook"));
  EXPECT_THAT(why_not("[web]\nlisten = [\"10.0.0.5:7383\"]\n"), HasSubstr("line 2: listen"));
  EXPECT_THAT(why_not("[fleet]\nservers = [\"http://broker\"]\n"), HasSubstr("line 2: servers"));
  EXPECT_THAT(why_not("[record"), HasSubstr("reveal.toml"));
  EXPECT_EQ(judge(), kStart);
  EXPECT_THAT(held_.not_in_force(), IsEmpty());
}

TEST(ConfigurationOfTheAgent, LimitsTheRecordingIfNobodyElseDoes) {
  const auto of = [](const std::string& text) {
    return configuration_of(text, "reveal.toml", {}).value().settings.record;
  };
  EXPECT_EQ(of("").min_free.kind, settings::FreeSpace::Kind::kUsualOfService);
  EXPECT_EQ(of("[record]\nmin_free = \"auto\"\n").min_free, of("").min_free);
  EXPECT_EQ(of("[record]\nmin_free = 64\n").min_free.amount, std::uint64_t{64} << 20);
  EXPECT_EQ(of("").max_bytes, std::uint64_t{10} << 30);
  EXPECT_EQ(of("[record]\nkeep = \"1d\"\n").max_bytes, 0U);
  EXPECT_EQ(of("[record]\nmax_size = \"20GiB\"\n").max_bytes, std::uint64_t{20} << 30);
  // The recorder has the same.
  const auto kept = text_in_memory("").value();
  EXPECT_EQ(held_settings(kept.get(), "reveal.toml", {}).value().record.max_bytes,
            std::uint64_t{10} << 30);
}

TEST(ConfigurationOfTheAgent, RefusesASizeWhoseSharesWouldBeOfNoUse) {
  const auto small = configuration_of("\n[record]\nmax_size = \"63MiB\"\n", "reveal.toml", {});
  ASSERT_FALSE(small);
  EXPECT_THAT(small.error().message(), HasSubstr("reveal.toml, line 3: max_size"));
  EXPECT_THAT(small.error().message(), HasSubstr("must be at least 64MiB for an agent"));
  EXPECT_TRUE(configuration_of("[record]\nmax_size = \"64MiB\"\n", "reveal.toml", {}));
}

TEST(ConfigurationOfTheAgent, DownsamplesOnlyWhatIsStillThere) {
  const auto error = [](const std::string& text) {
    const auto sound = configuration_of("[agent]\ndownsample = true\n" + text, "reveal.toml", {});
    return sound ? "" : sound.error().message();
  };
  EXPECT_EQ(error("[record]\nkeep = \"7d\"\n"), "");
  EXPECT_THAT(error("[record]\nkeep = \"24h\"\n"),
              HasSubstr("reveal.toml, line 4: keep: must be longer than full"));
  EXPECT_THAT(error("[retention]\nfull = \"8d\"\n"),
              HasSubstr("[retention] second: must be longer"));
  EXPECT_THAT(error("[retention]\nsecond = \"91d\"\n"), HasSubstr("minute: must be longer"));
  EXPECT_TRUE(configuration_of("[record]\nkeep = \"1h\"\n", "reveal.toml", {}));
}

TEST(TextInMemory, IsInheritedByNobodyWhoIsNotMeant) {
  const std::string text(100'000, 'a');  // of more than one read
  const auto kept = text_in_memory(text).value();
  EXPECT_EQ(::fcntl(kept.get(), F_GETFD), FD_CLOEXEC);
  ::fcntl(kept.get(), F_SETFD, 0);
  EXPECT_EQ(text_behind(kept.get()).value(), text);
  EXPECT_EQ(::fcntl(kept.get(), F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(text_behind(text_in_memory("").value().get()).value(), "");
  EXPECT_FALSE(text_behind(-1));
}

TEST(HeldPart, OfTheRecorderDoesNotFailForTheJudgesMistake) {
  const auto kept = text_in_memory("[analysis]\nbaseline = \"/nonexistent/baseline\"\n").value();
  EXPECT_FALSE(held_configuration(kept.get(), "reveal.toml", {}));
  EXPECT_EQ(held_settings(kept.get(), "reveal.toml", {}).value().analysis.compared_with,
            "/nonexistent/baseline");
}

}  // namespace
}  // namespace reveal::agent
