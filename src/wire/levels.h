// The message of a second: the codes of a host's quantities, as differences from an earlier
// message. docs/wire_format.md, "Levels".
//
// An encoder and a decoder each keep the codes of the last message of one host; nothing here is
// thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/metric.h"
#include "wire/head.h"
#include "wire/level_code.h"

namespace reveal::wire {

// There is a key message at least this often, so that a reader that begins waits no longer.
inline constexpr std::uint64_t kKeyEvery = 60;

// What a message of levels says besides the levels.
struct LevelsHead {
  Head head;                     // its time is when the bucket begins
  std::uint64_t sequence = 0;    // number of the bucket in the run
  std::uint32_t dictionary = 0;  // number_of() the dictionary
  bool learning = false;         // it is not known yet what is usual
  bool gap_before = false;       // the recording lacks the frames before this bucket
  bool jobs_changed = false;
  bool late = false;  // made from the recording, after the second was over
  std::uint8_t votes = 0;
  float strength = 0;  // of the verdict; at least 0, kept as bf16
  // Of the score by known subsystem, and of the bucket's frames that are missing: 0 to 1, kept as
  // 255ths. What the former lack of 1 is of channels whose subsystem is not known.
  std::array<float, model::kKnownSubsystemCount> shares{};
  float missing = 0;
  std::uint8_t hung_sources = 0;

  bool operator==(const LevelsHead&) const = default;
};

class LevelsEncoder {
 public:
  // `phase` spreads the key messages of hosts over a minute; any number will do.
  explicit LevelsEncoder(std::uint64_t phase = 0) : phase_(phase % kKeyEvery) {}

  // Appends the message of a bucket. It is a key message if kKeyEvery asks for it, if it has
  // another run, dictionary or number of codes than the message before, if its sequence is not
  // greater, or is by more than 255, and after restart(). REQUIRES: 1 to kMaxQuantities codes.
  void encode(const LevelsHead& head, std::span<const Code> codes, Bytes& out);

  // Makes the next message a key message: the last one may not have arrived.
  void restart() { codes_.clear(); }

 private:
  std::uint8_t back_of(const LevelsHead& head, std::size_t count) const;

  std::uint64_t phase_;
  LevelsHead last_;
  std::vector<Code> codes_;  // of the last message; empty: there is no base
};

// Returns whether a message of levels says that it was made from the recording, after its second
// was over. False if it is no such message.
bool says_late(ByteView message);

class LevelsDecoder {
 public:
  // Takes a message. Fails with kTooLittle if its base is not the last message that was taken: the
  // next key message will do. Fails with kCorrupt if it is malformed. After a failure all is as it
  // was.
  base::Result<void> decode(ByteView message);

  // Of the last message that was taken.
  const LevelsHead& head() const { return head_; }
  bool is_key() const { return is_key_; }
  std::span<const Code> codes() const { return codes_; }
  // The quantities whose codes differ from those of its base, in order; for a key message, from 0.
  std::span<const std::uint16_t> moved() const { return moved_; }

 private:
  bool read_moves(Reader& in, std::size_t count, bool is_key);

  LevelsHead head_;
  bool is_key_ = false;
  std::vector<Code> codes_;
  std::vector<std::uint16_t> moved_;
  // Of the message that is being read.
  std::vector<std::uint16_t> new_moved_;
  std::vector<Code> new_codes_;  // by new_moved_
};

}  // namespace reveal::wire
