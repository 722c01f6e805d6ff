#include "demo/job.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "demo/process.h"

namespace reveal::demo {
namespace {

using Clock = std::chrono::steady_clock;

// A step takes some 30 ms of a core, a flush of the disk, and a trip over the network.
constexpr std::size_t kNumbers = 1u << 16;  // half a MiB
constexpr int kPasses = 500;
constexpr std::size_t kStoredBytes = 128u << 10;
constexpr std::size_t kExchangedBytes = 256u << 10;
constexpr const char* kWhere = "the demo's job";

void compute(std::vector<double>& numbers) {
  for (int pass = 0; pass < kPasses; ++pass) {
    for (auto& number : numbers) number = number * 0.999 + 0.5;
  }
}

base::Result<void> store(int file, std::span<const std::byte> data) {
  const auto written = ::pwrite(file, data.data(), data.size(), 0);
  if (written == static_cast<ssize_t>(data.size()) && ::fdatasync(file) == 0) return {};
  return base::fail_errno(written < 0 || errno != 0 ? errno : ENOSPC, "cannot store data", kWhere);
}

base::Result<void> send_all(int socket, std::span<const std::byte> data) {
  while (!data.empty()) {
    const auto sent = ::send(socket, data.data(), data.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return base::fail_errno(errno, "cannot send to the other rank", kWhere);
    data = data.subspan(static_cast<std::size_t>(sent));
  }
  return {};
}

base::Result<void> receive_all(int socket, std::span<std::byte> data) {
  const auto got = ::recv(socket, data.data(), data.size(), MSG_WAITALL);
  if (got == static_cast<ssize_t>(data.size())) return {};
  return base::fail_errno(got < 0 ? errno : ECONNRESET, "the other rank ended", kWhere);
}

// One rank's end of the connection, and whether it speaks first.
struct Link {
  base::UniqueFd socket;
  bool first = false;
};

base::Result<void> exchange(const Link& link, std::span<const std::byte> out,
                            std::span<std::byte> in) {
  if (!link.first) {
    if (auto done = receive_all(link.socket.get(), in); !done) return done;
  }
  if (auto done = send_all(link.socket.get(), out); !done) return done;
  return link.first ? receive_all(link.socket.get(), in) : base::Result<void>();
}

// Works until `end`; the first rank says in what it sends whether there is another step, so that
// both end with the same one.
base::Result<void> work(const Link& link, Clock::time_point end) {
  auto file = unnamed_file();
  if (!file) return base::pass(file);
  std::vector<double> numbers(kNumbers, 1.0);
  const std::vector<std::byte> stored(kStoredBytes, std::byte{0x5a});
  std::vector<std::byte> out(kExchangedBytes);
  std::vector<std::byte> in(kExchangedBytes);
  for (bool more = true; more;) {
    compute(numbers);
    if (auto done = store(file->get(), stored); !done) return done;
    out[0] = std::byte{Clock::now() < end};
    if (auto done = exchange(link, out, in); !done) return done;
    more = (link.first ? out[0] : in[0]) != std::byte{0};
  }
  return {};
}

base::Result<std::array<base::UniqueFd, 2>> connected_sockets() {
  const auto fail = [] {
    return base::fail_errno(errno, "cannot connect two ranks over 127.0.0.1", kWhere);
  };
  const base::UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (!listener.valid() || ::bind(listener.get(), any, size) != 0 ||
      ::listen(listener.get(), 1) != 0 || ::getsockname(listener.get(), any, &size) != 0) {
    return fail();
  }
  base::UniqueFd second(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!second.valid() || ::connect(second.get(), any, size) != 0) return fail();
  base::UniqueFd first(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!first.valid()) return fail();
  return std::array<base::UniqueFd, 2>{std::move(first), std::move(second)};
}

}  // namespace

base::Result<void> run_job(std::chrono::seconds length) {
  stay_on_few_cores();
  name_process("demo-job");
  auto sockets = connected_sockets();
  if (!sockets) return base::pass(sockets);
  const auto end = Clock::now() + length;
  const auto other = start_process("the second rank", [&] {
    (*sockets)[0].reset();
    return work({std::move((*sockets)[1]), false}, end) ? 0 : 1;
  });
  if (!other) return base::pass(other);
  (*sockets)[1].reset();
  auto done = work({std::move((*sockets)[0]), true}, end);
  if (!done) ::kill(*other, SIGKILL);
  const int status = status_of(*other);
  if (done && status != 0) return base::fail(base::ErrorKind::kIo, "a rank ended early", kWhere);
  return done;
}

}  // namespace reveal::demo
