// Stretches of time of which the hosts of a group tell late, and whether more of them may come.
//
// Hosts tell the newest seconds first, each at its own pace, so a stretch can be judged only when
// nothing more comes of it. Bounded; not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/ledger.h"

namespace reveal::analyser {

class Gaps {
 public:
  // If nothing came of one for so long, all has come. A host pauses for up to a minute.
  static constexpr std::int64_t kQuiet_ns = 120'000'000'000;
  // Seconds closer than this are of one.
  static constexpr std::int64_t kApart_ns = 60'000'000'000;
  // Of a group; of more the nearest ones are joined.
  static constexpr std::size_t kMaxOfGroup = 64;

  // Says that a host of the group told the second late that begins then; the broker took that on
  // at `stored_ns`, and it came at `steady_ns` of the steady clock.
  void take(std::string_view group, std::int64_t begin_ns, std::int64_t stored_ns,
            std::int64_t steady_ns);

  // Returns one of which all has come, and which is none of these from now on; nothing if there is
  // none in the groups of which `is_wanted` holds.
  std::optional<ledger::Gap> take_ready(std::int64_t steady_ns,
                                        const std::function<bool(const std::string&)>& is_wanted);

  // Takes one back that could not be judged: it is ready after another pause.
  void put_back(const ledger::Gap& gap, std::int64_t steady_ns);

 private:
  struct Stretch {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    std::int64_t stored_ns = 0;
    std::int64_t came_ns = 0;  // the last of it, by the steady clock
  };

  void add(std::vector<Stretch>& to, Stretch fresh);
  static void join_nearest(std::vector<Stretch>& in);

  std::map<std::string, std::vector<Stretch>, std::less<>> groups_;  // each by begin
};

}  // namespace reveal::analyser
