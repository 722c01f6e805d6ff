#include "demo/job.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "demo/memory_group.h"
#include "demo/process.h"

namespace reveal::demo {
namespace {

using Clock = std::chrono::steady_clock;

// A step takes some 30 ms of a core, a flush of the disk, and a trip over the network.
constexpr std::size_t kNumbers = 1u << 16;  // half a MiB
constexpr int kPasses = 500;
constexpr std::size_t kStoredBytes = 128u << 10;
constexpr std::size_t kExchangedBytes = 256u << 10;
constexpr std::size_t kBlockBytes = 64u << 10;
constexpr std::size_t kBlocks = 512;  // of the data that a rank reads again and again: 32 MiB
constexpr std::size_t kBlocksAStep = 64;
// Apart from each other, so that the kernel does not read ahead; coprime with kBlocks.
constexpr std::size_t kStride = 37;
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

// Data that a rank reads again and again, a part in each step; memory keeps them if it may.
class Dataset {
 public:
  static base::Result<Dataset> make() {
    auto file = unnamed_file();
    if (!file) return base::pass(file);
    const std::vector<std::byte> block(kBlockBytes, std::byte{0x3c});
    for (std::size_t i = 0; i < kBlocks; ++i) {
      const auto at = static_cast<off_t>(i * kBlockBytes);
      if (::pwrite(file->get(), block.data(), kBlockBytes, at) == ssize_t{kBlockBytes}) continue;
      return base::fail_errno(errno != 0 ? errno : ENOSPC, "cannot store its data", kWhere);
    }
    if (::fdatasync(file->get()) != 0) {
      return base::fail_errno(errno, "cannot store its data", kWhere);
    }
    ::posix_fadvise(file->get(), 0, 0, POSIX_FADV_RANDOM);
    return Dataset(std::move(*file));
  }

  base::Result<void> read_a_part() {
    for (std::size_t i = 0; i < kBlocksAStep; ++i) {
      next_ = (next_ + kStride) % kBlocks;
      const auto at = static_cast<off_t>(next_ * kBlockBytes);
      if (::pread(file_.get(), block_.data(), kBlockBytes, at) < 0) {
        return base::fail_errno(errno, "cannot read its data", kWhere);
      }
    }
    return {};
  }

 private:
  explicit Dataset(base::UniqueFd file) : file_(std::move(file)), block_(kBlockBytes) {}

  base::UniqueFd file_;
  std::vector<std::byte> block_;
  std::size_t next_ = 0;
};

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
base::Result<void> work(const Link& link, Clock::time_point end, bool reads) {
  auto file = unnamed_file();
  if (!file) return base::pass(file);
  std::optional<Dataset> data;
  if (reads) {
    auto made = Dataset::make();
    if (!made) return base::pass(made);
    data = std::move(*made);
  }
  std::vector<double> numbers(kNumbers, 1.0);
  const std::vector<std::byte> stored(kStoredBytes, std::byte{0x5a});
  std::vector<std::byte> out(kExchangedBytes);
  std::vector<std::byte> in(kExchangedBytes);
  for (bool more = true; more;) {
    compute(numbers);
    if (data) {
      if (auto done = data->read_a_part(); !done) return done;
    }
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

base::Result<void> run_job(std::chrono::seconds length, const std::filesystem::path& group) {
  stay_on_few_cores();
  name_process("demo-job");
  const bool reads = !group.empty();
  if (reads) {
    if (auto done = enter_group(group); !done) return done;
  }
  auto sockets = connected_sockets();
  if (!sockets) return base::pass(sockets);
  const auto end = Clock::now() + length;
  const auto other = start_process("the second rank", [&] {
    (*sockets)[0].reset();
    return work({std::move((*sockets)[1]), false}, end, reads) ? 0 : 1;
  });
  if (!other) return base::pass(other);
  (*sockets)[1].reset();
  auto done = work({std::move((*sockets)[0]), true}, end, reads);
  if (!done) ::kill(*other, SIGKILL);
  const int status = status_of(*other);
  if (done && status != 0) return base::fail(base::ErrorKind::kIo, "a rank ended early", kWhere);
  return done;
}

}  // namespace reveal::demo
