// Simulates a fleet for the tests of reveal analyser: publishes what agents of so many hosts would,
// in real time. From a second on one host's network loses segments.
//
//   made_fleet URL HOSTS SECONDS SLOW_HOST FROM TO
#include "peers/testing/made_fleet.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "bus/nats_publisher.h"

namespace {

using namespace reveal;
using std::chrono::system_clock;

constexpr auto kPatience = std::chrono::seconds(30);

std::size_t number(const char* text) {
  return static_cast<std::size_t>(std::strtoul(text, nullptr, 10));
}

// Returns the next whole second.
std::int64_t next_second() {
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch());
  return (now.count() + 1) * peers::kMadeSecond_ns;
}

int run(const char* const* words) {
  bus::BrokerOptions broker;
  broker.url = words[1];
  broker.name = "made fleet";
  const auto hosts = number(words[2]);
  const auto seconds = number(words[3]);
  const auto slow = number(words[4]);
  const auto from = number(words[5]);
  const auto to = number(words[6]);
  const auto publisher = bus::NatsPublisher::start(broker);
  if (!publisher) {
    fmt::print(stderr, "made_fleet: {}\n", publisher.error().message());
    return 1;
  }
  const auto begin_ns = next_second();
  const auto level = [=](std::size_t host, std::size_t quantity, std::size_t second) {
    const bool is_it = host == slow && quantity == peers::kRetransmits;
    return is_it && second >= from && second < to ? 0.04F
                                                  : peers::usual_level(host, quantity, second);
  };
  std::uint64_t key = 0;
  peers::MadeFleet fleet(
      hosts, peers::made_dictionary(),
      [&](const std::string& subject, const wire::Bytes& payload, std::int64_t) {
        // Only levels may get lost.
        const bool is_level = subject.find(".lvl.") != std::string::npos;
        (*publisher)->publish({subject, payload, is_level ? "" : std::to_string(++key)});
      },
      begin_ns);
  fleet.introduce();
  if (!(*publisher)->drain(kPatience)) {
    fmt::print(stderr, "made_fleet: {}\n", (*publisher)->trouble());
    return 1;
  }
  fmt::print("{}\n", begin_ns);
  std::fflush(stdout);
  for (std::size_t s = 0; s < seconds; ++s) {
    const auto end_ns = begin_ns + static_cast<std::int64_t>(s + 1) * peers::kMadeSecond_ns;
    std::this_thread::sleep_until(system_clock::time_point(std::chrono::nanoseconds(end_ns)));
    fleet.send_second(s, level);
  }
  return (*publisher)->drain(kPatience) ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  if (count == 7) return run(words);
  fmt::print(stderr, "usage: made_fleet URL HOSTS SECONDS SLOW_HOST FROM TO\n");
  return 2;
}
