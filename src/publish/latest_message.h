// A message of which only the latest counts: what a host is, or what its levels mean. It is sent
// when it says something new, and now and then again for who came later. One is on its way at a
// time, so a broker that is away gets the latest alone when it is back.
//
// The caller brings the time. Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/rng.h"
#include "bus/publisher.h"

namespace reveal::publish {

// How often it is sent again: after a time between these, so that hosts that began at once do not
// go on sending at once.
inline constexpr std::int64_t kSentAgainFirst_ns = 540'000'000'000;
inline constexpr std::int64_t kSentAgainLast_ns = 660'000'000'000;
// What changes all the time is sent this often.
inline constexpr std::int64_t kLatestHolds_ns = 10'000'000'000;

class LatestMessage {
 public:
  // Its keys begin with `key`. `seed` spreads its times.
  LatestMessage(std::string subject, std::string key, std::uint64_t seed)
      : subject_(std::move(subject)), key_(std::move(key)), rng_(seed) {}

  // Says what it is to say from now on; `at_once`: without which other messages are not understood,
  // so it does not wait for its turn.
  void say(base::Bytes content, bool at_once);

  // Sends it if that is due at `now_ns` (wall time). `make` returns the message of a content; empty
  // if there can be none.
  using Make = std::function<base::Bytes(const base::Bytes& content)>;
  void round(std::int64_t now_ns, bus::Publisher& publisher, const Make& make);

  // Takes what became of a message. Returns whether it was of this kind.
  bool take(const bus::Outcome& outcome);

 private:
  bool is_due(std::int64_t now_ns) const;

  std::string subject_;
  std::string key_;
  base::Rng rng_;
  base::Bytes content_;
  bool is_new_ = false;     // it was not sent yet
  bool at_once_ = false;    // and does not wait
  std::string on_its_way_;  // the key; empty: nothing is
  std::int64_t sent_ns_ = 0;
  std::int64_t again_ns_ = 0;  // when it is sent again
};

}  // namespace reveal::publish
