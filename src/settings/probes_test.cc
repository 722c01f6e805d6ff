#include "settings/probes.h"

#include <gmock/gmock.h>

#include "settings/file.h"

namespace reveal::settings {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kMetric = R"([[probes.metric]]
name = "train_step_seconds"
kind = "gauge"
unit = "seconds"
subsystem = "gpu"
)";

std::string error_of(std::string_view text) {
  Given given;
  const auto read = read_settings(text, "reveal.toml", given);
  return read ? "" : read.error().message();
}

Settings read_all(const std::string& text) {
  Given given;
  const auto read = read_settings(text, "reveal.toml", given);
  EXPECT_TRUE(read) << (read ? "" : read.error().message());
  return given.over({});
}

// Returns kMetric with one of its lines replaced.
std::string with(std::string_view line, std::string_view other) {
  std::string out(kMetric);
  return out.replace(out.find(line), line.size(), other);
}

TEST(ProbeSettings, SayWhatAMetricIs) {
  const auto all = read_all(
      "[probes]\ntextfile = \"/var/lib/metrics\"\nstatsd = "
      "\"127.0.0.1:8125\"\n" +
      std::string(kMetric) + "scale = 0.001\nlabel = \"Step\"\n" +
      "[[probes.metric]]\nname = \"jobs:done_total\"\nkind = "
      "\"counter\"\nunit = \"jobs\"\nsubsystem = \"unknown\"\n");
  EXPECT_EQ(all.probes.textfile, "/var/lib/metrics");
  EXPECT_EQ(all.probes.statsd, "127.0.0.1:8125");
  ASSERT_EQ(all.probes.metrics.size(), 2u);
  const auto& step = all.probes.metrics[0];
  EXPECT_EQ(step.name, "train_step_seconds");
  EXPECT_EQ(step.kind, "gauge");
  EXPECT_EQ(step.unit, "seconds");
  EXPECT_EQ(step.subsystem, "gpu");
  EXPECT_EQ(step.label, "Step");
  EXPECT_EQ(step.scale, 0.001);
  EXPECT_EQ(all.probes.metrics[1].label, "Jobs:done total");
  EXPECT_EQ(all.probes.metrics[1].scale, 1.0);
}

TEST(ProbeSettings, SayHowOftenAProgramIsRun) {
  const auto all = read_all(R"([[probes.command]]
run = ["/usr/local/bin/power", "--all racks"]
every = "30s"
timeout = "2s"
[[probes.command]]
run = ["true"]
[[probes.command]]
run = ["true"]
every = "5s"
)");
  ASSERT_EQ(all.probes.commands.size(), 3u);
  EXPECT_THAT(all.probes.commands[0].run, ElementsAre("/usr/local/bin/power", "--all racks"));
  EXPECT_EQ(all.probes.commands[0].every_ns, 30'000'000'000);
  EXPECT_EQ(all.probes.commands[0].timeout_ns, 2'000'000'000);
  EXPECT_EQ(all.probes.commands[1].every_ns, 60'000'000'000);
  EXPECT_EQ(all.probes.commands[1].timeout_ns, 10'000'000'000);
  EXPECT_EQ(all.probes.commands[2].timeout_ns, 5'000'000'000) << "no longer than every";
}

TEST(ProbeSettings, RefuseAMetricThatIsNotSaidInFull) {
  const char* lines[] = {"name = \"train_step_seconds\"\n", "kind = \"gauge\"\n",
                         "unit = \"seconds\"\n", "subsystem = \"gpu\"\n"};
  for (const std::string_view line : lines) {
    const auto key = line.substr(0, line.find(' '));
    EXPECT_THAT(error_of(with(line, "")),
                AllOf(HasSubstr("needs the key " + std::string(key)), HasSubstr("line 1")));
  }
}

TEST(ProbeSettings, RefuseWhatAMetricCannotBe) {
  const auto refused = [](std::string_view line, std::string_view other) {
    return error_of(with(line, other));
  };
  EXPECT_THAT(refused("\"train_step_seconds\"", "\"train step\""),
              AllOf(HasSubstr("name must be letters"), HasSubstr("line 2")));
  EXPECT_THAT(refused("\"train_step_seconds\"", "\"4_steps\""), HasSubstr("name must be"));
  EXPECT_THAT(refused("\"train_step_seconds\"", "\"\""), HasSubstr("name must be"));
  EXPECT_THAT(refused("\"train_step_seconds\"", "7"), HasSubstr("name must be"));
  EXPECT_THAT(refused("\"gauge\"", "\"histogram\""),
              AllOf(HasSubstr("kind must be"), HasSubstr("line 3")));
  EXPECT_THAT(refused("\"gpu\"", "\"GPU\""), HasSubstr("subsystem must be"));
  EXPECT_THAT(refused("\"seconds\"", "\"a\\u001b[31m\""), HasSubstr("unit must be"));
  EXPECT_THAT(error_of(std::string(kMetric) + "scale = 0\n"), HasSubstr("scale must be"));
  EXPECT_THAT(error_of(std::string(kMetric) + "scale = inf\n"), HasSubstr("scale must be"));
  EXPECT_THAT(error_of(std::string(kMetric) + "units = \"s\"\n"),
              AllOf(HasSubstr("units"), HasSubstr("line 6")));
}

TEST(ProbeSettings, RefuseAProgramThatCannotBeRunSo) {
  const auto refused = [](const std::string& lines) {
    return error_of("[[probes.command]]\n" + lines);
  };
  EXPECT_THAT(refused("every = \"9s\"\n"), HasSubstr("needs the key run"));
  EXPECT_THAT(refused("run = \"power --all\"\n"), HasSubstr("must be a list of words"));
  EXPECT_THAT(refused("run = []\n"), HasSubstr("must be a list of words"));
  EXPECT_THAT(refused("run = [\"\"]\n"), HasSubstr("must be a text"));
  EXPECT_THAT(refused("run = [\"a\", 1]\n"), HasSubstr("must be a text"));
  EXPECT_THAT(refused("run = [\"a\"]\nevery = \"1s\"\n"),
              HasSubstr("every must be a time from 2s"));
  EXPECT_THAT(refused("run = [\"a\"]\nevery = \"5s\"\ntimeout = \"6s\"\n"),
              HasSubstr("timeout must not be longer than every"));
  EXPECT_THAT(refused("run = [\"a\"]\nshell = true\n"), HasSubstr("shell"));
  EXPECT_THAT(error_of("[probes.command]\nrun = [\"a\"]\n"), HasSubstr("[[probes.command]]"));
  EXPECT_THAT(error_of("[probes]\ntextfiles = \"/a\"\n"), HasSubstr("textfiles"));
}

}  // namespace
}  // namespace reveal::settings
