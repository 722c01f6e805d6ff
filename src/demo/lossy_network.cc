#include "demo/lossy_network.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace reveal::demo {
namespace {

constexpr int kLoopback = 1;  // its index in a new namespace
constexpr int kFrameBytes = 1500;
constexpr std::uint32_t kMostQueued = 10'000;  // packets
constexpr const char* kWhere = "a network of its own";
constexpr const char* kRemedy = "run it as root, or show another disturbance";

base::Result<void> write_text(const char* path, const std::string& text) {
  const base::UniqueFd file(::open(path, O_WRONLY | O_CLOEXEC));
  if (file.valid() &&
      ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) {
    return {};
  }
  return base::fail_errno(errno, "cannot be written", path, kRemedy);
}

// Keeps this user's number in the new user namespace, so that files stay his.
base::Result<void> keep_identity(uid_t user, gid_t group) {
  if (auto done = write_text("/proc/self/setgroups", "deny"); !done) return done;
  if (auto done = write_text("/proc/self/uid_map", fmt::format("{0} {0} 1", user)); !done) {
    return done;
  }
  return write_text("/proc/self/gid_map", fmt::format("{0} {0} 1", group));
}

base::Result<void> start_loopback() {
  const base::UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_mtu = kFrameBytes;
  if (socket.valid() && ::ioctl(socket.get(), SIOCSIFMTU, &request) == 0) {
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    if (::ioctl(socket.get(), SIOCSIFFLAGS, &request) == 0) return {};
  }
  return base::fail_errno(errno, "cannot start the loopback", kWhere, kRemedy);
}

// RTM_NEWQDISC for the loopback's root with TCA_KIND "netem" and TCA_OPTIONS.
struct Request {
  nlmsghdr head{};
  tcmsg qdisc{};
  rtattr kind_head{};
  char kind[8] = "netem";
  rtattr options_head{};
  tc_netem_qopt options{};
};

Request request_of(double share) {
  Request out;
  out.head.nlmsg_len = sizeof(Request);
  out.head.nlmsg_type = RTM_NEWQDISC;
  out.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE;
  out.qdisc.tcm_family = AF_UNSPEC;
  out.qdisc.tcm_ifindex = kLoopback;
  out.qdisc.tcm_parent = TC_H_ROOT;
  out.kind_head = {sizeof(rtattr) + sizeof(out.kind), TCA_KIND};
  out.options_head = {sizeof(rtattr) + sizeof(out.options), TCA_OPTIONS};
  out.options.limit = kMostQueued;
  out.options.loss = static_cast<std::uint32_t>(share * std::numeric_limits<std::uint32_t>::max());
  return out;
}

}  // namespace

base::Result<void> enter_own_network() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWNET) != 0) {
    if (errno != EPERM || ::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) {
      return base::fail_errno(errno, "this user may not have one", kWhere, kRemedy);
    }
    if (auto done = keep_identity(user, group); !done) return done;
  }
  return start_loopback();
}

base::Result<void> lose_packets(double share) {
  const base::UniqueFd socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
  const auto request = request_of(share);
  struct {
    nlmsghdr head;
    nlmsgerr error;
    std::byte rest[512];
  } answer{};
  if (!socket.valid() || ::send(socket.get(), &request, sizeof(request), 0) < 0 ||
      ::recv(socket.get(), &answer, sizeof(answer), 0) < 0) {
    return base::fail_errno(errno, "cannot make it lose packets", kWhere, kRemedy);
  }
  if (answer.head.nlmsg_type == NLMSG_ERROR && answer.error.error == 0) return {};
  if (answer.error.error == -ENOENT) {
    return base::fail(base::ErrorKind::kAbsent, "this kernel has no netem (sch_netem)", kWhere,
                      "load the module, or show another disturbance");
  }
  return base::fail_errno(-answer.error.error, "cannot make it lose packets", kWhere, kRemedy);
}

}  // namespace reveal::demo
