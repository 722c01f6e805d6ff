// What is usual for one host in each quantity: how far it lies from its peers as a rule (its
// offset), and how much that varies (its spread).
//
// Windows are joined into blocks of 20. Of a block two numbers stay, as codes of two bytes: the
// mean of the distances, and the largest of their sizes, less the offset. The offset is the median
// of the means of the last blocks. The spread is a high quantile of the largest sizes, over what
// the .95 quantile of normal numbers' sizes is. Neighboring windows are alike, more or less: if all
// of a block were the same, the quantile would be 1.6 standard deviations, and 2.8 if they had
// nothing to do with one another. So a spread is .84 to 1.43 standard deviations of normal numbers,
// and more of those with heavy tails.
//
// Most distances are 0: of these only their number is kept. A quantity that never had another one
// within its blocks is **still**: it takes 5 bytes of a host. Any other has a place, which takes
// 100 bytes more, until all that its place has is 0 again. What follows from a block is computed
// anew only if it changed what is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "peers/code_rings.h"

namespace reveal::peers {

inline constexpr std::size_t kWindowsInBlock = 20;
// A block in which a quantity had fewer windows tells nothing of it.
inline constexpr std::size_t kFewestInBlock = 10;
// Blocks from which on an offset and a spread are known: two minutes.
inline constexpr std::size_t kFewestBlocks = 6;
inline constexpr std::size_t kOffsetBlocks = 6;   // of a host: two minutes
inline constexpr std::size_t kSpreadBlocks = 30;  // of a host: ten minutes
inline constexpr std::size_t kHourBlocks = 180;   // of a group: an hour
inline constexpr double kLargestQuantile = 0.9;   // of the largest sizes of blocks
// The .95 quantile of normal numbers' sizes, in standard deviations.
inline constexpr double kTailOfNormal = 1.96;

// How much of a window is learnt.
enum class Lesson : std::uint8_t {
  kAll,
  kSpread,  // beyond the limit: how much it varies, not where it lies
  kNone,    // an alarm; the block's windows before it are forgotten, too: it began in them
};

class OwnPast {
 public:
  // REQUIRES: the numbers of blocks are kFewestBlocks to CodeRings::kMostLength.
  OwnPast(std::size_t quantities, std::size_t offset_blocks, std::size_t spread_blocks);

  // Makes room for more quantities, after those that are there. REQUIRES: fewer than 65,535.
  void grow(std::size_t quantities);

  // Returns the same past with its quantities in another order: for each the one that it was; -1:
  // it is new.
  OwnPast rearranged(std::span<const std::int32_t> from) const;

  // Says what is usual for a quantity, as if it had been learnt. REQUIRES: both are finite.
  void set(std::size_t quantity, float offset, float spread);

  // Takes the distance in one window. REQUIRES: it is finite.
  void add(std::size_t quantity, float distance, Lesson lesson);
  // The same of a distance of 0, of which all is learnt.
  void add_zero(std::size_t quantity) { ++zeros_[quantity]; }

  // Says that all quantities of this window were added. Returns whether a block ended with it.
  bool end_window();

  bool is_known(std::size_t quantity) const { return known_[quantity] != Known::kNo; }
  // Returns whether the offset is known, and is 0.
  bool lies_at_zero(std::size_t quantity) const { return known_[quantity] == Known::kAtZero; }
  // Are 0 until they are known.
  float offset(std::size_t quantity) const {
    return is_still(quantity) ? 0 : usual_[places_[quantity]].offset;
  }
  float spread(std::size_t quantity) const {
    return is_still(quantity) ? 0 : usual_[places_[quantity]].spread;
  }
  std::size_t quantities() const { return known_.size(); }
  // Returns how many of them are not still.
  std::size_t moving() const { return usual_.size() - free_.size(); }

 private:
  enum class Known : std::uint8_t { kNo, kAtZero, kElsewhere };
  // Of the block that goes on, without its zeros.
  struct Running {
    float sum = 0;  // of the distances that teach where it lies
    float low = 0;
    float high = 0;
    std::uint8_t count = 0;  // of all that teach
    std::uint8_t located = 0;
  };
  // What a distance that is not 0 is held against, and added to: in one cache line, mostly.
  struct Usual {
    Running running;
    float offset = 0;
    float spread = 0;
  };

  using Place = std::uint16_t;
  static constexpr Place kStill = 0xFFFF;

  bool is_still(std::size_t quantity) const { return places_[quantity] == kStill; }
  // Returns the quantity's place, which it gets if it is still.
  Place place_of(std::size_t quantity);
  void make_still_again(std::size_t quantity);
  bool is_all_zero(Place place) const;
  Running take_block(std::size_t quantity);
  void end_block(std::size_t quantity);
  void end_still_block(std::size_t quantity);
  void set_known(std::size_t quantity);

  std::size_t windows_ = 0;  // of the block that goes on
  // All by quantity.
  std::vector<Known> known_;
  std::vector<std::uint8_t> zeros_;         // of the block that goes on: distances of 0, all learnt
  std::vector<Place> places_;               // in what follows; kStill: none
  std::vector<std::uint8_t> still_blocks_;  // of one that is still; no more than the rings hold
  // By place.
  std::vector<Usual> usual_;
  CodeRings means_;  // of blocks
  CodeRings largest_;
  std::vector<Place> free_;
  std::vector<wire::Code> codes_;  // of one quantity
};

}  // namespace reveal::peers
