#include "procfs/journal_info.h"

#include <optional>

namespace reveal::procfs {
namespace {

constexpr std::string_view kCommitTime = "average transaction commit time";

// Reads "3 transactions (3 requested), each up to 1365 blocks".
void read_counts(std::string_view line, JournalInfo& out) {
  Value transactions;
  std::string_view word;
  std::string_view requested;
  WordCursor words(line);
  if (!words.next(transactions) || !words.next(word) || word != "transactions") return;
  out.transactions = transactions;
  if (!words.next(requested) || !requested.starts_with('(') || !words.next(word)) return;
  if (word.starts_with("requested)")) out.requested = parse_u64(requested.substr(1));
}

// Reads "8805us average transaction commit time".
Value commit_time_of(std::string_view line) {
  WordCursor words(line);
  std::string_view number;
  if (!words.next(number) || !number.ends_with("us") || words.rest() != kCommitTime) {
    return std::nullopt;
  }
  number.remove_suffix(2);
  return parse_u64(number);
}

}  // namespace

JournalInfo parse_journal_info(std::string_view text) {
  JournalInfo out;
  LineCursor lines(text);
  std::string_view line;
  if (!lines.next(line)) return out;
  read_counts(line, out);
  while (!out.commit_us && lines.next(line)) out.commit_us = commit_time_of(line);
  return out;
}

}  // namespace reveal::procfs
