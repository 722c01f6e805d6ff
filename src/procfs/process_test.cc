#include "procfs/process.h"

#include <string>

#include <gtest/gtest.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

// As Linux 6.18 wrote it of `python3 -c 'while True: pass'`. The numbers of proc(5) were counted by
// hand: 12 majflt, 14 utime, 15 stime, 22 starttime, 24 rss.
constexpr std::string_view kPython =
    "4242 (python3) R 4100 4242 4100 34816 4242 4194304 1021 0 3 0 1853 27 0 0 20 0 1 0 812345 "
    "13955072 2304 18446744073709551615 4194304 7278617 140727364837184 0 0 0 0 16781312 2 0 0 0 "
    "17 1 0 0 0 0 0 8318160 8971928 34320384 140727364839921 140727364839956 140727364839956 "
    "140727364841452 0\n";

TEST(ProcessStat, HasWhatTheKernelWrote) {
  const auto stat = parse_process_stat(kPython);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->name, "python3");
  EXPECT_EQ(stat->state, 'R');
  EXPECT_EQ(stat->major_faults, 3u);
  EXPECT_EQ(stat->cpu_ticks, 1853u + 27);
  EXPECT_EQ(stat->start_ticks, 812345u);
  EXPECT_EQ(stat->resident_pages, 2304u);
}

// A kernel thread: its group and terminal are 0 and -1, which is no number of ours.
TEST(ProcessStat, ReadsAKernelThread) {
  const auto stat = parse_process_stat(
      "57 (kworker/0:1H-kblockd) I 2 0 0 0 -1 69238880 0 0 0 0 0 112 0 0 0 -20 1 0 41 0 0 "
      "18446744073709551615 0 0 0 0 0 0 0 2147483647 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->name, "kworker/0:1H-kblockd");
  EXPECT_EQ(stat->state, 'I');
  EXPECT_EQ(stat->cpu_ticks, 112u);
  EXPECT_EQ(stat->resident_pages, 0u);
}

std::string named(std::string_view name) {
  std::string out(kPython);
  return out.replace(out.find("python3"), 7, name);
}

// prctl(PR_SET_NAME) takes any bytes.
TEST(ProcessStat, NamesMayHoldAnything) {
  for (const std::string_view name :
       {"a b", "(sd-pam)", "x) R 1 2 3", "a\nb", "", ")", "((", "tmux: server", "\xff\x01"}) {
    const std::string text = named(name);
    const auto stat = parse_process_stat(text);
    ASSERT_TRUE(stat) << name;
    EXPECT_EQ(stat->name, name);
    EXPECT_EQ(stat->cpu_ticks, 1880u) << name;
    EXPECT_EQ(stat->start_ticks, 812345u) << name;
  }
}

TEST(ProcessStat, CutLinesSayNothing) {
  for (std::size_t size = 0; size < kPython.size(); ++size) {
    EXPECT_FALSE(parse_process_stat(kPython.substr(0, size))) << size;
  }
  EXPECT_FALSE(parse_process_stat("1 (a) S 1 2 3\n"));
  EXPECT_FALSE(parse_process_stat(")(\n"));
  EXPECT_FALSE(parse_process_stat("1 (a) SS 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6\n"));
}

TEST(ProcessIo, HasWhatStorageWasAskedFor) {
  const std::string text =
      "rchar: 323934931\nwchar: 323929600\nsyscr: 632687\nsyscw: 632675\nread_bytes: 4096\n"
      "write_bytes: 323932160\ncancelled_write_bytes: 8192\n";
  const auto io = parse_process_io(text);
  ASSERT_TRUE(io);
  EXPECT_EQ(io->read_bytes, 4096u);
  EXPECT_EQ(io->written_bytes, 323932160u);
  EXPECT_FALSE(parse_process_io(text.substr(0, text.find("cancelled") - 1)));
  EXPECT_FALSE(parse_process_io(""));
}

TEST(ProcessCgroup, IsThatOfVersionTwoOrOfCpuTime) {
  EXPECT_EQ(parse_process_cgroup("0::/system.slice/cron.service\n"), "/system.slice/cron.service");
  EXPECT_EQ(parse_process_cgroup("12:memory:/job\n5:cpu,cpuacct:/job/step_0\n1:name=systemd:/x\n"
                                 "0::/init.scope\n"),
            "/job/step_0");
  EXPECT_EQ(parse_process_cgroup("0::/a:b\n"), "/a:b");
  EXPECT_EQ(parse_process_cgroup("0::/cut"), "");
  EXPECT_EQ(parse_process_cgroup("rubbish\n:\n0:\n"), "");
}

TEST(NamespaceLink, EndsInItsNumber) {
  EXPECT_EQ(parse_namespace_link("net:[4026531840]", "net"), Value(4026531840));
  EXPECT_FALSE(parse_namespace_link("mnt:[4026531841]", "net"));
  for (const char* cut :
       {"", "net", "net:[", "net:[]", "net:[402653", "net:[4026531840", "net:]"}) {
    EXPECT_FALSE(parse_namespace_link(cut, "net")) << cut;
  }
}

const ParserCase kFuzzed("proc/812/stat", [](std::string_view text) {
  if (const auto stat = parse_process_stat(text)) {
    require(stat->name.size() < text.size());
  }
  parse_process_io(text);
  const auto group = parse_process_cgroup(text);
  require(group.empty() || group.front() == '/');
  parse_namespace_link(text, "net");
});

}  // namespace
}  // namespace reveal::procfs
