// What the fleet was told of which finding, over restarts: each event until the broker has it.
//
// The findings are the truth, and what was told of them is in a file: of each the number of its
// last event, and which revision of it the broker has. The number is in the file before the event
// is sent, so none is used twice for two things, and what was on its way when the agent ended is
// told once more, under the next number.
//
// The caller brings the time. Not thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "bus/publisher.h"
#include "model/metric.h"
#include "wire/event.h"

namespace reveal::publish {

// A finding that goes on is told of this often.
inline constexpr std::int64_t kBetweenUpdates_ns = 10'000'000'000;

// A finding as its host has it; its texts are the caller's.
struct FindingState {
  std::string_view id;
  std::uint64_t revision = 1;  // another one with each change
  bool open = true;
  std::int64_t begin_ns = 0;  // wall time
  std::int64_t end_ns = 0;
  model::Subsystem subsystem = model::Subsystem::kCpu;
  std::string_view severity;  // the word of it
  std::string_view claim;
  std::string_view pattern;  // empty: none
  std::string_view json;     // all of it, as an object on one line
};

// Who tells, in every event.
struct Teller {
  std::string host;     // its id
  std::string subject;  // of its events
  wire::Head head;      // without a time
};

class EventLedger {
 public:
  // Reads the file, if there is one. If it cannot be read, nothing is known to have been told, and
  // the next take_trouble() says so.
  explicit EventLedger(std::filesystem::path file);

  // Sends what is new of these findings, which are all that can change or still have to be told.
  // What is told of no longer is forgotten.
  void round(std::span<const FindingState> findings, const Teller& teller, std::int64_t now_ns,
             bus::Publisher& publisher);

  // Takes what became of a message. Returns whether it was one of these.
  bool take(const bus::Outcome& outcome);

  // Writes the file if something has changed since. A failure is the next take_trouble().
  void save();

  // Returns what could not be read, written or sent since the last call; empty: nothing.
  std::string take_trouble() { return std::exchange(trouble_, {}); }

 private:
  struct Told {
    std::uint32_t last_event = 0;  // its number; 0: there was none
    std::uint64_t revision = 0;    // of the finding, that the broker has; 0: none
    bool open = false;             // in that revision
    std::string on_its_way;        // key of the event that is; empty: none is
    std::uint64_t revision_on_its_way = 0;
    bool open_on_its_way = false;
    std::int64_t sent_ns = 0;  // the last event, by this process
  };
  struct Due {
    const FindingState* finding;
    wire::What what;
  };

  std::vector<Due> due(std::span<const FindingState> findings, std::int64_t now_ns);
  // Returns false if the publisher has too many.
  bool send(const Due& due, const Teller& teller, std::int64_t now_ns, bus::Publisher& publisher);
  base::Result<void> load();
  std::string text() const;

  std::filesystem::path file_;
  std::map<std::string, Told, std::less<>> told_;  // by finding
  bool changed_ = false;                           // since the file was written
  std::int64_t full_until_ns_ = 0;                 // too many are on their way; tried again then
  std::string trouble_;
};

}  // namespace reveal::publish
