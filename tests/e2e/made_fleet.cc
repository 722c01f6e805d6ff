// Simulates a fleet for the tests of reveal analyser: publishes what agents of so many hosts would,
// in real time. For some seconds a host's network loses segments. What is of a gap is told late:
// once that is over, ten seconds of it in each second, the newest first. Hosts FIRST to LAST - 1
// say from FROM to TO that they have a job, since a minute before.
//
//   made_fleet URL HOSTS SECONDS (SLOW_HOST FROM TO | gap FROM TO | job NAME FIRST LAST FROM TO)...
#include "peers/testing/made_fleet.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bus/nats_publisher.h"

namespace {

using namespace reveal;
using std::chrono::system_clock;

constexpr auto kPatience = std::chrono::seconds(30);
constexpr auto kLatest = std::chrono::seconds(2);  // after its end a second is told no more
constexpr std::size_t kLateASecond = 10;
constexpr std::int64_t kMinute_s = 60;
// A publisher lets levels go of which more wait for the broker's answer (bus::Outbox).
constexpr std::size_t kAtOnce = 32;
constexpr std::size_t kHostsALine = 600;

struct Stretch {
  std::size_t host = 0;
  std::size_t from = 0;
  std::size_t to = 0;

  bool has(std::size_t second) const { return second >= from && second < to; }
};

struct Job {
  std::string name;
  std::size_t first = 0;
  std::size_t last = 0;
  Stretch time;
};

struct Plan {
  std::size_t hosts = 0;
  std::size_t seconds = 0;
  std::vector<Stretch> slow{};
  std::vector<Stretch> gaps{};
  std::vector<Job> jobs{};

  float level(std::size_t host, std::size_t quantity, std::size_t second) const {
    const bool is_slow = std::ranges::any_of(
        slow, [&](const Stretch& one) { return one.host == host && one.has(second); });
    return is_slow && quantity == peers::kRetransmits ? 0.04F
                                                      : peers::usual_level(host, quantity, second);
  }
  bool is_in_gap(std::size_t second) const {
    return std::ranges::any_of(gaps, [&](const Stretch& one) { return one.has(second); });
  }
};

std::size_t number(const char* text) {
  return static_cast<std::size_t>(std::strtoul(text, nullptr, 10));
}

// Returns the next whole second.
std::int64_t next_second() {
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch());
  return (now.count() + 1) * peers::kMadeSecond_ns;
}

// Returns nothing if the words are not what they should be.
std::optional<Plan> plan_of(std::span<const char* const> words) {
  if (words.size() < 2) return std::nullopt;
  Plan out{.hosts = number(words[0]), .seconds = number(words[1])};
  words = words.subspan(2);
  while (!words.empty()) {
    const std::string_view what = words[0];
    const std::size_t length = what == "job" ? 6 : 3;
    if (words.size() < length) return std::nullopt;
    const Stretch time{0, number(words[length - 2]), number(words[length - 1])};
    if (what == "job") {
      out.jobs.push_back({words[1], number(words[2]), number(words[3]), time});
    } else if (what == "gap") {
      out.gaps.push_back(time);
    } else {
      out.slow.push_back({number(words[0]), time.from, time.to});
    }
    words = words.subspan(length);
  }
  return out;
}

void tell_jobs(peers::MadeFleet& fleet, const Plan& plan, std::size_t second) {
  for (const auto& job : plan.jobs) {
    if (second != job.time.from && second != job.time.to) continue;
    for (std::size_t host = job.first; host < job.last; ++host) {
      const auto since_s = static_cast<std::int64_t>(second) - kMinute_s;
      fleet.send_jobs(host, fleet.facts_of(host),
                      second == job.time.from ? peers::MadeFleet::Jobs{{job.name, since_s}}
                                              : peers::MadeFleet::Jobs{},
                      second);
    }
  }
}

