#include "netlink/asker.h"

#include <array>
#include <cerrno>
#include <span>
#include <string>

#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/unique_fd.h"

namespace reveal::netlink {
namespace {

// Where the kernel puts the answers.
struct Places {
  std::array<mmsghdr, Asker::kMost> headers{};
  std::array<iovec, Asker::kMost> parts{};
  std::array<sockaddr_nl, Asker::kMost> senders{};

  explicit Places(std::byte* answers) {
    for (std::size_t i = 0; i < Asker::kMost; ++i) {
      parts[i] = {answers + i * Asker::kAnswerBytes, Asker::kAnswerBytes};
      auto& header = headers[i].msg_hdr;
      header.msg_iov = &parts[i];
      header.msg_iovlen = 1;
      header.msg_name = &senders[i];
      header.msg_namelen = sizeof(senders[i]);
    }
  }

  // Returns answer `i`; nothing if it was cut or is not the kernel's.
  Bytes bytes(std::size_t i) const {
    const bool whole = (headers[i].msg_hdr.msg_flags & MSG_TRUNC) == 0;
    if (!whole || senders[i].nl_pid != 0) return {};
    return {static_cast<const std::byte*>(parts[i].iov_base), headers[i].msg_len};
  }
};

}  // namespace

Asker::Asker(int protocol, std::string_view name)
    : protocol_(protocol),
      name_(name),
      answers_(std::make_unique_for_overwrite<std::byte[]>(kMost * kAnswerBytes)) {
  questions_.reserve(kMost * kQuestionBytes);
}

void Asker::add(std::uint16_t type, Bytes request) {
  nlmsghdr header{};
  header.nlmsg_len = static_cast<std::uint32_t>(sizeof(header) + request.size());
  header.nlmsg_type = type;
  header.nlmsg_flags = NLM_F_REQUEST;
  const Bytes head = std::as_bytes(std::span(&header, 1));
  questions_.insert(questions_.end(), head.begin(), head.end());
  questions_.insert(questions_.end(), request.begin(), request.end());
  questions_.resize((questions_.size() + NLMSG_ALIGNTO - 1) / NLMSG_ALIGNTO * NLMSG_ALIGNTO);
}

base::Result<std::size_t> Asker::run(const std::function<void(const Message&)>& visit) {
  const auto fail = [this](const char* what) {
    return base::fail_errno(errno, what, std::string(name_));
  };
  if (questions_.empty()) return 0;
  const base::UniqueFd fd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol_));
  if (!fd.valid()) return fail("cannot be asked");
  if (::send(fd.get(), questions_.data(), questions_.size(), 0) < 0) return fail("cannot be sent");
  Places places(answers_.get());
  const int got = ::recvmmsg(fd.get(), places.headers.data(), kMost, MSG_DONTWAIT, nullptr);
  if (got < 0) return fail("the answer was lost");
  std::size_t answered = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(got); ++i) {
    MessageCursor messages(places.bytes(i));
    for (Message message; messages.next(message);) {
      if (message.type == NLMSG_ERROR) continue;
      visit(message);
      ++answered;
    }
  }
  return answered;
}

}  // namespace reveal::netlink
