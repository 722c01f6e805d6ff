// Keeps all that the agent keeps beside its recording within its share of record.max_size
// (size_shares.h). If there is no room for what is new, what is least missed goes first:
//
//   1  the frames around findings, the oldest first: the findings are still told and explained
//   2  findings themselves and reports of days, the oldest first; last those that go on
//   3  what somebody asked to keep, the oldest first; never for the sake of anything else, only if
//      the share has become smaller
//
// State never goes. An eighth of the share is left for what is written between two looks. For any
// thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "agent/kept_items.h"
#include "agent/paths.h"
#include "base/result.h"

namespace reveal::agent {

class KeptSpace {
 public:
  struct Limits {
    std::uint64_t most_bytes = 0;      // 0: any number
    std::uint64_t min_free_bytes = 0;  // left on the disk to the host's other programs
  };

  // Removes evidence that an agent that was killed has left unfinished.
  KeptSpace(Paths paths, Limits limits);

  const Limits& limits() const { return limits_; }

  // Makes room for evidence by removing older evidence. Returns how many bytes it may take at most,
  // while it is written, too; 0: any number. Fails with kNoSpace if other things have all of it.
  // `now_ns` is wall time.
  base::Result<std::uint64_t> room_for_evidence(std::int64_t now_ns);

  // Makes room for a pin of so many bytes and holds it until pin_is_made(). Pins may take half of
  // the share. Fails with kNoSpace if it would be more.
  base::Result<void> hold_for_pin(std::uint64_t bytes, std::int64_t now_ns);
  void pin_is_made(std::uint64_t bytes);

  // Removes what is too much, whatever made it so. To be called now and then.
  void keep_up(std::int64_t now_ns);

  // Returns a line on what was removed, or could not be, since the last call.
  std::vector<std::string> take_lines();

 private:
  std::uint64_t target(const KeptItems& items, std::uint64_t wanted) const;
  bool can_fit(const KeptItems& items, std::uint64_t wanted, KeptKind last) const;
  base::Unexpected no_room(const KeptItems& items) const;
  bool make_room(KeptItems& items, std::uint64_t wanted, KeptKind last, std::int64_t now_ns);

  Paths paths_;
  Limits limits_;
  std::mutex mutex_;  // of what follows, and of what is removed
  std::uint64_t held_bytes_ = 0;
  bool is_too_much_ = false;  // said
  std::vector<std::string> lines_;
};

}  // namespace reveal::agent
