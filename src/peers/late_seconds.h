// Seconds that hosts told after they were over, from their recordings, because the broker was away
// when they were now. They are kept as history. Nobody is judged by them: they say nothing of now.
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "peers/meaning.h"
#include "wire/levels.h"
#include "wire/subject.h"

namespace reveal::peers {

struct LateSecond {
  std::string host;            // its id
  wire::LevelsHead head;       // its time is when the second begins
  std::string message;         // all of it, in hexadecimal digits
  std::int64_t stored_ns = 0;  // when the broker took it
};

// What the codes of late seconds mean.
struct LateDictionary {
  std::uint32_t number = 0;
  std::string plain;  // its plain bytes, in hexadecimal digits
};

class LateSeconds {
 public:
  // Takes a message of late levels that the broker took on at `stored_ns`. Fails with kCorrupt if
  // it is malformed, is no key message, does not say that it is late, or is of the future.
  base::Result<void> take(const wire::Sender& sender, wire::ByteView message,
                          std::int64_t stored_ns, const Meanings& meanings);

  // Return what came since the last call. A dictionary comes with the first of its seconds, and
  // each ten minutes again if more of them come: whoever keeps it may have removed it.
  std::vector<LateSecond> take_seconds() { return std::exchange(seconds_, {}); }
  std::vector<LateDictionary> take_dictionaries() { return std::exchange(dictionaries_, {}); }

 private:
  std::vector<LateSecond> seconds_;
  std::vector<LateDictionary> dictionaries_;
  std::set<std::uint32_t> told_;  // numbers of dictionaries, since then
  std::int64_t told_since_ns_ = 0;
};

}  // namespace reveal::peers
