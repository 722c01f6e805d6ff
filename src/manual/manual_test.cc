#include <set>
#include <sstream>
#include <string>

#include <gmock/gmock.h>

#include "manual/command_row.h"
#include "manual/completion.h"
#include "manual/documents.h"
#include "manual/help.h"
#include "manual/man_page.h"

namespace reveal::manual {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

CommandRow program() {
  CommandRow out{.name = "reveal", .path = "reveal", .summary = "finds slowdowns"};
  CommandRow record{.name = "record",
                    .path = "reveal record",
                    .summary = "record this host's \\ state",
                    .listed_under = "Watch",
                    .takes_command = true};
  record.options = {
      {.names = "-o,--output", .placeholder = "DIR", .help = "where", .required = true},
      {.names = "--format",
       .placeholder = "NAME",
       .help = "what [to] print: all",
       .shown_default = "text",
       .choices = {"text", "json"}},
      {.names = "--detectors", .placeholder = "NAMES", .suggestions = {"a", "b"}},
      {.names = "--quiet", .help = "say nothing"}};
  CommandRow baseline{.name = "baseline", .path = "reveal baseline", .listed_under = "Judge"};
  CommandRow save{.name = "save",
                  .path = "reveal baseline save",
                  .summary = "learn",
                  .listed_under = "Subcommands"};
  save.options = {{.names = "FILE", .placeholder = "FILE", .help = "of it", .required = true},
                  {.names = "DIR", .placeholder = "DIR", .help = "of runs", .repeats = true}};
  baseline.subcommands = {save};
  CommandRow reader{.name = "reader", .path = "reveal reader", .summary = "for reveal itself"};
  out.subcommands = {record, baseline, reader};
  return out;
}

TEST(Rows, SayWhatAValueIs) {
  const auto all = program();
  const auto& record = all.subcommands[0].options;
  EXPECT_TRUE(record[0].takes_directories());
  EXPECT_FALSE(record[0].takes_files());
  EXPECT_TRUE(record[2].takes_list());
  EXPECT_THAT(record[0].all_names(), ElementsAre("-o", "--output"));
  EXPECT_THAT(record[1].words(), ElementsAre("text", "json"));
  EXPECT_THAT(record[2].words(), ElementsAre("a", "b"));
}

TEST(Usage, NamesWhatIsRequiredPlacesAndCmd) {
  const auto all = program();
  EXPECT_EQ(usage(all), "reveal SUBCOMMAND [OPTIONS]");
  EXPECT_EQ(usage(all.subcommands[0]), "reveal record --output DIR [OPTIONS] [-- CMD...]");
  EXPECT_EQ(usage(all.subcommands[1].subcommands[0]),
            "reveal baseline save [OPTIONS] FILE [DIR...]");
}

TEST(Help, HasNoHiddenSubcommand) {
  EXPECT_THAT(help_text(program()), HasSubstr("\nWatch:\n  record  "));
  EXPECT_THAT(help_text(program()), Not(HasSubstr("reader")));
}

TEST(ManPage, NamesWhatItsCommandHas) {
  const auto all = program();
  const PageFacts facts{"1.2.3", "2026-11-25", "/etc/reveal.toml", "/usr/share/doc/reveal"};
  const auto page = man_page(all, all.subcommands[0], facts);
  EXPECT_TRUE(
      page.starts_with(".TH REVEAL\\-RECORD 1 \"2026-11-25\" \"Reveal 1.2.3\" \"Reveal\"\n"))
      << page;
  EXPECT_THAT(page, HasSubstr("reveal\\-record \\- record this host\\(aqs \\e state\n"));
  EXPECT_THAT(page,
              HasSubstr("\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIDIR\\fR\nwhere (required)\n"));
  EXPECT_THAT(page, HasSubstr("[\\-\\- CMD...]"));
  EXPECT_THAT(page, HasSubstr("/usr/share/doc/reveal"));
  const auto other = man_page(all, all.subcommands[1], facts);
  EXPECT_THAT(other, HasSubstr(".SH \"REVEAL BASELINE SAVE\"\n"));
  EXPECT_THAT(other, HasSubstr("of runs"));
  EXPECT_THAT(man_page(all, all, facts), Not(HasSubstr("reader")));
}

TEST(ManPage, NoLineOfTextIsARequest) {
  auto all = program();
  all.subcommands[0].options[0].help = ".hidden files too";
  EXPECT_THAT(man_page(all, all.subcommands[0], {}), HasSubstr("\n\\&.hidden files too"));
}

TEST(Completion, OfEachShellHasAllThatIsListed) {
  for (const auto& shell : shells()) {
    const auto script = shell.script(program());
    for (const auto* word : {"record", "save", "output", "detectors", "json"}) {
      EXPECT_THAT(script, HasSubstr(word)) << shell.name;
    }
    EXPECT_THAT(script, Not(HasSubstr("reader"))) << shell.name;
  }
}

TEST(Completion, TextIsQuoted) {
  auto all = program();
  all.subcommands[0].options[3].help = "it's $(quiet) \\ [now]: `yes`";
  EXPECT_THAT(zsh_completion(all),
              HasSubstr("'(--quiet)''--quiet''[it'\\''s $(quiet) \\\\ \\[now\\]: `yes`]'"));
  EXPECT_THAT(fish_completion(all), HasSubstr("-d 'it\\'s $(quiet) \\\\ [now]: `yes`'"));
}

TEST(Documents, AreNamedByTheirPathsIfTheyAreThere) {
  const auto there = [](const std::filesystem::path& path) {
    return path == "/usr/share/doc/reveal/docs/how_to/sql.md";
  };
  const auto named = [&](std::string_view text) {
    return with_documents(text, "/usr/share/doc/reveal", there);
  };
  EXPECT_EQ(named("in SQL (docs/how_to/sql.md)"),
            "in SQL (/usr/share/doc/reveal/docs/how_to/sql.md)");
  EXPECT_EQ(named("docs/how_to/sql.md: how"), "/usr/share/doc/reveal/docs/how_to/sql.md: how");
  EXPECT_EQ(named("(docs/scores.md)"), "(docs/scores.md)");
  EXPECT_EQ(named("my/docs/how_to/sql.md"), "my/docs/how_to/sql.md");
  EXPECT_EQ(named("./docs/how_to/sql.md docs/"), "./docs/how_to/sql.md docs/");
}

}  // namespace
}  // namespace reveal::manual
