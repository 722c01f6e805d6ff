// Who uses what now: the control groups that use most of the CPUs, memory and disks, those with
// most traffic in a network of their own, such as pods, and the host's interfaces with most traffic
// (the kernel counts traffic by interface, not by group).
#pragma once

#include <cstddef>
#include <vector>

#include "live/history.h"
#include "serve/shown_state.h"

namespace reveal::agent {

inline constexpr std::size_t kMostUsers = 5;  // of each thing

class UserReader {
 public:
  // Returns the largest users in the latest window of the history.
  std::vector<serve::Users> read(const live::History& history);

 private:
  struct Column {
    std::size_t row = 0;  // of the table in users.cc
    std::size_t column = 0;
    model::ChannelId channel;
  };

  void find_columns(const live::History& history);

  std::size_t known_columns_ = 0;
  const feature::FeatureMatrix* matrix_ = nullptr;
  std::vector<Column> columns_;
};

}  // namespace reveal::agent
