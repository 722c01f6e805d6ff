// What is told of a fleet: hosts that are slower than their peers, those that are slow together
// joined into one incident. Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/quantity.h"
#include "wire/facts.h"

namespace reveal::peers {

// A quantity that stands out: of a host against its peers, or of a group against its past.
struct Evidence {
  fleet::Quantity quantity;
  double observed = 0;
  double usual = 0;       // the median of the peers, or of the group's past
  double rise = 0;        // observed less usual, and less how far the host lies apart as a rule
  double limit = 0;       // a distance above this is not chance
  double least_rise = 0;  // a rise by this matters; 0: it is no saturation signal
  // Returns the rise in units of the larger of both.
  double strength() const;
};

// A fact in which a host differs from most of its peers.
struct UnlikeFact {
  std::string subject;
  std::string observed;
  std::string usual;

  bool operator==(const UnlikeFact&) const = default;
};

enum class Part : std::uint8_t {
  kCause,   // the host that is slow of itself
  kVictim,  // waits for it
  kSlow,    // slow; nobody knows who is the cause
  kPair,    // one of two hosts that differ: which of them is slow is not known
};

// Returns "cause", "victim", "slow" or "pair".
std::string_view to_string(Part part);

// A host that was not slow in so many seconds has recovered.
inline constexpr std::int64_t kCalm_s = 10;

struct SlowHost {
  std::string id;
  std::string name;
  Part part = Part::kSlow;
  std::int64_t onset_ns = 0;
  std::int64_t error_ns = 0;       // how far the onset may be off
  std::int64_t last_ns = 0;        // end of the last second in which it was slow
  std::int64_t calm_s = 0;         // seconds since then in which it could have been called slow
  std::vector<Evidence> evidence;  // the strongest first; at most kMaxEvidence
  std::string finding;             // of its own, that begins with it; empty: none
  std::string pattern;             // of that; empty: none
  bool has_own_cause = false;      // a pattern of that says that the cause lies in the host
  bool misses_segments = false;    // what others send to it is lost on the way
  std::vector<UnlikeFact> facts;

  // Returns whether it is slow no more, whatever its incident does.
  bool has_recovered() const { return calm_s >= kCalm_s; }
};

inline constexpr std::size_t kMaxEvidence = 3;

// What programs that are alerted know an incident by. It stays so, whatever turns out later: to
// them another label is another alert.
struct KnownAs {
  std::int64_t since_ns = 0;  // the second in which it was said
  std::string scope;          // "peer": of a host; "fleet": of many at once
  std::string host;           // name of the main host; empty: of all
  std::string subsystem;      // a word of model::Subsystem
  std::string pattern;        // of the main host's own finding; empty: none

  bool operator==(const KnownAs&) const = default;
};

// So many hosts that are slow at once are no matter of one host.
inline constexpr std::size_t kFewestOfFleet = 3;

struct Incident {
  std::string id;  // 16 hexadecimal digits, the same from every analyser
  std::string group;
  std::uint32_t revision = 1;
  bool is_open = true;
  bool is_of_all = false;     // the whole group is slower than it was
  std::int64_t onset_ns = 0;  // the earliest of its hosts
  std::int64_t end_ns = 0;    // so far
  std::int64_t calm_s = 0;    // of one of all, as a host's
  std::size_t group_size = 0;
  std::vector<SlowHost> hosts;      // by onset, then id; none if it is of all
  std::vector<Evidence> evidence;   // of the group, if it is of all
  std::optional<KnownAs> known_as;  // none: nobody was alerted

  // Returns the host that it is about: the cause, else the first; null if it is of all.
  const SlowHost* main_host() const;
  // Returns the strongest evidence of that host, or of the group; null if there is none.
  const Evidence* main_evidence() const;
};

// Returns what it would be known by, as it is now.
KnownAs name_of(const Incident& incident, std::int64_t now_ns);

// Returns the id: a hash of all three. `host` is "*" for an incident of all.
std::string incident_id(std::string_view group, std::string_view host, std::int64_t onset_ns);
// Returns whether the text could be such an id.
bool is_incident_id(std::string_view text);

// Returns one plain sentence, times in UTC.
std::string sentence(const Incident& incident);

// Returns the text without line ends: names that hosts give themselves must not look like lines of
// ours.
std::string on_one_line(std::string text);

enum class Told : std::uint8_t {
  kOpened,
  kUpdated,
  kClosed,
  kPast,  // found, or known better, after it was over: from seconds that hosts told late
};

// Returns "opened", "updated", "closed" or "past".
std::string_view to_string(Told told);

struct News {
  Told told = Told::kOpened;
  Incident incident;
  std::int64_t lease = 0;  // of the group, under which it is told; 0: none
};

}  // namespace reveal::peers
