// One rank of synchronous data-parallel training, small enough for an emulated machine: compute
// over buffers, then average the gradients with all other ranks by a ring of TCP connections.
//
//   train rank=0 world=2 next=10.78.0.1:7001 listen=7000 log=steps.jsonl [flows=8]
//   [gradient_kb=2048]
//         [threads=1] [passes=8] [activation_kb=0] [data=FILE data_kb=0] [pin_flows=0]
//   train now       prints the wall clock in ns, which busybox's date cannot
//
// Every step: reads data_kb of FILE through the page cache, round and round; threads go over their
// share of the weights `passes` times, each in activations that are mapped and given back within
// the step, as allocators do with large tensors; then the gradients go around the ring, each of
// `flows` connections taking an equal part, with a thread of its own. The log gets a line a step:
// end_ns (wall clock), ms (what it took), and compute_ms, reduce_ms and read_ms of it.
//
// SIGUSR1 makes the whole job send everything through the first connection alone, SIGUSR2 through
// all again; the wish travels with the gradients, so that all ranks change after the same step.
// Ends when a neighbor does, or with SIGTERM.
#include <array>
#include <atomic>
#include <barrier>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kPage = 4096;
constexpr int kPatienceS = 120;          // for a neighbor that boots
constexpr std::size_t kWeights = 32768;  // of one thread

volatile std::sig_atomic_t wants_one_flow = 0;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "train: %s: %s\n", what.c_str(), std::strerror(errno));
  std::exit(1);
}

std::uint64_t wall_ns() {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
}

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

struct Options {
  std::map<std::string, std::string> words;

  std::string text(const std::string& name) const {
    const auto found = words.find(name);
    return found == words.end() ? "" : found->second;
  }
  std::size_t number(const std::string& name, std::size_t otherwise) const {
    const auto found = words.find(name);
    return found == words.end() ? otherwise : std::strtoull(found->second.c_str(), nullptr, 10);
  }
};

Options parse(int argc, char** argv) {
  Options out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto at = word.find('=');
    if (at == std::string::npos) {
      std::fprintf(stderr, "train: '%s' is not NAME=VALUE; train.cc lists the names\n", argv[i]);
      std::exit(2);
    }
    out.words[word.substr(0, at)] = word.substr(at + 1);
  }
  return out;
}

sockaddr_in address_of(const std::string& text) {
  const auto colon = text.find(':');
  sockaddr_in out{};
  out.sin_family = AF_INET;
  const std::string host = colon == std::string::npos ? "0.0.0.0" : text.substr(0, colon);
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  if (::inet_pton(AF_INET, host.c_str(), &out.sin_addr) != 1) fail("not an address: " + text);
  out.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port.c_str())));
  return out;
}

int ready(int fd) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

int connect_to(const sockaddr_in& peer) {
  for (int tries = 0; tries < kPatienceS * 10; ++tries) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) fail("socket");
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&peer), sizeof(peer)) == 0) return fd;
    ::close(fd);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  fail("the next rank does not answer");
}

// The connections of this rank: flow i goes out to the next rank and comes in from the one before.
struct Ring {
  std::vector<int> out;
  std::vector<int> in;
};

Ring connect_ring(const Options& options, std::size_t flows) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  const sockaddr_in mine = address_of(options.text("listen"));
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&mine), sizeof(mine)) != 0 ||
      ::listen(listener, 64) != 0) {
    fail("cannot listen on " + options.text("listen"));
  }
  Ring ring{.out = {}, .in = std::vector<int>(flows, -1)};
  std::thread accepts([&] {
    for (std::size_t i = 0; i < flows; ++i) {
      const int fd = ::accept(listener, nullptr, nullptr);
      unsigned char number = 0;
      if (fd < 0 || ::read(fd, &number, 1) != 1 || number >= flows) fail("accept");
      ring.in[number] = ready(fd);
    }
  });
  const sockaddr_in next = address_of(options.text("next"));
  for (std::size_t i = 0; i < flows; ++i) {
    const int fd = connect_to(next);
    const auto number = static_cast<unsigned char>(i);
    if (::write(fd, &number, 1) != 1) fail("write");
    ring.out.push_back(ready(fd));
  }
  accepts.join();
  ::close(listener);
  return ring;
}

