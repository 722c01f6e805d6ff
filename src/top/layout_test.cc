// Screens as text, at several sizes, with names that would harm a terminal.
#include "top/layout.h"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/safe_text.h"

namespace reveal::top {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kTen = 1'795'255'200 * kSecond;  // 2026-11-21T10:00:00Z

// Two minutes of a host, of which storage was unusual in the last seconds but ten.
View example() {
  View view;
  view.host = "node7";
  view.doing = "live";
  view.begin_ns = kTen;
  view.shown_ns = kTen + 120 * kSecond;
  view.judged = 120;
  view.stride_ns = kSecond;
  view.votes = 3;
  for (std::size_t s = 0; s < view.strips.size(); ++s) {
    auto& strip = view.strips[s];
    strip.subsystem = static_cast<model::Subsystem>(s);
    strip.seen =
        strip.subsystem != model::Subsystem::kGpu && strip.subsystem != model::Subsystem::kUnknown;
    for (int i = 0; i < 120; ++i) {
      const bool hit = strip.subsystem == model::Subsystem::kStorage && i >= 105 && i < 110;
      strip.windows.push_back({i >= 10, hit ? 1.0 : 0.2, hit});
    }
  }
  for (std::uint64_t i = 0; i < 120; ++i) view.window_ids.push_back(i);
  view.findings.push_back(
      {"Disk read sectors' maximum on sda exceeds the baseline: 41 943 "
       "sectors/s against a median of 120 sectors/s",
       model::Subsystem::kStorage, kTen + 105 * kSecond, kTen + 112 * kSecond, 3, 4.25,
       "Disk write time's mean on sda exceeds the baseline: 90 % against a median of 2 %",
       "Look at who reads."});
  view.channels = {{"Disk read sectors on sda", 41943, 120, "sectors/s", 78.25, {1, 1, 9, 1}},
                   {"Busy time on CPU 3", 0.07, 0.95, "ratio", live::kFarthestShown, {0.5, 0.5}}};
  view.channels_found = 2;
  view.channels_known = 2;
  return view;
}

std::string text_of(const View& view, Size size, bool utf8 = true) {
  return to_text(layout(view, size, utf8));
}

std::string row_with(const std::string& text, const std::string& words) {
  const auto at = text.find(words);
  if (at == std::string::npos) return "";
  const auto begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

TEST(Layout, SaysTheStateOfAHostInEightyByTwentyFour) {
  const auto text = text_of(example(), {24, 80});
  EXPECT_THAT(row_with(text, "node7"),
              AllOf(HasSubstr("2 min 0 s to 10:02:00.0 UTC"), HasSubstr("1 finding")));
  EXPECT_THAT(row_with(text, "gpu"), HasSubstr("none of its signals is there"));
  EXPECT_THAT(text, HasSubstr("! storage since 10:01:45.0, 7.0 s, 3 of 3 votes, moderate (4.2 s)\n"
                              "  Disk read sectors' maximum on sda exceeds the baseline: 41 943 "
                              "sectors/s\n  against a median of 120 sectors/s\n"));
  EXPECT_THAT(text, HasSubstr("\n  Evidence: Disk write time's mean on sda exceeds the baseline: "
                              "90 % against a …\n  Try: Look at who reads.\n"));
  EXPECT_THAT(row_with(text, "Disk read sectors on"),
              AllOf(HasSubstr(" 41 943 sectors "), HasSubstr("120 sectors/s"), HasSubstr("78.2")));
  EXPECT_THAT(row_with(text, "Busy time"), AllOf(HasSubstr("7 %"), HasSubstr(">998")));
  EXPECT_THAT(text, HasSubstr("q quit"));
}

TEST(Layout, AMarkIsAtItsTimeAndInItsSubsystemAlone) {
  // 120 windows in 72 cells: two a cell, and the last one holds windows 118 and 119.
  const auto text = text_of(example(), {24, 80});
  const auto strip = row_with(text, "storage ");
  ASSERT_EQ(text::columns_of(strip), 80u);
  EXPECT_THAT(row_with(text, "cpu "), Not(HasSubstr("!")));
  std::string marks;
  for (std::size_t from = 0; from < 80; ++from) {
    marks += text::cut(strip, from + 1).substr(text::cut(strip, from).size()) == "!" ? '!' : '.';
  }
  // Windows 105 to 109 are in cells 52 to 54 of 0 to 59, which end at column 79.
  EXPECT_EQ(marks, std::string(72, '.') + "!!!" + std::string(5, '.'));
}

TEST(Layout, ChannelsWhoseSubsystemIsNotKnownHaveAStripIfThereAreSome) {
  auto view = example();
  view.findings.front().subsystem = model::Subsystem::kUnknown;
  EXPECT_EQ(row_with(text_of(view, {24, 80}), "unknown  "), "");
  EXPECT_THAT(row_with(text_of(view, {24, 80}), "! subsystem unknown since"), HasSubstr("votes"));
  view.strips.back().seen = true;
  for (const std::size_t rows : {10u, 16u, 24u}) {
    const auto text = text_of(view, {rows, 80});
    EXPECT_EQ(text::columns_of(row_with(text, "unknown  ")), 80u);
    EXPECT_EQ(std::ranges::count(text, '\n'), static_cast<std::ptrdiff_t>(rows));
    EXPECT_THAT(text, HasSubstr("q quit"));
  }
}

TEST(Layout, WindowsBeforeAnythingWasUsualAreNoBlocks) {
  const auto strip = row_with(text_of(example(), {24, 200}), "cpu ");
  EXPECT_THAT(strip, HasSubstr(" ··········▂"));  // ten
}

TEST(Layout, EveryLineFitsAndEveryScreenIsFull) {
  auto view = example();
  view.channels.resize(200, view.channels[0]);
  view.findings.resize(12, view.findings[0]);
  view.host = std::string(300, 'h');
  view.doing = "following /" + std::string(300, 'd');
  for (const bool utf8 : {true, false}) {
    for (std::size_t rows = 10; rows <= 60; rows += 2) {
      for (const std::size_t columns : {40u, 41u, 55u, 56u, 60u, 79u, 80u, 81u, 120u, 200u}) {
        const auto screen = layout(view, {rows, columns}, utf8);
        EXPECT_EQ(screen.size(), rows) << columns;
        for (const auto& line : screen) EXPECT_LE(text::columns_of(line.text()), columns) << rows;
        const auto text = to_text(screen);
        EXPECT_THAT(text,
                    AllOf(HasSubstr("storage"), HasSubstr("41 943 sectors"), HasSubstr("q quit")))
            << columns << "x" << rows;
        EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<std::ptrdiff_t>(rows));
      }
    }
  }
}

TEST(Layout, ASmallScreenShowsTheFindingInOneLine) {
  const auto text = text_of(example(), {12, 40});
  EXPECT_THAT(text, HasSubstr("! storage 10:01:45.0 3/3 Disk read sec"));
  EXPECT_THAT(text, HasSubstr("1 finding"));
}

TEST(Layout, TooSmallATerminalIsToldSo) {
  EXPECT_EQ(text_of(example(), {9, 80}), "reveal top needs 40x10, this is 80x9\n");
  EXPECT_EQ(text_of(example(), {24, 20}), "reveal top needs 40x\n");
  EXPECT_TRUE(layout(example(), {0, 0}, true).empty());
}

TEST(Layout, WithoutUtf8AllIsAscii) {
  auto view = example();
  view.channels[0].name =
      "D\xc3\xbc"
      "se on sda";
  view.findings[0].claim = "A wait took 15 \u00b5s";
  for (const bool help : {false, true}) {
    view.controls.help = help;
    const auto text = text_of(view, {24, 80}, false);
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) {
      return c == '\n' || (c >= ' ' && c <= '~');
    })) << text;
    if (help) continue;
    EXPECT_THAT(row_with(text, "storage "), AllOf(HasSubstr("!!!"), HasSubstr(",,,")));
    EXPECT_THAT(text, HasSubstr("A wait took 15 us"));
  }
}

