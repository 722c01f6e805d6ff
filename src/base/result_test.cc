#include "base/result.h"

#include <cerrno>

#include <gtest/gtest.h>

namespace reveal::base {
namespace {

TEST(Error, MessageSaysWhereWhatAndRemedyOnOneLine) {
  const Error full{ErrorKind::kIo, "cannot write", "/x/y", "free some space"};
  EXPECT_EQ(full.message(), "/x/y: cannot write (free some space)");
  const Error bare{ErrorKind::kIo, "cannot write", "", ""};
  EXPECT_EQ(bare.message(), "cannot write");
}

TEST(Error, ErrnoDecidesTheKind) {
  EXPECT_EQ(fail_errno(ENOENT, "open").value().kind, ErrorKind::kAbsent);
  EXPECT_EQ(fail_errno(EACCES, "open").value().kind, ErrorKind::kPermission);
  EXPECT_EQ(fail_errno(EPERM, "open").value().kind, ErrorKind::kPermission);
  EXPECT_EQ(fail_errno(ENOSPC, "write").value().kind, ErrorKind::kNoSpace);
  EXPECT_EQ(fail_errno(EIO, "write").value().kind, ErrorKind::kIo);
  EXPECT_EQ(fail_errno(ENOENT, "open", "/a").value().message(),
            "/a: open: No such file or directory");
}

}  // namespace
}  // namespace reveal::base
