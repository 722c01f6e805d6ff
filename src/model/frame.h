// All channels of one tick, raw as the kernel gave them, and the two interfaces that carry frames
// from wherever they come (live, recording, import) to whoever wants them (disk, analysis).
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/channel_table.h"

namespace reveal::model {

enum class Validity : std::uint8_t {
  kMissing = 0,  // not read in this tick: absent, unreadable, gone
  kFresh = 1,    // read in this tick
  kStale = 2,    // the last value, repeated because its source is on a slower poll class
  kReset = 3,    // read in this tick, but counting began anew since the value before
};

// Why the ticks between the previous frame and this one are not there. A set of bits.
enum GapReason : std::uint8_t {
  kNoGap = 0,
  kGapLate = 1,     // the recorder could not keep up, or the machine slept
  kGapStorage = 2,  // frames were collected but could not be stored (disk full)
  kGapDamage = 4,   // frames were stored but are unreadable now
};

// Something that is not a number, said at one moment of a recording. A fact holds from its frame
// until the next fact of the same source and subject ("mtu of eth0" is "9000"); an empty text ends
// it. So the facts of a subject are a table of intervals beside the samples. An event is over as
// soon as it is said ("the clock was set back by 3600 s").
struct Note {
  enum class Kind : std::uint8_t { kFact = 0, kEvent = 1 };
  Kind kind = Kind::kEvent;
  std::string source;   // the collector's name, or "recorder"
  std::string subject;  // what it is about: "mtu of eth0", "cg=/kubepods/pod1"
  std::string text;
  friend bool operator==(const Note&, const Note&) = default;
};

struct Frame {
  std::uint64_t sequence = 0;  // tick number since the start; a jump means ticks without a frame
  std::int64_t wall_ns = 0;    // CLOCK_REALTIME at the start of the tick, ns since epoch
  std::int64_t mono_ns = 0;    // CLOCK_MONOTONIC at the same moment
  std::uint64_t cost_ns = 0;   // CPU time that reading took
  std::uint8_t gap = kNoGap;   // GapReason bits; set where sequence jumps
  std::vector<std::uint64_t> bits;  // by ChannelId; meaning per MetricDescriptor::repr
  std::vector<Validity> validity;   // by ChannelId, same length
  // By SourceId: CLOCK_MONOTONIC at the source's latest reading, which is where its fresh values
  // are from; mono_ns if a source is not in the list.
  std::vector<std::int64_t> read_ns;
  std::vector<Note> notes;  // said in this tick

  // Makes room for `channels`; new ones are missing.
  void resize(std::size_t channels) {
    bits.resize(channels, 0);
    validity.resize(channels, Validity::kMissing);
  }
  std::int64_t read_ns_of(SourceId source) const {
    return source.index() < read_ns.size() ? read_ns[source.index()] : mono_ns;
  }
  // Returns whether the channel was read in this tick.
  bool was_read(ChannelId id) const {
    const Validity v = validity[id.index()];
    return v == Validity::kFresh || v == Validity::kReset;
  }
  void set_u64(ChannelId id, std::uint64_t value) { set_bits(id, value); }
  void set_f64(ChannelId id, double value) { set_bits(id, std::bit_cast<std::uint64_t>(value)); }

 private:
  void set_bits(ChannelId id, std::uint64_t value) {
    bits[id.index()] = value;
    validity[id.index()] = Validity::kFresh;
  }
};

// A source that this host could not show when the run began.
struct Unseen {
  std::string source;  // the collector's name
  std::string reason;
  std::string remedy;         // what would change that; empty where nothing would
  std::uint32_t metrics = 0;  // how many are missing for it
  friend bool operator==(const Unseen&, const Unseen&) = default;
};

// Facts about the run that hold from its first frame to its last; kept inside the recording, so
// that a replay knows what the live run knew.
struct RunFacts {
  std::string host;                  // node name
  std::string kernel;                // uname release
  std::string machine;               // uname machine
  std::string boot_id;               // /proc/sys/kernel/random/boot_id; empty where unknown
  std::string reveal_version;        // of the recorder
  std::vector<std::string> command;  // CMD, empty when none was run
  std::int64_t interval_ns = 0;
  std::int64_t start_wall_ns = 0;
  std::uint32_t cpus_online = 0;
  std::vector<Unseen> unseen;
};

class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual const RunFacts& facts() const = 0;
  // Grows while frames are read: a frame of n values uses the first n channels.
  virtual const ChannelTable& channels() const = 0;
  // Returns the next frame, valid until the next call, or nullptr at the end.
  virtual base::Result<const Frame*> next() = 0;
};

class FrameSink {
 public:
  virtual ~FrameSink() = default;
  // Called once, before the first frame.
  virtual base::Result<void> begin(const RunFacts& facts) = 0;
  // `channels` holds at least frame.bits.size() channels.
  virtual base::Result<void> write(const ChannelTable& channels, const Frame& frame) = 0;
  // Called once, after the last frame. Everything accepted is durable when it returns.
  virtual base::Result<void> finish() = 0;
};

}  // namespace reveal::model
