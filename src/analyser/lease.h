// The lease of one group: whether this analyser judges it, and what is to be done next so that
// somebody does. The times are those of a clock that goes on while the program or the machine is
// stopped; it is given, and nothing is asked of the broker here.
//
// Who holds it writes it again each second, and lets it go in its own mind kHold_ns after it sent
// the last write that was answered. Who does not hold it looks at it, and takes it once it is gone
// or was not written for kSilence_ns. So no two judge at once: the holder counts from before its
// write, the others from after it, and kHold_ns is shorter. A program that was stopped between a
// look at its clock and a write is left; the token is for that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace reveal::analyser {

inline constexpr std::int64_t kLeaseSecond_ns = 1'000'000'000;

class Lease {
 public:
  static constexpr std::int64_t kRenewEvery_ns = kLeaseSecond_ns;
  static constexpr std::int64_t kLookEvery_ns = kLeaseSecond_ns / 4;
  static constexpr std::int64_t kSure_ns = 3 * kLeaseSecond_ns;
  static constexpr std::int64_t kHold_ns = 4 * kLeaseSecond_ns;
  static constexpr std::int64_t kSilence_ns = 5 * kLeaseSecond_ns;

  enum class Standing : std::uint8_t {
    kNot,       // another has it, or nobody
    kHeld,      // this analyser judges
    kExpiring,  // this one does, but was not answered for kSure_ns: it tells nothing for now
  };
  enum class Act : std::uint8_t { kNothing, kLook, kTake, kRenew };

  // What the broker has: an empty holder has given it back.
  struct Seen {
    std::string holder;
    std::uint64_t revision = 0;
  };

  // `self` differs from those of all other analysers, also of an earlier run of this one.
  explicit Lease(std::string self) : self_(std::move(self)) {}

  // Returns what is to be done now. `may_hold`: this analyser is able to judge.
  Act due(std::int64_t now_ns, bool may_hold) const;
  // Returns the revision that the entry must have for kTake and kRenew; 0: there must be none.
  std::uint64_t last() const { return revision_; }

  // Say what came of it. A write counts from when it was sent.
  void saw(const std::optional<Seen>& seen, std::int64_t now_ns);
  void wrote(std::uint64_t revision, std::int64_t sent_ns);
  // No answer, or another was faster: the next look will tell.
  void failed(std::int64_t sent_ns);
  void gave_back();

  Standing standing(std::int64_t now_ns) const;
  // Returns until when it is sure, and until when it holds at all, if nothing is answered.
  std::int64_t sure_until_ns() const { return is_held_ ? sent_ns_ + kSure_ns : 0; }
  std::int64_t held_until_ns() const { return is_held_ ? sent_ns_ + kHold_ns : 0; }
  // Returns the revision with which this holding of it began.
  std::uint64_t token() const { return token_; }
  // Returns who else has it; empty if nobody is known to.
  const std::string& holder() const { return holder_; }
  // Returns when another was last seen to have written it; 0: never.
  std::int64_t other_seen_ns() const { return other_seen_ns_; }

 private:
  std::string self_;
  bool is_held_ = false;
  bool is_open_ = false;        // it is known that it can be taken, by revision_
  std::uint64_t revision_ = 0;  // the latest that is known
  std::uint64_t token_ = 0;
  std::int64_t sent_ns_ = 0;   // the last write that was answered
  std::int64_t tried_ns_ = 0;  // the last write that was not
  bool is_unsure_ = false;     // whether that write was done
  std::string holder_;
  std::int64_t looked_ns_ = -kLookEvery_ns;
  std::int64_t changed_ns_ = 0;  // when revision_ was first seen
  std::int64_t other_seen_ns_ = 0;
};

}  // namespace reveal::analyser