TEST(Layout, NothingHarmfulReachesTheTerminal) {
  auto view = example();
  const std::string hostile =
      "a\x1b[2Jb\x1b]0;title\x07"
      "c\r\nd\te\x7f\xc2\x9b"
      "31mf\xe2\x80\xae"
      "g\xff\xed\xa0\x80";
  view.host = hostile;
  view.doing = hostile;
  view.controls.filter = hostile;
  view.channels[0].name = hostile;
  view.channels[0].unit = hostile;
  view.findings[0].claim = hostile;
  view.findings[0].evidence = hostile;
  view.findings[0].remedy = hostile;
  view.findings[0].harm = {hostile};
  view.work = hostile;
  view.not_judged = live::NotJudged{hostile, 0};
  for (const bool typing : {true, false}) {
    view.controls.typing = typing;
    for (const auto size : {Size{24, 80}, Size{12, 40}, Size{60, 200}}) {
      for (const auto& line : layout(view, size, true)) {
        const auto text = line.text();
        EXPECT_TRUE(std::none_of(text.begin(), text.end(), [](unsigned char c) {
          return c < ' ' || c == 0x7f;
        })) << text;
        EXPECT_THAT(text, AllOf(Not(HasSubstr("\xc2\x9b")), Not(HasSubstr("\xe2\x80\xae")),
                                Not(HasSubstr("\xff")), Not(HasSubstr("\xed\xa0"))));
      }
    }
  }
}

