#include "procfs/mountinfo.h"

#include <gmock/gmock.h>

namespace reveal::procfs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Mountinfo, ReadsDevicePointAndType) {
  EXPECT_THAT(
      parse_mountinfo("27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
                      "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 shared:7 - xfs /dev/root rw\n"
                      "40 27 0:45 / /home rw - nfs4 server:/home rw\n"),
      ElementsAre(Mount{"254:0", "/", "ext4"}, Mount{"98:0", "/mnt2", "xfs"},
                  Mount{"0:45", "/home", "nfs4"}));
}

TEST(Mountinfo, UndoesTheKernelsEscapes) {
  EXPECT_THAT(parse_mountinfo("1 2 3:4 / /a\\040b\\134c\\011 rw - ext4 /dev/sda rw\n"),
              ElementsAre(Mount{"3:4", "/a b\\c\t", "ext4"}));
  EXPECT_THAT(parse_mountinfo("1 2 3:4 / /a\\04\\777\\9 rw - ext4 /dev/sda rw\n"),
              ElementsAre(Mount{"3:4", "/a\\04\\777\\9", "ext4"}));
}

TEST(Mountinfo, OtherLinesAreLeftOut) {
  EXPECT_THAT(parse_mountinfo(""), IsEmpty());
  EXPECT_THAT(parse_mountinfo("1 2 3:4 / /a rw - ext4 /dev/sda rw"), IsEmpty()) << "cut";
  EXPECT_THAT(parse_mountinfo("1 2 3:4 / /a rw ext4\n1 2 34 / /a rw - ext4 x y\n1 2\n\n"
                              "1 2 3:4 / /a rw -\n"),
              IsEmpty());
}

}  // namespace
}  // namespace reveal::procfs
