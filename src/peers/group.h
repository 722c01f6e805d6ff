// Hosts that are comparable, judged second by second: each against the median of the others, and
// all of them against their own past.
//
// A level is the mean of up to three seconds. A host's distance is its level less the median of the
// others, less its own offset (OwnPast). The limit is kLimit times the largest of three: the host's
// own spread, the median of all hosts' spreads, and the resolution (fleet/resolution.h). As the
// offset is learnt, how far hosts lie apart as a rule is no part of it. With two hosts the limit is
// three times that, and nobody is named.
//
// A host is slow if in three of the last five windows a saturation signal lay above its peers by
// more than the limit and by its least rise; or if its own detectors voted and more of its
// quantities lie beyond their limits than in 999 of 1000 windows of the group's last hour.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "peers/columns.h"
#include "peers/host.h"
#include "peers/incident.h"
#include "peers/leave_one_out.h"
#include "peers/own_past.h"
#include "peers/share_quantile.h"

namespace reveal::peers {

inline constexpr std::size_t kWindowSeconds = 3;
inline constexpr std::size_t kFewestSeconds = 2;  // of a window, for it to have a level
// So many of the last windows must be beyond the limit.
inline constexpr int kBeyond = 3;
inline constexpr unsigned kLastWindows = 0b11111;
// Judged when so many of the hosts are there, or that long after the second.
inline constexpr double kEnough = 0.95;
inline constexpr std::int64_t kPatience_ns = 2 * kSecond_ns;
// With fewer nobody is accused.
inline constexpr double kFewest = 0.8;
inline constexpr std::size_t kFewestNamed = 3;  // hosts, for one of them to be named
// Votes of a host's own detectors that make a verdict.
inline constexpr std::uint8_t kFewestVotes = 2;

// A host that is slow, in the second that was judged.
struct Accusation {
  const Host* host = nullptr;
  std::int64_t onset_ns = 0;
  std::vector<Evidence> evidence;
  // What others send to it is lost on the way: it is the cause, whatever its own findings say.
  bool misses_segments = false;
};

// What became of a second.
struct Judgment {
  std::int64_t begin_ns = 0;
  std::size_t hosts = 0;           // that belong to the group now
  std::size_t present = 0;         // of these, those that have told this second
  bool is_certain = false;         // else nobody is to be accused
  std::vector<Accusation> slow;    // by host id
  std::vector<Evidence> of_group;  // what is above its own past, the strongest first
  std::int64_t group_onset_ns = 0;
};

// What is known to be usual from before: how far a host lies from its peers in a quantity, or where
// a group's median lies.
struct Usual {
  std::string quantity;  // its key
  float offset = 0;
  float spread = 0;
};

// What was learnt of a host, in little memory; without a meaning it is nothing.
struct KnownHost {
  std::shared_ptr<const Meaning> meaning{};
  std::vector<float> offsets{};  // by quantity of the meaning; NaN: not known
  std::vector<float> spreads{};
};

class Group {
 public:
  explicit Group(std::string key) : key_(std::move(key)) {}

  // A host belongs to a group as long as it is not removed. It must live that long. What is known
  // of it from before, and then `usual`, are taken for learnt.
  void add(const Host& host, std::vector<Usual> usual = {}, const KnownHost& known = {});
  // Returns what was learnt of a member.
  KnownHost known_of(const Host& host) const;
  void remove(const Host& host);
  // Takes for learnt what is usual for the medians.
  void set_usual(std::vector<Usual> usual) { usual_ = std::move(usual); }
  bool is_empty() const { return members_.empty(); }
  std::vector<const Host*> hosts() const;
  // Returns a group of these hosts, for seconds of another time: what is usual for those that are
  // members here, and for all of them, is known there. REQUIRES: their ids differ.
  Group for_another_time(const std::vector<const Host*>& hosts) const;
  const std::string& key() const { return key_; }

