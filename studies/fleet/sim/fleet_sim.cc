// A fleet of up to ten thousands of hosts in one process, for a real broker: each host has a
// connection of its own, and tells its levels once a second at its own moment, as agents do. What
// they tell is made of real recordings. studies/fleet/sim.py writes the plan and judges.
//
//   fleet_sim PLAN
//
// It prints JSON, an object a line: {"begin_ns"} once all are connected and have told what they
// are, then every ten seconds and at the end what was counted so far.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include "connection.h"
#include "plan.h"
#include "sim_fleet.h"
#include "tls.h"
#include "wire/subject.h"

namespace {

using namespace reveal;
using namespace reveal::sim;

// Who is later than this leaves the second out.
constexpr std::int64_t kLatest_ns = kSecond_ns / 2;
// How exactly moments are kept: what is due within this is sent together.
constexpr std::int64_t kGrain_ns = 1'000'000;
constexpr std::size_t kServeEvery = 32;
constexpr std::size_t kReport_s = 10;

std::int64_t wall_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * kSecond_ns + now.tv_nsec;
}

struct One {
  Member& member;
  Connection connection;
  bool told = false;  // what it is
};

class Fleet {
 public:
  base::Result<void> make(const Plan& plan);
  void run();

 private:
  void connect(One& one);
  void watch(One& one);
  void serve(std::int64_t until_ns);
  void introduce(One& one);
  bool connect_all();
  void tell_second(std::size_t second);
  void report(std::size_t second, const char* word) const;
  std::size_t number_of(const One& one) const {
    return static_cast<std::size_t>(&one - hosts_.data());
  }

  const Plan* plan_ = nullptr;
  std::unique_ptr<SimFleet> sim_;
  std::optional<TlsContext> tls_;
  Counts counts_;
  Latencies latencies_;
  std::vector<One> hosts_;
  base::UniqueFd poll_;
  std::int64_t begin_ns_ = 0;
  std::int64_t worst_late_ns_ = 0;
  std::size_t unserved_ = 0;
};

base::Result<void> Fleet::make(const Plan& plan) {
  plan_ = &plan;
  auto sim = SimFleet::make(plan);
  if (!sim) return base::pass(sim);
  sim_ = std::move(*sim);
  hosts_.reserve(sim_->members().size());
  if (!plan.ca_file.empty()) {
    auto tls = TlsContext::make(plan.ca_file);
    if (!tls) return base::pass(tls);
    tls_.emplace(std::move(*tls));
  }
  for (auto& member : sim_->members()) {
    hosts_.push_back({member, Connection(counts_, latencies_, tls_ ? &*tls_ : nullptr)});
  }
  poll_.reset(::epoll_create1(EPOLL_CLOEXEC));
  if (!poll_.valid()) return base::fail_errno(errno, "no epoll", "the kernel");
  return {};
}

void Fleet::connect(One& one) {
  if (!one.connection.open(plan_->port, number_of(one))) return;
  epoll_event event{.events = EPOLLIN, .data = {.u64 = number_of(one)}};
  ::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, one.connection.socket(), &event);
}

// What could not be written goes on once it can.
void Fleet::watch(One& one) {
  if (!one.connection.is_open()) return;
  const std::uint32_t events = one.connection.wants_to_write() ? EPOLLIN | EPOLLOUT : EPOLLIN;
  epoll_event event{.events = events, .data = {.u64 = number_of(one)}};
  ::epoll_ctl(poll_.get(), EPOLL_CTL_MOD, one.connection.socket(), &event);
}

// Takes what the broker says, until then.
void Fleet::serve(std::int64_t until_ns) {
  epoll_event events[256];
  do {
    const auto left_ms =
        std::max<std::int64_t>((until_ns - wall_ns() + kGrain_ns - 1) / kGrain_ns, 0);
    const int got = ::epoll_wait(poll_.get(), events, 256, static_cast<int>(left_ms));
    const auto now_ns = wall_ns();
    for (int i = 0; i < got; ++i) {
      auto& one = hosts_[events[i].data.u64];
      if ((events[i].events & ~std::uint32_t{EPOLLOUT}) != 0 && !one.connection.read(now_ns)) {
        continue;
      }
      if (one.connection.is_open() && one.connection.wants_to_write()) one.connection.write();
      if ((events[i].events & EPOLLOUT) != 0 || one.connection.wants_to_write()) watch(one);
    }
  } while (wall_ns() < until_ns);
}

void Fleet::introduce(One& one) {
  const auto say = [&](wire::Type type, const wire::Bytes& message) {
    if (one.connection.publish(wire::subject_of({kSite, one.member.host.id(), type}), message,
                               wall_ns())) {
      watch(one);
    }
  };
  say(wire::Type::kFacts, one.member.host.facts(one.member.role, wall_ns()));
  serve(0);
  say(wire::Type::kDictionary, one.member.host.dictionary(wall_ns()));
  one.told = true;
}

