// A made fleet whose messages go to a Fleet in the order in which a broker would take them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "peers/fleet.h"
#include "peers/testing/made_fleet.h"

namespace reveal::peers {

class Lab {
 public:
  explicit Lab(std::size_t hosts, const wire::Dictionary& dictionary = made_dictionary(),
               FleetLimits limits = {})
      : made(hosts, dictionary,
             [this](const auto& subject, const auto& payload, std::int64_t stored_ns) {
               waiting.emplace(stored_ns, std::pair(subject, payload));
             }),
        fleet(limits) {}

  // Sends seconds from..to - 1 as they would come.
  void run(std::size_t from, std::size_t to, const MadeFleet::Level& level) {
    for (std::size_t s = from; s < to; ++s) {
      made.send_second(s, level);
      deliver();
    }
  }
  // The same of all hosts but one.
  void run_without(std::size_t host, std::size_t from, std::size_t to,
                   const MadeFleet::Level& level) {
    for (std::size_t s = from; s < to; ++s) {
      for (std::size_t i = 0; i < made.hosts(); ++i) {
        if (i != host) made.send_levels(i, s, level);
      }
      deliver();
    }
  }
  void deliver() {
    for (const auto& [stored_ns, message] : waiting) {
      const auto taken = fleet.take({message.first, message.second, stored_ns});
      ASSERT_TRUE(taken || may_refuse) << taken.error().message();
      fleet.advance(stored_ns, is_late);
      std::ranges::move(fleet.take_news(), std::back_inserter(news));
    }
    waiting.clear();
  }
  std::vector<News> of(Told told) const {
    std::vector<News> out;
    std::ranges::copy_if(news, std::back_inserter(out),
                         [&](const News& one) { return one.told == told; });
    return out;
  }

  std::multimap<std::int64_t, std::pair<std::string, wire::Bytes>> waiting;
  MadeFleet made;
  Fleet fleet;
  std::vector<News> news;
  bool is_late = false;
  bool may_refuse = false;
};

// A rise in one quantity of hosts, for a minute from second 200 on.
inline constexpr std::size_t kFrom = 200;
inline constexpr std::size_t kTo = 260;
inline MadeFleet::Level spliced(std::set<std::size_t> hosts, std::size_t quantity, float to,
                                std::size_t from = kFrom, std::size_t until = kTo) {
  return [=](std::size_t host, std::size_t q, std::size_t second) {
    const bool is_it = hosts.contains(host) && q == quantity && second >= from && second < until;
    return is_it ? to : usual_level(host, q, second);
  };
}

}  // namespace reveal::peers
