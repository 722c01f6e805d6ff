#include "procfs/mountstats.h"

#include <string>

#include <gmock/gmock.h>

#include "procfs/testing/parser_case.h"

namespace reveal::procfs {
namespace {

// The shape of Linux 6.18; the second mount has the shape of 4.18: no errors, UDP.
constexpr std::string_view kText =
    "device proc mounted on /proc with fstype proc\n"
    "device filer:/data mounted on /mnt/a\\040b with fstype nfs4 statvers=1.1\n"
    "\topts:\trw,vers=4.2,rsize=1048576,wsize=1048576,proto=tcp,nconnect=2\n"
    "\tage:\t86400\n"
    "\tcaps:\tcaps=0xfbffdf,wtmult=512,dtsize=1048576,bsize=0,namlen=255\n"
    "\tevents:\t1 2 3 4 5 6 7 8 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
    "\tbytes:\t100 200 0 0 4096 8192 1 2\n"
    "\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"
    "\txprt:\ttcp 889 1 3 0 12 5000 4999 1 6000 250 16 100 200\n"
    "\txprt:\ttcp 890 1 1 0 12 1000 1000 0 600 50 16 100 200\n"
    "\tper-op statistics\n"
    "\t        NULL: 1 1 0 44 24 0 2 3 0\n"
    "\t        READ: 1000 1007 2 180000 4200000 30 5000 5100 4\n"
    "\t       WRITE: 500 500 0 9000000 60000 1 900 950 0\n"
    "\n"
    "device tmpfs mounted on /tmp with fstype tmpfs\n"
    "device old:/x mounted on /x with fstype nfs statvers=1.1\n"
    "\tbytes:\t1 2 3 4 5 6 7 8\n"
    "\txprt:\tudp 700 1 40 39 2 80 9\n"
    "\tper-op statistics\n"
    "\t        READ: 10 12 1 100 200 1 20 30\n"
    "\n"
    "device /dev/vda mounted on / with fstype ext4\n";

std::vector<NfsMount> parse(std::string_view text) {
  std::vector<NfsMount> out;
  parse_mountstats(text, out);
  return out;
}

TEST(Mountstats, ReadsAMountWithTwoConnections) {
  const auto mounts = parse(kText);
  ASSERT_EQ(mounts.size(), 2u);
  const NfsMount& mount = mounts[0];
  EXPECT_EQ(mount.device, "filer:/data");
  EXPECT_EQ(mount.point, "/mnt/a\\040b");
  EXPECT_EQ(mount.read_bytes, 4096u);
  EXPECT_EQ(mount.written_bytes, 8192u);
  EXPECT_EQ(mount.connections, 4u);
  EXPECT_EQ(mount.sent_requests, 6000u);
  EXPECT_EQ(mount.unexpected_answers, 1u);
  EXPECT_EQ(mount.backlog_requests, 300u);
}

TEST(Mountstats, OperationsOfTheirOwnAndTogether) {
  const auto mounts = parse(kText);
  ASSERT_EQ(mounts.size(), 2u);
  const NfsMount& mount = mounts[0];
  EXPECT_EQ(mount.read.operations, 1000u);
  EXPECT_EQ(mount.read.retransmissions, 7u);
  EXPECT_EQ(mount.read.timeouts, 2u);
  EXPECT_EQ(mount.read.errors, 4u);
  EXPECT_EQ(mount.read.queue_ms, 30u);
  EXPECT_EQ(mount.read.round_trip_ms, 5000u);
  EXPECT_EQ(mount.read.execution_ms, 5100u);
  EXPECT_EQ(mount.write.operations, 500u);
  EXPECT_EQ(mount.write.retransmissions, 0u);
  EXPECT_EQ(mount.all.operations, 1501u);
  EXPECT_EQ(mount.all.round_trip_ms, 5902u);
}

std::string with_transport(std::string_view line) {
  return "device f:/d mounted on /d with fstype nfs4 statvers=1.1\n\txprt:\t" + std::string(line) +
         "\n\tper-op statistics\n\tNULL: 1 1 0 0 0 0 0 0\n\n";
}

// The shapes of the kernel's xs_tcp_print_stats(), xs_local_print_stats() and
// xprt_rdma_print_stats(), of kernels that count little and of those that count more. Each number
// is its place, counted from the port.
TEST(Mountstats, TransportsOfAllKernels) {
  struct Case {
    const char* line;
    std::uint64_t connections, sent, answers, unexpected, slots, backlog;
    Value send_queue, pending, failed_marshals, bad_replies, context_waits, send_waits;
  };
  const std::optional<std::uint64_t> none;
  const Case cases[] = {
      {"tcp 0 1 2 3 4 5 6 7 8 9", 2, 5, 6, 7, 8, 9, none, none, none, none, none, none},
      {"tcp 0 1 2 3 4 5 6 7 8 9 10 11 12", 2, 5, 6, 7, 8, 9, 11, 12, none, none, none, none},
      {"tcp 0 1 2 3 -4 5 6 7 8 9 10 11 12", 2, 5, 6, 7, 8, 9, 11, 12, none, none, none, none},
      {"local 1 2 3 4 5 6 7 8 9 10 11 12", 2, 5, 6, 7, 8, 9, 11, 12, none, none, none, none},
      {"rdma 0 1 2 3 4 5 6 7 8 9", 2, 5, 6, 7, 8, 9, none, none, none, none, none, none},
      {"rdma 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19", 2, 5, 6, 7, 8, 9, none, none, 18,
       19, none, none},
      {"rdma 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26", 2, 5, 6, 7, 8,
       9, none, none, 18, 19, 25, 26},
  };
  for (const Case& one : cases) {
    const std::string text = with_transport(one.line);
    const auto mounts = parse(text);
    ASSERT_EQ(mounts.size(), 1u);
    EXPECT_EQ(mounts[0].connections, one.connections) << one.line;
    EXPECT_EQ(mounts[0].sent_requests, one.sent) << one.line;
    EXPECT_EQ(mounts[0].answers, one.answers) << one.line;
    EXPECT_EQ(mounts[0].unexpected_answers, one.unexpected) << one.line;
    EXPECT_EQ(mounts[0].used_slots, one.slots) << one.line;
    EXPECT_EQ(mounts[0].backlog_requests, one.backlog) << one.line;
    EXPECT_EQ(mounts[0].send_queue, one.send_queue) << one.line;
    EXPECT_EQ(mounts[0].pending_queue, one.pending) << one.line;
    EXPECT_EQ(mounts[0].failed_marshals, one.failed_marshals) << one.line;
    EXPECT_EQ(mounts[0].bad_replies, one.bad_replies) << one.line;
    EXPECT_EQ(mounts[0].send_context_waits, one.context_waits) << one.line;
    EXPECT_EQ(mounts[0].reply_send_waits, one.send_waits) << one.line;
  }
}

TEST(Mountstats, ATransportOfAnotherKindIsLeftOut) {
  const std::string text = with_transport("sctp 0 1 2 3 4 5 6 7 8 9 10 11 12");
  const auto mounts = parse(text);
  ASSERT_EQ(mounts.size(), 1u);
  EXPECT_FALSE(mounts[0].sent_requests);
}

TEST(Mountstats, OldKernelsCountNoErrorsAndUdpNoConnections) {
  const auto mounts = parse(kText);
  ASSERT_EQ(mounts.size(), 2u);
  EXPECT_EQ(mounts[1].read.retransmissions, 2u);
  EXPECT_FALSE(mounts[1].read.errors);
  EXPECT_FALSE(mounts[1].all.errors);
  EXPECT_FALSE(mounts[1].connections);
  EXPECT_EQ(mounts[1].sent_requests, 40u);
  EXPECT_EQ(mounts[1].unexpected_answers, 2u);
  EXPECT_EQ(mounts[1].backlog_requests, 9u);
}

TEST(Mountstats, CutAnywhereNothingIsInvented) {
  const auto whole = parse(kText);
  for (std::size_t size = 0; size < kText.size(); ++size) {
    const std::string cut(kText.substr(0, size));
    const auto mounts = parse(cut);
    for (std::size_t i = 0; i < mounts.size(); ++i) {
      EXPECT_EQ(mounts[i].point, whole[i].point);
      for (const auto member : {&NfsMount::sent_requests, &NfsMount::backlog_requests,
                                &NfsMount::connections, &NfsMount::read_bytes}) {
        if (mounts[i].*member) {
          EXPECT_EQ(mounts[i].*member, whole[i].*member) << size;
        }
      }
      if (mounts[i].all.operations) {
        EXPECT_EQ(mounts[i].all.operations, whole[i].all.operations) << size;
      }
    }
  }
}

TEST(Mountstats, ABrokenOperationLeavesTheSumOut) {
  for (const char* line :
       {"READ: 5 4 0 0 0 0 0 0 0", "READ: 5 6", "READ 5 6 0 0 0 0 0 0", "READ: 5 x 0 0 0 0 0 0"}) {
    const std::string text =
        "device f:/d mounted on /d with fstype nfs4 statvers=1.1\n\tper-op statistics\n\tNULL: 1 1 "
        "0 "
        "0 0 0 0 0 0\n\t" +
        std::string(line) + "\n\n";
    const auto mounts = parse(text);
    ASSERT_EQ(mounts.size(), 1u);
    EXPECT_FALSE(mounts[0].all.operations) << line;
    EXPECT_FALSE(mounts[0].read.operations) << line;
  }
}

TEST(Mountstats, OtherFileSystemsAndRubbishAreLeftOut) {
  EXPECT_TRUE(parse("").empty());
  EXPECT_TRUE(parse("device a with fstype nfs mounted on b\n").empty());
  EXPECT_TRUE(parse("device a mounted on b with fstype nfsd\n").empty());
  EXPECT_TRUE(parse("\tbytes:\t1 2 3 4 5 6\n").empty());
}

const ParserCase kFuzzed("proc/self/mountstats", [](std::string_view text) {
  std::vector<NfsMount> mounts;
  parse_mountstats(text, mounts);
  for (const auto& mount : mounts) {
    require(mount.device.size() + mount.point.size() < text.size());
    require(mount.all.operations.has_value() == mount.all.round_trip_ms.has_value());
  }
});

}  // namespace
}  // namespace reveal::procfs
