// Known patterns: what a finding looks like to somebody who has seen many. A pattern explains a
// finding that detectors made; it never makes one. The table is in patterns_table.cc.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::attribute {

enum class Change : std::uint8_t { kRises, kFalls };

// A metric that changes while the pattern lasts: on any of its channels its level (the mean of a
// window; of events, their count in it) moves by at least `least`, in the metric's base unit (of a
// counter, a second), and to `times` the usual, or the usual divided by it. A share of the time
// that is high already cannot double: a rise by a quarter of what is left up to 1 will do.
struct Sign {
  std::string_view metric;  // empty: no sign
  Change change = Change::kRises;
  double least = 0;
  bool is_share = false;
  double times = 2;
};

// Where the cause lies: in this host, its cable or its switch port, or in a host that it talks to.
enum class Cause : std::uint8_t { kHere, kOtherEnd };

// Returns "here" or "other_end".
std::string_view to_string(Cause cause);

struct Pattern {
  std::string_view name;        // for programs: "swapping"
  std::string_view title;       // for people: "Swapping"
  std::array<Sign, 3> needs;    // all of them
  std::array<Sign, 3> against;  // any of them argues for something else
  std::string_view meaning;     // a sentence: what happens
  std::string_view remedy;      // a sentence: what to try
  Cause cause = Cause::kHere;
  // None of them is seen, and the run has channels of each: what is not measured may have moved.
  std::array<Sign, 2> unmoved = {};
  // If not empty: only in a run without channels of this metric, which would tell it better. Then
  // another row may have the same name.
  std::string_view without = {};
};

// Returns all patterns, the more telling first.
std::span<const Pattern> patterns();

// Shares of the blame, by Subsystem: sum 1 or all 0.
using SubsystemShares = std::array<double, model::kSubsystemCount>;

// A sign that was seen.
struct SignSeen {
  model::ChannelId channel;
  double observed = 0;  // of the finding's windows the one farthest from the usual
  double usual = 0;  // median over the windows in no finding and no change, or the saved baseline's
};

// Returns whether the remedy of a pattern whose signs were seen is advice: not if it goes on
// besides (PatternMatch::beside), nor if something argues for another one.
constexpr bool gives_advice(bool beside, bool has_against) {
  return !beside && !has_against;
}

// A pattern of which all signs were seen.
struct PatternMatch {
  const Pattern* pattern = nullptr;
  std::vector<SignSeen> signs;
  std::vector<SignSeen> against;
  // Another subsystem has more of the blame than those that the signs are of: it goes on besides,
  // and its remedy is no advice for the finding.
  bool beside = false;

  bool advises() const { return gives_advice(beside, !against.empty()); }
};

// Recognizes patterns in the findings of one run.
class PatternReader {
 public:
  // Returns the usual level in a column of the matrix, if that is known.
  using UsualLevel = std::function<std::optional<double>(std::size_t column)>;

  // `usual` is asked for each column once. The others must outlive this.
  PatternReader(const model::ChannelTable& channels, const feature::FeatureMatrix& matrix,
                const UsualLevel& usual);

  // Returns the patterns of a finding's rows; those that nothing argues against come first. `blame`
  // is the finding's shares by subsystem. A pattern whose subsystems have too little of it is left
  // out: it goes on at the same time, but does not explain the finding.
  std::vector<PatternMatch> read(const std::vector<std::size_t>& rows,
                                 const SubsystemShares& blame) const;

 private:
  // Levels of a metric's channels, as columns of the matrix.
  struct Level {
    std::string_view metric;
    std::size_t column;
    double usual;
  };

  // Returns the metric's channel that moved most, if the sign was seen.
  std::optional<SignSeen> seen(const Sign& sign, const std::vector<std::size_t>& rows) const;
  bool has_channels(std::string_view metric) const;
  // Returns whether the run has what the pattern is judged by, and that did not move.
  bool stays(const Pattern& pattern, const std::vector<std::size_t>& rows) const;
  // Returns the blame of the subsystems that these signs are of, memory and storage being one: what
  // is short of memory swaps, and what is written waits in memory.
  double blame_of(const std::vector<SignSeen>& signs, const SubsystemShares& blame) const;
  // Returns those of the signs that were seen.
  template <std::size_t N>
  std::vector<SignSeen> seen_of(const std::array<Sign, N>& signs,
                                const std::vector<std::size_t>& rows) const;

  const model::ChannelTable& channels_;
  const feature::FeatureMatrix& matrix_;
  std::vector<Level> levels_;  // of the metrics that patterns name, sorted by metric
};

}  // namespace reveal::attribute