bool went_on(ssize_t moved) {
  return moved > 0 || (moved < 0 && (errno == EAGAIN || errno == EINTR));
}

// Sends and receives at once, so that no ring of full buffers waits for itself. False when a
// neighbor has ended.
bool exchange(int out, std::span<const float> sent, int in, std::span<float> got) {
  auto to_send = std::as_bytes(sent);
  auto to_get = std::as_writable_bytes(got);
  while (!to_send.empty() || !to_get.empty()) {
    std::array<pollfd, 2> fds{pollfd{to_get.empty() ? -1 : in, POLLIN, 0},
                              pollfd{to_send.empty() ? -1 : out, POLLOUT, 0}};
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return false;
    if (fds[0].revents != 0) {
      const ssize_t moved = ::recv(in, to_get.data(), to_get.size(), 0);
      if (!went_on(moved)) return false;
      if (moved > 0) to_get = to_get.subspan(static_cast<std::size_t>(moved));
    }
    if (fds[1].revents != 0) {
      const ssize_t moved = ::send(out, to_send.data(), to_send.size(), MSG_NOSIGNAL);
      if (!went_on(moved)) return false;
      if (moved > 0) to_send = to_send.subspan(static_cast<std::size_t>(moved));
    }
  }
  return true;
}

// Part i of `whole` when it is cut into `parts`.
std::span<float> part(std::span<float> whole, std::size_t i, std::size_t parts) {
  const std::size_t from = whole.size() * i / parts;
  return whole.subspan(from, whole.size() * (i + 1) / parts - from);
}

// Averages `values` over all ranks: each part goes around once to be added up and once to be told.
bool ring_average(int out, int in, std::span<float> values, std::size_t rank, std::size_t world,
                  std::vector<float>& scratch) {
  for (std::size_t turn = 0; turn < 2 * (world - 1); ++turn) {
    const bool adds = turn < world - 1;
    const float scale = turn == world - 2 ? 1.0F / static_cast<float>(world) : 1.0F;
    const std::size_t sent = (rank + 2 * world - turn) % world;
    const std::size_t got = (sent + world - 1) % world;
    const auto target = part(values, got, world);
    scratch.resize(target.size());
    const auto landing = adds ? std::span<float>(scratch) : target;
    if (!exchange(out, part(values, sent, world), in, landing)) return false;
    if (!adds) continue;
    for (std::size_t i = 0; i < target.size(); ++i) target[i] = (target[i] + scratch[i]) * scale;
  }
  return true;
}

// Threads that all do the same to their own share, again and again: one turn a call of run().
class Team {
 public:
  Team(std::size_t members, std::function<void(std::size_t)> work)
      : start_(static_cast<std::ptrdiff_t>(members) + 1),
        done_(static_cast<std::ptrdiff_t>(members) + 1) {
    for (std::size_t i = 0; i < members; ++i) {
      std::thread([this, i, work] {
        while (true) {
          start_.arrive_and_wait();
          work(i);
          done_.arrive_and_wait();
        }
      }).detach();
    }
  }
  void run() {
    start_.arrive_and_wait();
    done_.arrive_and_wait();
  }

 private:
  std::barrier<> start_;
  std::barrier<> done_;
};

void pin_to(std::size_t number) {
  cpu_set_t allowed;
  ::sched_getaffinity(0, sizeof(allowed), &allowed);
  const auto count = static_cast<std::size_t>(CPU_COUNT(&allowed));
  std::size_t seen = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || seen++ != number % count) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ::sched_setaffinity(0, sizeof(one), &one);
    return;
  }
}

class Rank {
 public:
  explicit Rank(const Options& options)
      : rank_(options.number("rank", 0)),
        world_(options.number("world", 1)),
        flows_(options.number("flows", 8)),
        threads_(options.number("threads", 1)),
        passes_(options.number("passes", 8)),
        activation_bytes_(options.number("activation_kb", 0) * 1024 / threads_),
        data_bytes_(options.number("data_kb", 0) * 1024),
        pins_flows_(options.number("pin_flows", 0) != 0),
        gradient_(options.number("gradient_kb", 2048) * 1024 / sizeof(float), 0.5F),
        weights_(threads_, std::vector<float>(kWeights, 1.0F)),
        ring_(connect_ring(options, flows_)),
        scratch_(flows_),
        batch_(data_bytes_),
        computes_(threads_, [this](std::size_t i) { compute(i); }),
        reduces_(flows_, [this](std::size_t i) { reduce(i); }) {
    if (data_bytes_ != 0) data_ = ::open(options.text("data").c_str(), O_RDONLY | O_CLOEXEC);
    if (data_bytes_ != 0 && data_ < 0) fail("cannot read " + options.text("data"));
    log_ = std::fopen(options.text("log").c_str(), "w");
    if (log_ == nullptr) fail("cannot write " + options.text("log"));
    std::setvbuf(log_, nullptr, _IOLBF, 0);
  }

