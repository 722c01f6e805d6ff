#include "procfs/journal_info.h"

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

// Of Linux 6.18, with a blank behind "average:".
constexpr std::string_view kText =
    "3 transactions (2 requested), each up to 1365 blocks\n"
    "average: \n"
    "  0ms waiting for transaction\n"
    "  12ms logging transaction\n"
    "  8805us average transaction commit time\n"
    "  3 handles per transaction\n";

TEST(JournalInfo, CountsCommitsAndTellsTheirTime) {
  const auto info = parse_journal_info(kText);
  EXPECT_EQ(info.transactions, 3u);
  EXPECT_EQ(info.requested, 2u);
  EXPECT_EQ(info.commit_us, 8805u);
}

TEST(JournalInfo, BeforeTheFirstCommitThereIsNoTime) {
  const auto info = parse_journal_info("0 transactions (0 requested), each up to 8192 blocks\n");
  EXPECT_EQ(info.transactions, 0u);
  EXPECT_EQ(info.requested, 0u);
  EXPECT_FALSE(info.commit_us);
}

TEST(JournalInfo, WhatIsCutOrRubbishIsMissing) {
  EXPECT_FALSE(parse_journal_info("").transactions);
  EXPECT_FALSE(parse_journal_info("3 transactions (2 requested)").transactions);
  EXPECT_FALSE(parse_journal_info("3 files (2 requested)\n").transactions);
  EXPECT_FALSE(parse_journal_info("3 transactions (x requested), each\n").requested);
  const auto at = kText.find("commit time\n");
  EXPECT_FALSE(parse_journal_info(kText.substr(0, at + 11)).commit_us);
  EXPECT_FALSE(
      parse_journal_info("1 transactions\n  8ms average transaction commit time\n").commit_us);
}

const ParserCase kFuzzed("proc/fs/jbd2/loop0-8/info", [](std::string_view text) {
  const auto info = parse_journal_info(text);
  require(!info.commit_us || text.size() > 30);
});

}  // namespace
}  // namespace reveal::procfs
