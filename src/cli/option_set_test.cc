#include "cli/option_set.h"

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>

#include "cli/command.h"

namespace reveal::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Options : public ::testing::Test {
 protected:
  Options() {
    record.value("-o,--output", output, "directory").required();
    record.flag("-q,--quiet", quiet, "say nothing");
    record.number("--top", top, 1, 20, "how many");
    record.heading("Analysis");
    record.value("--format", format, "what to print").choices({"text", "json"});
    record.value("--channels", channels, "patterns");
    auto& json = record.flag("--json", as_json, "the same as --format json");
    record.flag("--csv", csv, "a table").excludes(json);
    record.parsed(
        "--odd",
        [this](const std::string& text) -> base::Result<void> {
          odd = text;
          if (text.size() % 2 == 1) return {};
          return base::fail(base::ErrorKind::kUsage, "must be odd", text);
        },
        "odd text");
    baseline.subcommand("save", "learn").value("DIR", directories, "recordings").required();
    program.subcommand("reader", "for reveal itself", "");
  }

  std::string error_of(const std::vector<std::string>& words) {
    const auto read = program.read(words);
    return read ? "" : read.error().message();
  }

  OptionSet program{"reveal", "finds slowdowns", "reveal 1.2.3"};
  OptionSet& record = program.subcommand("record", "record this host", "Recording");
  OptionSet& baseline = program.subcommand("baseline", "what is usual");
  std::string output;
  std::string format = "text";
  std::string odd;
  std::vector<std::string> channels;
  std::vector<std::string> directories;
  bool quiet = false;
  bool as_json = false;
  bool csv = false;
  int top = 10;
};

TEST_F(Options, AreWrittenOnlyIfGiven) {
  ASSERT_EQ(error_of({"record", "-o", "dir"}), "");
  EXPECT_EQ(&program.chosen(), &record);
  EXPECT_EQ(output, "dir");
  EXPECT_FALSE(quiet);
  EXPECT_EQ(top, 10);
  EXPECT_EQ(format, "text");
}

TEST_F(Options, TakeValuesInAllForms) {
  ASSERT_EQ(error_of({"record", "--output=dir", "-q", "--top", "3", "--format", "json",
                      "--channels", "a*", "--channels", "b", "--odd", "abc"}),
            "");
  EXPECT_TRUE(quiet);
  EXPECT_EQ(top, 3);
  EXPECT_EQ(format, "json");
  EXPECT_THAT(channels, ElementsAre("a*", "b"));
  EXPECT_EQ(odd, "abc");
}

TEST_F(Options, ASubcommandOfASubcommandIsChosen) {
  ASSERT_EQ(error_of({"baseline", "save", "a", "b"}), "");
  EXPECT_EQ(program.chosen().path(), "reveal baseline save");
  EXPECT_THAT(directories, ElementsAre("a", "b"));
}

TEST_F(Options, WrongValuesAreNamedWithTheirOption) {
  EXPECT_EQ(error_of({"record", "-o", "d", "--top", "-1"}),
            "--top -1: must be a whole number from 1 to 20 (see reveal record --help)");
  EXPECT_EQ(
      error_of({"record", "-o", "d", "--format", "jsn"}),
      "--format jsn: must be one of text, json; did you mean json? (see reveal record --help)");
  EXPECT_EQ(error_of({"record", "-o", "d", "--odd", "ab"}),
            "--odd ab: must be odd (see reveal record --help)");
}

TEST_F(Options, WhatIsMissingOrTooMuchIsNamed) {
  EXPECT_EQ(error_of({"record"}), "--output is required (see reveal record --help)");
  EXPECT_EQ(error_of({"record", "-o", "d", "word"}),
            "word is one word too many (see reveal record --help)");
  EXPECT_EQ(error_of({"record", "-o", "d", "--formt=x"}),
            "--formt is not an option of reveal record; did you mean --format? (see reveal record "
            "--help)");
  EXPECT_THAT(error_of({"record", "-o", "d", "--json", "--csv"}), HasSubstr("excludes"));
  EXPECT_THAT(error_of({"record", "-o", "d", "--top", "1", "--top", "2"}), HasSubstr("--top"));
}

TEST_F(Options, WordsThatAreNoSubcommandAreNamed) {
  EXPECT_EQ(error_of({"recrod", "--help"}),
            "recrod is not a subcommand; did you mean record? (see reveal --help)");
  EXPECT_EQ(error_of({"watch"}),
            "watch is not a subcommand; there are record, baseline (see reveal --help)");
  EXPECT_THAT(error_of({"baseline", "drop"}),
              HasSubstr("there are save (see reveal baseline --help)"));
  EXPECT_THAT(error_of({}), HasSubstr("subcommand"));
}

TEST_F(Options, HelpGroupsThemUnderTheirHeadings) {
  ASSERT_EQ(error_of({"record", "--help"}), "");
  const auto& help = *program.wanted_text();
  EXPECT_THAT(help, HasSubstr("Usage: reveal record --output TEXT [OPTIONS]\n"));
  EXPECT_THAT(help, HasSubstr("\n  -o, --output TEXT         directory (required)\n"));
  EXPECT_THAT(help, HasSubstr("      --top N               how many (default: 10)\n"));
  EXPECT_LT(help.find("--top"), help.find("\nAnalysis:\n"));
  EXPECT_LT(help.find("\nAnalysis:\n"), help.find("--format"));
  EXPECT_THAT(help, HasSubstr("what to print: text, json (default: text)"));
}

TEST_F(Options, HelpDoesNotNameWhatIsHidden) {
  ASSERT_EQ(error_of({"--help"}), "");
  EXPECT_THAT(*program.wanted_text(), HasSubstr("\nRecording:\n  record  "));
  EXPECT_THAT(*program.wanted_text(), Not(HasSubstr("reader")));
  ASSERT_EQ(error_of({"--version"}), "");
  EXPECT_EQ(*program.wanted_text(), "reveal 1.2.3\n");
}

TEST(Subcommands, HelpOfEachHasNoLineThatIsTooLong) {
  OptionSet program("reveal", "", "");
  std::vector<Action> actions;
  for (const auto& command : registry()) {
    actions.push_back(command.declare(program.subcommand(command.name, command.summary)));
    ASSERT_TRUE(program.read({std::string(command.name), "--help"}));
    std::istringstream help(*program.wanted_text());
    for (std::string line; std::getline(help, line);) {
      EXPECT_LE(line.size(), 80u) << command.name << ": " << line;
    }
  }
}

}  // namespace
}  // namespace reveal::cli
