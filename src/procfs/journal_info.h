// /proc/fs/jbd2/*/info: what the journal of a file system (ext4, OCFS2) did since it was mounted,
// and how long its commits take.
//
//   3 transactions (3 requested), each up to 1365 blocks
//   average:
//     0ms waiting for transaction
//     ...
//     8805us average transaction commit time
//     3 handles per transaction
//
// Before the first commit there is only the first line. The averages in whole milliseconds are over
// all transactions and say little; that of the commit time gives the last commit a weight of a
// quarter, the one before a quarter of what is left, and so on.
// https://docs.kernel.org/filesystems/journalling.html
#pragma once

#include <string_view>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

struct JournalInfo {
  Value transactions;  // that were committed
  Value requested;     // of these, because somebody asked for it: fsync(), sync()
  Value commit_us;     // microseconds
};

// Returns what the text says; a line that is cut or has another shape says nothing.
JournalInfo parse_journal_info(std::string_view text);

}  // namespace reveal::procfs
