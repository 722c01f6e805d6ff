// What the live page shows besides the agent's state: what was, and who uses what. Made by the
// agent from time to time and shared by the states in between.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace reveal::serve {

inline constexpr std::size_t kMostSubsystems = 8;

// A stretch of time: its strongest judged window.
struct PastStretch {
  std::int64_t begin_wall_ns = 0;
  double strength = 0;
  std::array<float, kMostSubsystems> shares{};
};

struct Past {
  std::int64_t stretch_ns = 0;  // of each
  std::vector<std::string> subsystems =
      {};  // of the shares, in their order; kMostSubsystems at most
  std::vector<PastStretch> stretches =
      {};  // in the order of time; those without a verdict are left out
};

// A channel by the name that people know it by, as analysis sees it.
struct ChannelName {
  std::string name = {};  // "metric" or "metric{instance}"
  std::string metric = {};
  std::string instance = {};
  std::string label = {};
  std::string subsystem = {};
  std::string unit = {};
};

// Who uses most of something now.
struct Users {
  std::string what = {};  // "CPU time"
  std::string unit = {};  // of the amounts
  struct User {
    std::string name = {};
    std::string channel = {};
    double amount = 0;
  };
  std::vector<User> users = {};  // the most first
};

}  // namespace reveal::serve
