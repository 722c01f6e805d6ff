// The fleet as its messages tell of it: hosts in groups, judged as seconds come, and incidents.
//
// Knows no broker and no clock: it is given messages with the time at which the broker took them,
// and the time that it is. The same messages give the same incidents. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "peers/group.h"
#include "peers/host.h"
#include "peers/incident.h"
#include "peers/incident_book.h"
#include "peers/meaning.h"
#include "wire/event.h"
#include "wire/facts.h"

namespace reveal::peers {

struct FleetLimits {
  std::size_t hosts = 20'000;                   // messages of more are counted, not kept
  std::int64_t forget_ns = 3'600 * kSecond_ns;  // a host that was silent for so long
};

// A message as a broker delivers it.
struct Delivery {
  std::string_view subject;
  wire::ByteView payload;
  std::int64_t stored_ns = 0;  // when the broker took it
};

struct FleetCounts {
  std::uint64_t messages = 0;
  std::uint64_t refused = 0;    // malformed, or of a host beyond the limit
  std::uint64_t judged = 0;     // seconds of groups
  std::uint64_t uncertain = 0;  // of these, those in which nobody could be accused
};

// What a host told of itself, to be kept.
struct ToldFacts {
  std::string host;
  std::string site;
  wire::Facts facts;
};
struct ToldEvent {
  std::string host;
  wire::Event event;
};

// A host that cannot be compared, or can be again.
struct StandingNews {
  std::string host;
  std::string name;
  Standing standing = Standing::kUnknown;
};

class Fleet {
 public:
  explicit Fleet(FleetLimits limits = {}) : limits_(limits) {}

  // Takes a message. Fails with kCorrupt if it is malformed; then all is as it was.
  base::Result<void> take(const Delivery& message);

  // Judges what can be judged by now, and forgets who is silent. `is_late`: this program is behind
  // the messages, so nobody is accused.
  void advance(std::int64_t now_ns, bool is_late);

  std::vector<News> take_news() { return book_.take_news(); }
  std::vector<StandingNews> take_standings();
  // Return what hosts told since the last call.
  std::vector<ToldFacts> take_facts();
  std::vector<ToldEvent> take_events();

  const FleetCounts& counts() const { return counts_; }
  std::size_t hosts() const { return hosts_.size(); }
  // Returns null if there is no such host.
  const Host* find(std::string_view id) const;
  // Returns the key of the group that a host belongs to; empty if it belongs to none.
  std::string group_of(std::string_view id) const;
  std::size_t meanings() const { return meanings_.size(); }

 private:
  struct Entry {
    std::unique_ptr<Host> host;
    Group* group = nullptr;
    std::int64_t since_ns = 0;               // when it was first heard of; 0: just now
    Standing standing = Standing::kUnknown;  // as it was told last
  };

  Entry* entry_of(const std::string& id, const std::string& site);
  base::Result<void> take_levels(Entry& entry, const Delivery& message);
  base::Result<void> take_facts(Entry& entry, const Delivery& message);
  base::Result<void> take_meaning(Entry& entry, const Delivery& message);
  base::Result<void> take_event(Entry& entry, const Delivery& message);
  base::Result<void> dispatch(Entry& entry, wire::Type type, const Delivery& message);
  void place(Entry& entry);
  void leave(Entry& entry);
  void watch_standings(std::int64_t now_ns);

  FleetLimits limits_;
  Meanings meanings_;
  std::map<std::string, Entry, std::less<>> hosts_;                    // by id
  std::map<std::string, std::unique_ptr<Group>, std::less<>> groups_;  // by key
  IncidentBook book_;
  FleetCounts counts_;
  std::vector<ToldFacts> facts_;
  std::vector<ToldEvent> events_;
  std::vector<StandingNews> standings_;
  std::int64_t watched_ns_ = 0;
};

// Returns the key of the group in which a host is compared: that of its role if it has one, else
// that of its hardware, else one that is made of its machine and its processors. Behind the label
// "cluster", if it has that.
std::string group_key(const wire::Facts& facts);

}  // namespace reveal::peers
