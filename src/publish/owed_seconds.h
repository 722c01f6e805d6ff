// The seconds of which the broker has not said that it has them, and which the fleet is still to be
// told. In a file, so that a restart forgets none.
//
// Bounded: a day, in so many spans. Of more the nearest ones are joined, and what lies between
// them is told twice, which does no harm. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"

namespace reveal::publish {

// Wall time; both are whole multiples of a bucket's length.
struct Seconds {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;

  bool operator==(const Seconds&) const = default;
};

class OwedSeconds {
 public:
  static constexpr std::size_t kMaxSpans = 256;
  static constexpr std::int64_t kOldest_ns = 86'400'000'000'000;

  // Reads the file, if there is one. If it cannot be read, nothing of before is owed, and the next
  // take_trouble() says so.
  explicit OwedSeconds(std::filesystem::path file);

  // Says that a bucket is over. It is owed, and so is all between it and the one before, over
  // restarts, too: the recording may have it. Nothing is owed of the time before the first call
  // ever, which is written at once: a restart without the file would take the next one for that.
  void pass(Seconds bucket);

  // Says that the fleet has these, or never will.
  void settle(Seconds told);

  // Returns the newest part of what is owed that ends by `until_ns`, and is no longer than that;
  // some of it may be settled. Nothing if nothing is owed.
  std::optional<Seconds> newest(std::int64_t until_ns, std::int64_t longest_ns) const;

  // Returns whether any of these is owed.
  bool owes(Seconds seconds) const;
  // Returns how long all that is owed is.
  std::int64_t total_ns() const;

  // Writes the file if something has changed since. A failure is the next take_trouble().
  void save();

  // Returns what could not be read or written since the last call; empty: nothing.
  std::string take_trouble() { return std::exchange(trouble_, {}); }

 private:
  using Spans = std::map<std::int64_t, std::int64_t>;  // begins and ends, apart

  void owe(Seconds seconds);
  void join_nearest();
  base::Result<void> load();

  std::filesystem::path file_;
  Spans spans_;
  std::int64_t until_ns_ = 0;  // all before is settled or owed; 0: nothing has passed yet
  bool changed_ = false;       // since the file was written
  std::string trouble_;
};

}  // namespace reveal::publish