// Tells in turn what is of a gap that is over.
class Late {
 public:
  void take(std::size_t second) { owed_.push_back(second); }
  void tell(peers::MadeFleet& fleet, const peers::MadeFleet::Level& level) {
    for (std::size_t i = 0; i < kLateASecond && !owed_.empty(); ++i) {
      for (std::size_t host = 0; host < fleet.hosts(); ++host) {
        fleet.send_late(host, owed_.back(), level, 0);
      }
      owed_.pop_back();
    }
  }

 private:
  std::vector<std::size_t> owed_;
};

// Publishes for all hosts, over several connections if they are many. Messages of one host go over
// the same one, so they stay in order.
class Lines {
 public:
  // Returns whether all connections are begun.
  bool start(const std::string& url, std::size_t hosts) {
    bus::BrokerOptions broker;
    broker.url = url;
    broker.name = "made fleet";
    for (std::size_t i = 0; i <= hosts / kHostsALine; ++i) {
      auto line = bus::NatsPublisher::start(broker);
      if (!line) return failed(line.error().message());
      lines_.push_back(std::move(*line));
    }
    return true;
  }
  void publish(const std::string& subject, const wire::Bytes& payload) {
    // Only levels of now may get lost.
    const bool is_level = subject.find(".lvl.") != std::string::npos;
    const auto host = subject.substr(subject.rfind('.') + 1);
    lines_[std::hash<std::string>()(host) % lines_.size()]->publish(
        {subject, payload, is_level ? "" : std::to_string(++key_)});
    if (is_level && lines_.size() > 1 && ++waiting_ % (kAtOnce * lines_.size()) == 0) drain();
  }
  // Returns whether the broker has all of it.
  bool drain() {
    for (const auto& one : lines_) {
      if (!one->drain(kPatience)) return failed(one->trouble());
    }
    return true;
  }

 private:
  static bool failed(std::string_view why) {
    fmt::print(stderr, "made_fleet: {}\n", why);
    return false;
  }

  std::vector<std::unique_ptr<bus::NatsPublisher>> lines_;
  std::uint64_t key_ = 0;
  std::size_t waiting_ = 0;
};

int run(const std::string& url, const Plan& plan) {
  Lines lines;
  if (!lines.start(url, plan.hosts)) return 1;
  const auto begin_ns = next_second();
  const auto level = [&](std::size_t host, std::size_t quantity, std::size_t second) {
    return plan.level(host, quantity, second);
  };
  peers::MadeFleet fleet(
      plan.hosts, peers::made_dictionary(),
      [&](const std::string& subject, const wire::Bytes& payload, std::int64_t) {
        lines.publish(subject, payload);
      },
      begin_ns);
  fleet.introduce();
  if (!lines.drain()) return 1;
  fmt::print("{}\n", begin_ns);
  std::fflush(stdout);
  Late late;
  for (std::size_t s = 0; s < plan.seconds; ++s) {
    const auto end_ns = begin_ns + static_cast<std::int64_t>(s + 1) * peers::kMadeSecond_ns;
    const system_clock::time_point end{std::chrono::nanoseconds(end_ns)};
    // To introduce many hosts takes a while.
    if (system_clock::now() > end + kLatest) continue;
    tell_jobs(fleet, plan, s);
    std::this_thread::sleep_until(end);
    if (plan.is_in_gap(s)) {
      late.take(s);
      continue;
    }
    fleet.send_second(s, level);
    late.tell(fleet, level);
  }
  return lines.drain() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  const std::span<const char* const> all(words, static_cast<std::size_t>(count));
  const auto plan = all.size() < 2 ? std::nullopt : plan_of(all.subspan(2));
  if (plan) return run(words[1], *plan);
  fmt::print(stderr,
             "usage: made_fleet URL HOSTS SECONDS (SLOW_HOST FROM TO | gap FROM TO | job NAME "
             "FIRST LAST FROM TO)...\n");
  return 2;
}