  // Says that a member has told the second that begins then.
  void hear(std::int64_t begin_ns);

  // Judges the next second, if it is to be judged by now; `is_late`: this program is behind.
  std::optional<Judgment> judge(std::int64_t now_ns, bool is_late);

  // Returns the facts in which a host differs from what more than half of its peers have.
  std::vector<UnlikeFact> unlike_facts_of(const Host& host) const;

  // Returns how many quantities are compared.
  std::size_t quantities() const { return columns_.size(); }

 private:
  // What stands out, before it is told.
  struct Found {
    std::size_t column = 0;
    double observed = 0;
    double usual = 0;
    double rise = 0;
    double limit = 0;
    float least_rise = 0;
  };

  struct Member {
    const Host* host = nullptr;
    std::shared_ptr<const Meaning> meaning;  // that what follows is of
    std::shared_ptr<const Places> places;
    std::vector<Usual> usual;                       // until it has its first meaning
    OwnPast past{0, kOffsetBlocks, kSpreadBlocks};  // by quantity of the meaning
    std::vector<std::uint8_t> beyond;               // the last windows, a bit each, by quantity
    std::uint8_t missed = 0;                        // those in which it missed more segments
    std::uint8_t own_verdict = 0;                   // the same of its own verdict
    std::int64_t onset_ns = -1;                     // of the alarm that goes on
    std::int64_t seen_ns = -1;                      // the last second in which it was compared
    // Of the second that is judged.
    std::array<const Second*, kWindowSeconds> seconds{};  // the newest first
    std::size_t unusual = 0;
    std::size_t judged = 0;
    std::vector<Found> found;  // of saturation signals
    Found farthest;            // of all quantities
    Found missing;             // of segments that come before earlier ones
  };

  // The levels of some columns, so that those of one quantity lie together.
  struct Tile {
    static constexpr std::size_t kColumns = 16;
    struct Part {
      std::vector<float> levels;  // by present member; NaN: none
      std::optional<LeaveOneOut> peers;
      double resolution = 0;
    };
    std::size_t first = 0;
    std::size_t columns = 0;
    std::array<Part, kColumns> parts;
  };

  std::size_t count_live(std::int64_t now_ns);
  bool is_due(std::int64_t now_ns);
  void skip_to_newest();
  void gather(Member& member);
  void prepare(Member& member, std::shared_ptr<const Meaning> meaning);
  void take_usual(Member& member);
  void make_room();
  void fill_tile(std::size_t first);
  void judge_tile();
  void judge_quantity(Member& member, std::size_t part, std::size_t at);
  void judge_group(std::size_t column, double median, double resolution);
  void conclude(Member& member, Judgment& out);
  void name_receiver(Judgment& out) const;
  void conclude_group(Judgment& out);
  std::int64_t onset_of(const Member& member, const Found& found) const;
  std::vector<Evidence> told(std::vector<Found> found) const;
  static double strength(const Found& found);
  void pool();
  void remove_columns();
  double pair_factor() const;

  std::string key_;
  std::vector<std::unique_ptr<Member>> members_;  // by host id
  Columns columns_;
  std::vector<Usual> usual_;      // of the medians
  std::vector<Member*> present_;  // in the second that is judged
  Tile tile_;
  std::vector<float> finite_;                            // levels of one column
  std::array<std::uint32_t, 2 * kKeptSeconds> heard_{};  // members that told a second
  std::int64_t next_ns_ = -1;                            // the second to be judged next
  std::int64_t newest_ns_ = -1;
  std::size_t live_ = 0;
  std::int64_t counted_ns_ = 0;                // when
  std::size_t windows_ = 0;                    // judged
  OwnPast past_{0, kHourBlocks, kHourBlocks};  // of the medians, by column
  std::vector<std::uint8_t> above_past_;
  std::vector<Found> of_group_;
  std::int64_t group_onset_ns_ = -1;
  ShareQuantile shares_;
};

}  // namespace reveal::peers
