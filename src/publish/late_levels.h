// Tells the fleet what it could not be told when it was now: seconds that the broker does not have
// are made again from the host's recording, the newest first.
//
// They go in pieces of two minutes. A piece is read a little in each round, so that a round stays
// short, and then sent a few messages at a time, after all that is of now. Whatever is not
// acknowledged stays owed, and is read again. After the broker was away it begins at a random
// time, and pauses for longer after each failure, so that a fleet does not send at once. If a
// broker has not answered all when the next round comes, it has too much to do: less is sent.
//
// The codes are those of the dictionary that levels have now: a quantity that the host does not
// tell any more is left out. Each message is a key message.
//
// The caller brings the time. Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/backoff.h"
#include "base/result.h"
#include "base/rng.h"
#include "bus/publisher.h"
#include "fleet/level_stream.h"
#include "model/frame.h"
#include "publish/level_codes.h"
#include "publish/level_message.h"
#include "publish/owed_seconds.h"

namespace reveal::publish {

class LateLevels {
 public:
  // Returns the frames of the host's recording from a time on until before another.
  using Open = std::function<base::Result<std::unique_ptr<model::FrameSource>>(std::int64_t from_ns,
                                                                               std::int64_t to_ns)>;
  // Returns the verdict on the bucket that ends then, if it is still known.
  using VerdictAt = std::function<std::optional<HostVerdict>(std::int64_t end_ns)>;

  // What is younger may still be on its way.
  static constexpr std::int64_t kSettled_ns = 10'000'000'000;
  static constexpr std::int64_t kPiece_ns = 120'000'000'000;
  // At most ten messages a second, of so many that are not answered; and fewer if the broker is
  // slow, down to one in two seconds.
  static constexpr std::int64_t kBetween_ns = 100'000'000;
  static constexpr std::int64_t kLongestBetween_ns = 2'000'000'000;
  static constexpr std::size_t kMaxOnTheirWay = 8;
  static constexpr std::size_t kFramesARound = 300;
  // After the broker is back, and what was on its way has settled, it begins within so long.
  static constexpr std::int64_t kSpread_ns = 20'000'000'000;
  static constexpr std::chrono::milliseconds kFirstPause{1'000};
  static constexpr std::chrono::milliseconds kLongestPause{60'000};
  // A piece that could not be read so often is given up.
  static constexpr int kMostFailures = 8;

  // `host` is its id, `subject` that of its late levels. `seed` spreads its times.
  LateLevels(Open open, std::string host, std::string subject, std::uint64_t seed);

  // What holds now: the length of a bucket, the codes of the last one, and the time.
  struct Now {
    std::int64_t bucket_ns = 0;
    const LevelCodes& codes;
    std::int64_t now_ns = 0;
  };

  // Goes on with it.
  void round(OwedSeconds& owed, const Now& now, const VerdictAt& verdict_at,
             bus::Publisher& publisher);

  // Takes what became of a message. Returns whether it was one of these.
  bool take(const bus::Outcome& outcome, OwedSeconds& owed);

  // Returns how many bytes of messages it holds.
  std::size_t held_bytes() const;
  // Returns why the recording could not be read the last time; empty: it could.
  const std::string& trouble() const { return trouble_; }

 private:
  struct Made {
    std::string key;
    wire::Bytes message;
  };
  // Where the dictionary's quantities are in a bucket of the stream that is read.
  struct Places {
    std::uint32_t dictionary = 0;
    std::size_t quantities = 0;  // that the stream had
    std::vector<std::optional<std::size_t>> places;
  };
  struct Reading {
    Seconds piece;
    std::int64_t settled_ns = 0;  // up to here the piece is made, or the recording lacks it
    std::unique_ptr<model::FrameSource> source;
    fleet::LevelStream stream;
  };

  bool may_go_on(std::int64_t now_ns, const bus::Publisher& publisher);
  void begin(OwedSeconds& owed, const Now& now);
  void read(OwedSeconds& owed, const Now& now, const VerdictAt& verdict_at);
  base::Result<bool> read_some();
  void make(OwedSeconds& owed, const LevelCodes& codes, const VerdictAt& verdict_at);
  void make_one(const fleet::LevelBucket& bucket, const LevelCodes& codes,
                const VerdictAt& verdict_at);
  void find_places(const LevelCodes& codes);
  void send(bus::Publisher& publisher);
  void fail(OwedSeconds& owed, Seconds piece, const base::Error& error, std::int64_t now_ns);
  void abandon();
  void pause(std::int64_t now_ns);

  Open open_;
  std::string key_;  // that those of its messages begin with
  std::string subject_;
  base::Rng rng_;
  base::Backoff backoff_;
  std::optional<Reading> reading_;
  Places places_;
  wire::LevelsEncoder encoder_;
  std::vector<wire::Code> codes_;
  std::vector<Made> made_;  // the newest last
  std::int64_t bucket_ns_ = 0;
  std::set<std::string> on_their_way_;  // keys
  bool has_failed_ = false;             // a message, since the last round
  bool was_away_ = true;
  std::int64_t not_before_ns_ = 0;
  std::int64_t between_ns_ = kBetween_ns;
  std::int64_t credit_ns_ = 0;  // of time in which nothing was sent
  std::int64_t round_ns_ = 0;   // the last one
  int failures_ = 0;            // to read, in turn
  std::string trouble_;
};

}  // namespace reveal::publish
