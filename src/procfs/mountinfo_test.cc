#include "procfs/mountinfo.h"

#include <gmock/gmock.h>

#include "procfs/cgroup_identity.h"
#include "procfs/cgroup_mounts.h"
#include "procfs/testing/parser_case.h"

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

// Paths of groups are as free as texts: anybody may make one.
void fuzz_cgroup_mounts(std::string_view text) {
  for (const auto& mount : parse_cgroup_mounts(text)) {
    require(mount.point.size() <= text.size());
    describe(identify_cgroup(mount.point));
  }
  describe(identify_cgroup(text));
  for (const auto& name : {short_cgroup_name(text), long_cgroup_name(text)}) {
    require(name.size() <= 120);
    require(std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7f; }));
  }
}

const ParserCase kFuzzed("proc/self/mountinfo", [](std::string_view text) {
  for (const auto& mount : parse_mountinfo(text)) require(!mount.type.empty());
  fuzz_cgroup_mounts(text);
});

}  // namespace
}  // namespace reveal::procfs