TEST(Layout, WideCharactersKeepTheColumnsInLine) {
  auto view = example();
  view.channels[1].name = "負荷が高いディスクの読み取りセクター数の合計です";
  const auto text = text_of(view, {24, 80});
  const auto value = [&](const std::string& row, const char* words) {
    return text::columns_of(row.substr(0, row.find(words))) + std::string(words).size();
  };
  EXPECT_EQ(value(row_with(text, "負荷"), "7 %"),
            value(row_with(text, "Disk read sectors on"), "41 943 sectors"));
}

TEST(Layout, LearningAndTroubleAreSaid) {
  auto view = example();
  view.findings.clear();
  EXPECT_THAT(text_of(view, {24, 80}),
              AllOf(HasSubstr("No anomaly"), HasSubstr("in 120 windows.")));
  view.learned_ns = 1'700'000'000'000'000'000;  // 2023-11-14 22:13:20
  EXPECT_THAT(text_of(view, {24, 80}),
              HasSubstr("in 120 windows; what is usual was learned at 22:13:20.0 UTC."));
  view.learning = "42 s to go";
  view.not_judged = live::NotJudged{"what is usual is not learned yet", kTen};
  EXPECT_THAT(text_of(view, {24, 80}),
              AllOf(HasSubstr("learning, 42 s to go"), Not(HasSubstr("No anomaly")),
                    HasSubstr("Not judged since 10:00:00.0 UTC: what is usual is not learned")));
  view.learning.clear();
  view.not_judged->why = "too few windows";
  EXPECT_THAT(text_of(view, {24, 80}),
              AllOf(HasSubstr("UTC: too few windows"), Not(HasSubstr("No anomaly"))));
}

TEST(Layout, SaysThatTheNewestWindowsAreNotJudgedBesideAFinding) {
  auto view = example();
  view.not_judged = live::NotJudged{"ticks are missing", kTen + 112 * kSecond};
  EXPECT_THAT(row_with(text_of(view, {24, 80}), "Findings"),
              HasSubstr("not judged since 10:01:52.0 UTC: ticks are missing"));
  view.findings.clear();
  EXPECT_THAT(row_with(text_of(view, {24, 80}), "node7"), HasSubstr("not judged"));
}

TEST(Layout, SaysHowMuchWorkIsDone) {
  auto view = example();
  view.work = "slurm job 7 at 98 % of its usual work rate";
  EXPECT_THAT(row_with(text_of(view, {24, 80}), "Findings"), HasSubstr("slurm job 7 at 98 %"));
  view.findings[0].harm = {"Who: /noisy used 0.94 of a core (usually 0.00).",
                           "Work: slurm job 7 ran at 66 % (± 2) of its usual rate."};
  const auto text = text_of(view, {24, 80});
  EXPECT_THAT(text, HasSubstr("\n  Who: /noisy used 0.94 of a core (usually 0.00).\n"
                              "  Work: slurm job 7 ran at 66 % (± 2) of its usual rate.\n"));
}

TEST(Line, TextOfOneStyleIsOneSpan) {
  Line line(6);
  line.add("a");
  line.add("b");
  line.add("!", Style::kAlarm);
  line.add("cdef");
  ASSERT_EQ(line.spans().size(), 3u);
  EXPECT_EQ(line.spans()[0].text, "ab");
  EXPECT_EQ(line.spans()[2].text, "cde");
  EXPECT_EQ(line.text(), "ab!cde");
}

}  // namespace
}  // namespace reveal::top