// Connects so many a second, and has each tell what it is. Returns false if some cannot.
bool Fleet::connect_all() {
  const auto begin_ns = wall_ns();
  const auto apart_ns = kSecond_ns / static_cast<std::int64_t>(plan_->connects);
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    connect(hosts_[i]);
    serve(begin_ns + static_cast<std::int64_t>(i + 1) * apart_ns);
  }
  const auto patience_ns = wall_ns() + 60 * kSecond_ns;
  std::size_t told = 0;
  while (told < hosts_.size() && wall_ns() < patience_ns) {
    for (auto& one : hosts_) {
      if (one.told || !one.connection.is_ready()) continue;
      introduce(one);
      ++told;
      if (told % 16 == 0) serve(wall_ns() + 16 * apart_ns);
    }
    serve(wall_ns() + kSecond_ns / 10);
  }
  serve(wall_ns() + 2 * kSecond_ns);
  return told == hosts_.size();
}

void Fleet::tell_second(std::size_t second) {
  const auto second_ns = begin_ns_ + static_cast<std::int64_t>(second) * kSecond_ns;
  for (const auto i : sim_->order()) {
    auto& one = hosts_[i];
    const auto due_ns = second_ns + kSecond_ns + one.member.moment_ns;
    if (wall_ns() + kGrain_ns < due_ns) {
      serve(due_ns);
    } else if (++unserved_ % kServeEvery == 0) {
      serve(0);  // who is late must hear the broker all the same
    }
    const auto now_ns = wall_ns();
    worst_late_ns_ = std::max(worst_late_ns_, now_ns - due_ns);
    if (!one.connection.is_open()) connect(one);
    if (one.connection.expire(now_ns)) one.member.host.restart();
    if (now_ns - due_ns > kLatest_ns) {
      ++counts_.skipped;
      one.member.host.restart();
      continue;
    }
    const bool sent = one.connection.publish(one.member.subject,
                                             one.member.host.levels(second, second_ns), now_ns);
    if (!sent) one.member.host.restart();
    if (one.connection.wants_to_write()) watch(one);
  }
}

void Fleet::report(std::size_t second, const char* word) const {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  fmt::print(
      "{{\"told\": \"{}\", \"second\": {}, \"sent\": {}, \"bytes\": {}, \"acknowledged\": {}, "
      "\"lost\": {}, \"refused\": {}, \"skipped\": {}, \"connects\": {}, \"closed\": {}, "
      "\"ack_ms\": {{\"p50\": {:.2f}, \"p99\": {:.2f}}}, \"worst_late_ms\": {:.0f}, "
      "\"cpu_s\": {:.2f}, \"rss_kib\": {}}}\n",
      word, second, counts_.sent, counts_.sent_bytes, counts_.acknowledged, counts_.lost,
      counts_.refused, counts_.skipped, counts_.connects, counts_.closed,
      latencies_.quantile_ms(0.5), latencies_.quantile_ms(0.99),
      static_cast<double>(worst_late_ns_) / 1e6, seconds(usage.ru_utime) + seconds(usage.ru_stime),
      usage.ru_maxrss);
  std::fflush(stdout);
}

void Fleet::run() {
  const bool all = connect_all();
  report(0, all ? "connected" : "not all connected");
  counts_ = Counts{.connects = counts_.connects};
  latencies_.clear();
  begin_ns_ = (wall_ns() / kSecond_ns + 1) * kSecond_ns;
  fmt::print("{{\"begin_ns\": {}}}\n", begin_ns_);
  std::fflush(stdout);
  // The last of a second tells it after the first of the next one: seconds are merged by moment.
  for (std::size_t s = 0; s < plan_->seconds; ++s) {
    tell_second(s);
    if ((s + 1) % kReport_s != 0) continue;
    report(s + 1, "so far");
    worst_late_ns_ = 0;
    latencies_.clear();
  }
  serve(wall_ns() + Connection::kPatience_ns);
  for (auto& one : hosts_) one.connection.expire(wall_ns() + Connection::kPatience_ns);
  report(plan_->seconds, "end");
}

bool raise_limit_of_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

int failed(const base::Error& error) {
  fmt::print(stderr, "fleet_sim: {}\n", error.message());
  return 1;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    fmt::print(stderr, "usage: fleet_sim PLAN (studies/fleet/sim.py writes it)\n");
    return 2;
  }
  static_cast<void>(raise_limit_of_files());
  // TLS writes without MSG_NOSIGNAL; a connection that is gone is counted.
  std::signal(SIGPIPE, SIG_IGN);
  const auto plan = read_plan(words[1]);
  if (!plan) return failed(plan.error());
  Fleet fleet;
  if (const auto made = fleet.make(*plan); !made) return failed(made.error());
  fleet.run();
  return 0;
}