  void run() {
    while (step()) {
    }
  }

 private:
  bool step() {
    const auto begin = Clock::now();
    read_batch();
    const double read_ms = ms_since(begin);
    computes_.run();
    const double computed_ms = ms_since(begin);
    gradient_[0] = wants_one_flow != 0 ? 1.0F : 0.0F;
    reduces_.run();
    one_flow_ = gradient_[0] > 0.0F;
    const double ms = ms_since(begin);
    std::fprintf(log_,
                 "{\"end_ns\": %llu, \"ms\": %.3f, \"compute_ms\": %.3f, \"reduce_ms\": %.3f, "
                 "\"read_ms\": %.3f}\n",
                 static_cast<unsigned long long>(wall_ns()), ms, computed_ms - read_ms,
                 ms - computed_ms, read_ms);
    return !over_;
  }

  void read_batch() {
    for (std::size_t got = 0; got < data_bytes_;) {
      const ssize_t now = ::pread(data_, batch_.data() + got, data_bytes_ - got, place_);
      if (now < 0) fail("read");
      place_ = now == 0 ? 0 : place_ + now;
      got += static_cast<std::size_t>(now);
    }
  }

  void compute(std::size_t i) {
    pin_once(i, i);
    touch_activations();
    auto& weights = weights_[i];
    for (std::size_t pass = 0; pass < passes_; ++pass) {
      for (float& weight : weights) weight = weight * 0.999F + 0.001F;
    }
  }

  // Thread `number` of this rank, on the first call alone.
  void pin_once(std::size_t number, std::size_t core) {
    if (!pinned_[number % pinned_.size()].exchange(true)) pin_to(core);
  }

  void touch_activations() const {
    if (activation_bytes_ == 0) return;
    void* memory = ::mmap(nullptr, activation_bytes_, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail("mmap");
    auto* bytes = static_cast<volatile char*>(memory);
    for (std::size_t at = 0; at < activation_bytes_; at += kPage) bytes[at] = 1;
    ::munmap(memory, activation_bytes_);
  }

  void reduce(std::size_t i) {
    if (pins_flows_) pin_once(threads_ + i, i);
    if (world_ < 2 || (one_flow_ && i != 0)) return;
    const auto mine = one_flow_ ? std::span<float>(gradient_) : part(gradient_, i, flows_);
    if (!ring_average(ring_.out[i], ring_.in[i], mine, rank_, world_, scratch_[i])) over_ = true;
  }

  std::size_t rank_, world_, flows_, threads_, passes_, activation_bytes_, data_bytes_;
  bool pins_flows_;
  std::vector<float> gradient_;
  std::vector<std::vector<float>> weights_;
  Ring ring_;
  std::vector<std::vector<float>> scratch_;
  std::vector<char> batch_;
  std::array<std::atomic<bool>, 64> pinned_{};
  std::atomic<bool> over_{false};
  bool one_flow_ = false;
  int data_ = -1;
  off_t place_ = 0;
  std::FILE* log_ = nullptr;
  Team computes_, reduces_;  // last: their threads use all of the above
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "now") {
    std::printf("%llu\n", static_cast<unsigned long long>(wall_ns()));
    return 0;
  }
  const Options options = parse(argc, argv);
  struct sigaction change {};
  change.sa_flags = SA_RESTART;
  change.sa_handler = [](int) { wants_one_flow = 1; };
  ::sigaction(SIGUSR1, &change, nullptr);
  change.sa_handler = [](int) { wants_one_flow = 0; };
  ::sigaction(SIGUSR2, &change, nullptr);
  Rank(options).run();
  std::_Exit(0);  // the threads of the teams wait for a turn that does not come
}
