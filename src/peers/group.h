// Hosts that are comparable, judged second by second: each against the median of the others, and
// all of them against their own past.
//
// A level is the mean of up to three seconds. A host's distance is its level less the median of the
// others, less its own offset (OwnPast). The limit is kLimit times the largest of three: the host's
// own spread, the median of all hosts' spreads, and the resolution (fleet/resolution.h). As the
// offset is learnt, how far hosts lie apart as a rule is no part of it. With two hosts the limit is
// three times that, and nobody is named.
//
// A host is slow if a saturation signal lies above its peers by more than the limit and by its
// least rise, and that is held or lasts (recent_rise.h). In company it is enough that it is strong
// or goes on: if other quantities of the host lie beyond their limits as well, two and more than in
// 99 of 100 windows of the group's last hour, or its own detectors vote. Alone, what is held is not
// enough if the quantity is restless, and counts no errors of which one matters. A host is slow,
// too, if its own detectors voted and more of its quantities lie beyond their limits than in 999 of
// 1000.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "peers/columns.h"
#include "peers/host.h"
#include "peers/incident.h"
#include "peers/kept_levels.h"
#include "peers/leave_one_out.h"
#include "peers/own_past.h"
#include "peers/recent_rise.h"
#include "peers/share_quantile.h"

namespace reveal::peers {

inline constexpr std::size_t kWindowSeconds = 3;
inline constexpr std::size_t kFewestSeconds = 2;  // of a window, for it to have a level
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

// How a host did in the second that was judged last.
struct HostView {
  const Host* host = nullptr;
  bool is_compared = false;
  bool is_slow = false;
  // How far the farthest of its quantities lies from its peers, in limits; 0: nothing is known yet.
  double distance = 0;
};

// The second that was judged last, as a whole.
struct LastSecond {
  std::int64_t begin_ns = -1;  // -1: none was
  std::size_t hosts = 0;
  std::size_t present = 0;
  bool is_certain = false;
  std::vector<const Host*> slow{};  // by host id
};

// A quantity of a group, for people.
struct QuantityView {
  std::string key;
  std::string phrase;
  std::string unit;
  model::Subsystem subsystem = model::Subsystem::kCpu;
  bool is_signal = false;  // of saturation
  bool is_kept = false;    // its last minutes
};

// Levels of one quantity: of the last seconds, of all hosts.
struct LevelTable {
  std::int64_t begin_ns = 0;
  std::size_t seconds = 0;
  std::size_t hosts = 0;
  std::vector<KeptCode> codes{};  // by second, then host, in the order of their ids
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

  // Return until when saturation signals were seen to rise above the peers, of a host, or of all
  // above their past; -1: never. Nothing if the second that was judged last does not say whether
  // they still do: it was not compared, or what is usual is not known for a signal among these
  // quantities.
  std::optional<std::int64_t> rose_until(std::string_view host,
                                         std::span<const Evidence> quantities) const;
  std::optional<std::int64_t> all_rose_until(std::span<const Evidence> quantities) const;

  // Return what became of the second that was judged last: of all, and of each host, by id.
  const LastSecond& last() const { return last_; }
  std::vector<HostView> view() const;

  // Keeps levels from now on (kept_levels.h).
  void keep_levels();
  // Keeps those of a second that was judged: those of the second before it, of which more hosts
  // have told by now. Nothing is done unless keep_levels() was called.
  void keep_second(std::int64_t begin_ns);
  // Returns null if none are kept.
  KeptLevels* kept() { return kept_.get(); }
  std::vector<QuantityView> quantity_views() const;
  std::optional<QuantityView> quantity_view(std::string_view key) const;
  // Returns whether the group has such a quantity; its levels are kept from now on.
  bool ask_levels(std::string_view quantity);
  // Returns the newest of what is kept of a quantity: at most so many seconds, and so many codes,
  // and only of seconds that begin later than `after_ns`.
  LevelTable levels_of(std::string_view quantity, std::size_t most_seconds, std::size_t most_codes,
                       std::int64_t after_ns = -1) const;

 private:
  // What stands out, before it is told.
  struct Found {
    std::size_t column = 0;
    double observed = 0;
    double usual = 0;
    double rise = 0;
    double limit = 0;
    float least_rise = 0;
    bool is_enough = false;  // of a saturation signal: to make the host slow without company
  };

