// Writes what an analyser learns to its file. While another program has the file, what there is to
// write waits, and is tried again after a pause; if that lasts, it fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/backoff.h"
#include "base/result.h"
#include "ledger/ledger.h"
#include "peers/fleet.h"
#include "peers/incident.h"

namespace reveal::analyser {

// What is to be written.
struct Learnt {
  struct HostFacts {
    peers::ToldFacts told;
    std::string group;
  };
  std::vector<HostFacts> facts;
  std::vector<peers::StandingNews> standings;
  std::vector<peers::ToldEvent> events;
  std::vector<peers::News> news;
  // The incidents that are open, if all others in the file are over.
  std::optional<std::set<std::string>> open;

  bool is_empty() const;
  void append(Learnt more);
  // Lets go the oldest beyond the bounds. Facts and events come again from the broker.
  void bound();
};

class Keeper {
 public:
  static constexpr std::int64_t kLongestBusy_ns = 600'000'000'000;
  static constexpr std::size_t kMaxWaiting = 100'000;  // of each kind

  // `tell` gets a line if the file cannot be written for now, and once it can be.
  Keeper(ledger::Ledger ledger, std::function<void(std::string_view)> tell);

  // Takes what is to be written, and writes it unless a pause lasts; `steady_ns` is the steady
  // clock. Fails if the file cannot be written, of a busy one after kLongestBusy_ns.
  base::Result<void> keep(Learnt more, std::int64_t steady_ns);

  // Returns how many things wait.
  std::size_t waiting() const;

 private:
  base::Result<void> write();
  base::Result<void> put_all();

  ledger::Ledger ledger_;
  std::function<void(std::string_view)> tell_;
  Learnt learnt_;
  base::Backoff backoff_;
  std::int64_t pause_until_ns_ = 0;
  std::optional<std::int64_t> busy_since_ns_;
};

}  // namespace reveal::analyser
