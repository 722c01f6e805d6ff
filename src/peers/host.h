// One host as its messages tell of it: what it is, its last seconds, its open findings. Memory is
// bounded, whatever comes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "peers/clock_check.h"
#include "peers/meaning.h"
#include "peers/run_watch.h"
#include "wire/event.h"
#include "wire/facts.h"
#include "wire/levels.h"

namespace reveal::peers {

inline constexpr std::int64_t kSecond_ns = 1'000'000'000;
// After so long without a message a host is none of its group any more.
inline constexpr std::int64_t kSilence_ns = 5 * kSecond_ns;
// A clock that is off by more makes seconds be those of their arrival, or be left out.
inline constexpr std::int64_t kClockByArrival_ns = kSecond_ns / 10;
inline constexpr std::int64_t kClockOff_ns = kSecond_ns;
// Seconds that are kept of a host, and how far before its arrival a message's may lie.
inline constexpr std::size_t kKeptSeconds = 8;
inline constexpr std::int64_t kStale_ns = 5 * kSecond_ns;
inline constexpr std::size_t kMaxFindings = 64;  // of one host
inline constexpr std::size_t kMaxMeanings = 4;   // of one host

// What a host's second is good for.
enum class Standing : std::uint8_t {
  kUnknown,  // its dictionary or its facts have not come
  kCompared,
  kDoubled,      // two hosts have this id
  kClockOff,     // its clock is off by more than a second
  kOtherBucket,  // its levels are not those of seconds
  kSilent,
};
inline constexpr std::size_t kStandings = 6;

// Returns the word for programs: "compared", "two_hosts", ...
std::string_view to_string(Standing standing);

// A second as a host told it.
struct Second {
  std::int64_t begin_ns = -1;
  std::uint32_t dictionary = 0;
  std::uint8_t votes = 0;
  bool is_learning = false;
  std::vector<wire::Code> codes;
};

// A finding of the host's own, as its events told it.
struct OwnFinding {
  wire::What what = wire::What::kOpened;
  std::uint32_t revision = 0;
  std::int64_t onset_ns = 0;
  std::int64_t end_ns = 0;
  model::Subsystem subsystem = model::Subsystem::kCpu;
  std::string pattern;
  std::string claim;
};

// What was counted of a host's messages.
struct HostCounts {
  std::uint64_t levels = 0;      // messages that were taken
  std::uint64_t holes = 0;       // messages that are missing, by their sequence
  std::uint64_t repeats = 0;     // with a sequence that was there
  std::uint64_t waiting = 0;     // for a key message
  std::uint64_t stale = 0;       // of seconds that are not now
  std::uint64_t late = 0;        // made from the recording, after their seconds were over
  std::uint64_t by_arrival = 0;  // whose time is that of the broker, as the host's is wrong
};

class Host {
 public:
  Host(std::string id, std::string site) : id_(std::move(id)), site_(std::move(site)) {}

  // Takes a message of levels that the broker took on at `stored_ns`. Returns the second that it
  // is about, if that is to be judged. Fails with kCorrupt if the message is malformed.
  base::Result<std::optional<std::int64_t>> take_levels(wire::ByteView message,
                                                        std::int64_t stored_ns);
  // Returns whether they say anything new.
  bool take_facts(wire::Facts facts);
  void take_meaning(std::shared_ptr<const Meaning> meaning);
  // Returns whether it tells more than was known.
  bool take_event(const wire::Event& event);

  // Returns a host that has told the same of itself, but no second yet.
  Host without_seconds() const;
  // Returns whether its clock is wrong without its saying so.
  bool has_other_clock() const { return clock_.shift_ns() != 0; }

  const std::string& id() const { return id_; }
  const std::string& site() const { return site_; }
  // Returns its name; its id as long as its facts have not come.
  const std::string& name() const { return facts_ ? facts_->host : id_; }
  // Returns the name before that; empty if it had no other.
  const std::string& other_name() const { return other_name_; }
  const std::optional<wire::Facts>& facts() const { return facts_; }
  const std::map<std::string, OwnFinding>& findings() const { return findings_; }
  const HostCounts& counts() const { return counts_; }
  std::int64_t heard_ns() const { return heard_ns_; }
  // Returns how far its clock may be off; 0 where that is not known.
  std::int64_t clock_error_ns() const { return clock_error_ns_; }

  Standing standing(std::int64_t now_ns) const;

  // Returns the kept second that begins then; null if there is none.
  const Second* second(std::int64_t begin_ns) const;
  // Returns what its codes mean; null if that has not come.
  std::shared_ptr<const Meaning> meaning() const;

 private:
  // Returns the second of the message that the decoder took; nothing if it is not of now.
  std::optional<std::int64_t> time_of(const wire::LevelsHead& head, std::int64_t stored_ns);
  void count_sequence(const wire::LevelsHead& head);
  void keep(std::int64_t begin_ns, const wire::LevelsHead& head);

  std::string id_;
  std::string site_;
  std::optional<wire::Facts> facts_;
  std::string other_name_;
  std::vector<std::shared_ptr<const Meaning>> meanings_;  // the latest last
  std::map<std::string, OwnFinding> findings_;            // by id
  wire::LevelsDecoder decoder_;
  RunWatch runs_;
  bool is_mixed_ = false;  // the decoder's codes may be of two hosts
  ClockCheck clock_;
  std::array<Second, kKeptSeconds> seconds_;  // by second
  std::int64_t newest_ns_ = -1;
  std::int64_t heard_ns_ = 0;
  std::int64_t clock_error_ns_ = 0;
  std::uint64_t last_sequence_ = 0;
  bool has_sequence_ = false;
  HostCounts counts_;
};

}  // namespace reveal::peers