  struct Member {
    const Host* host = nullptr;
    std::shared_ptr<const Meaning> meaning;  // that what follows is of
    std::shared_ptr<const Places> places;
    std::vector<Usual> usual;                       // until it has its first meaning
    OwnPast past{0, kOffsetBlocks, kSpreadBlocks};  // by quantity of the meaning
    std::vector<RecentRise> rises;                  // by saturation signal
    std::uint8_t missed = 0;                        // windows in which it missed more segments
    std::uint8_t own_verdict = 0;                   // the same of its own verdict
    std::int64_t onset_ns = -1;                     // of the alarm that goes on
    std::int64_t seen_ns = -1;                      // the last second in which it was compared
    std::int64_t rose_ns = -1;                      // end of the last one in which a signal rose
    std::size_t slot = KeptLevels::kMostSlots;      // of kept levels
    // Of the second that is judged.
    const Second* newest = nullptr;  // null: it has not told this one
    std::array<const wire::Code*, kWindowSeconds> codes{};
    std::size_t told = 0;  // seconds of the window: of `codes`, the newest first
    std::size_t unusual = 0;
    std::size_t judged = 0;
    // Of the quantity that lies farthest from its peers, within its limit or beyond.
    double far_rise = 0;
    double far_limit = 1;
    std::vector<Found> found;  // of saturation signals
    Found farthest;            // of all quantities
    Found missing;             // of segments that come before earlier ones

    // Returns the recent rise of a saturation signal, by its place in the dictionary.
    RecentRise& rise_of(std::size_t place) { return rises[meaning->quantities[place].signal]; }
    const RecentRise& rise_of(std::size_t place) const {
      return rises[meaning->quantities[place].signal];
    }
  };

  // The levels of some columns, so that those of one quantity lie together. There are many columns,
  // so that memory, which is slow to find, is read in long pieces of each host.
  struct Tile {
    static constexpr std::size_t kColumns = 256;
    struct Part {
      std::vector<float> levels;  // by present member; NaN: none
      std::optional<LeaveOneOut> peers;
      double resolution = 0;
    };
    std::size_t first = 0;
    std::size_t columns = 0;
    std::array<Part, kColumns> parts;
  };

  bool are_known(std::span<const Evidence> quantities,
                 const std::function<bool(std::size_t)>& is_known) const;
  std::size_t count_live(std::int64_t now_ns);
  bool is_due(std::int64_t now_ns);
  void skip_to_newest();
  void gather(Member& member);
  void prepare(Member& member, std::shared_ptr<const Meaning> meaning);
  void take_usual(Member& member);
  void make_room();
  void fill_tile(std::size_t first);
  void judge_tile();
  bool is_disturbed(const Column& column) const;
  bool is_quiet(const Member& member, std::size_t place, const Column& column) const;
  void judge_quantity(Member& member, std::size_t part, std::size_t at);
  // Takes the window of a saturation signal. Returns whether it goes on, or makes the host slow.
  bool judge_signal(Member& member, std::size_t place, Found found);
  int seconds_above(const Member& member, std::size_t place, double level, int last) const;
  bool is_in_company(const Member& member) const;
  void judge_group(std::size_t column, double median, double resolution);
  void conclude(Member& member, Judgment& out);
  void name_receiver(Judgment& out) const;
  void conclude_group(Judgment& out);
  std::int64_t onset_of(const Member& member, const Found& found) const;
  std::vector<Evidence> told(std::vector<Found> found) const;
  static double strength(const Found& found);
  void pool();
  void pool_tile(std::size_t first);
  void remove_columns();
  double pair_factor() const;
  QuantityView view_of(std::size_t column) const;
  void choose_kept();

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
  std::int64_t seen_ns_ = -1;  // as those of a member, of all
  std::int64_t rose_ns_ = -1;
  ShareQuantile shares_;
  // Shares of a host's quantities beyond their limits, of which 99 and 999 of 1000 windows of the
  // last hour had less; nothing: not known.
  std::optional<double> company_share_;
  std::optional<double> verdict_share_;
  LastSecond last_;
  std::unique_ptr<KeptLevels> kept_;
  bool must_choose_kept_ = true;      // columns have changed
  std::vector<KeptCode> kept_codes_;  // of one second, by series, then slot
};

}  // namespace reveal::peers
