// Questions to the kernel that have one answer each, sent and received together: one system call to
// ask them all, and one for all answers. The kernel answers before the first of the two returns, so
// nothing is waited for.
//
// As with a Dumper, each run has a socket of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "netlink/message.h"

namespace reveal::netlink {

class Asker {
 public:
  static constexpr std::size_t kMost = 64;            // questions of a run
  static constexpr std::size_t kAnswerBytes = 1024;   // a longer answer counts as none
  static constexpr std::size_t kQuestionBytes = 128;  // with its header of 16

  // `protocol` is NETLINK_...; `name` says in errors what was asked: "sock_diag".
  Asker(int protocol, std::string_view name);

  // Forgets the questions of the run before.
  void begin() { questions_.clear(); }

  // Adds a question: `type` with the structure `request`. REQUIRES: fewer than kMost since begin(),
  // and the structure has at most kQuestionBytes less the header.
  void add(std::uint16_t type, Bytes request);

  // Asks them all, and shows each answer to `visit`. Returns how many were answered: what the
  // kernel refused, such as a socket that is gone, is not among them. Fails if nothing can be
  // asked. Allocates nothing if it succeeds.
  base::Result<std::size_t> run(const std::function<void(const Message&)>& visit);

 private:
  int protocol_;
  std::string_view name_;
  std::vector<std::byte> questions_;      // one message after the other
  std::unique_ptr<std::byte[]> answers_;  // kMost times kAnswerBytes
};

}  // namespace reveal::netlink
