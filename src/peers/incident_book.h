// Joins hosts that are slow together into incidents, and says what is new of them.
//
// A host that becomes slow belongs to the open incident of its group of which a host began within
// kTogether_ns of it, else to a new one. It stays until it was not slow for kCalm_ns; an incident
// closes when none of its hosts is slow. Times are those of the seconds that were judged, so two
// analysers that judge the same seconds tell the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "peers/group.h"
#include "peers/incident.h"

namespace reveal::peers {

inline constexpr std::int64_t kTogether_ns = 10 * kSecond_ns;
inline constexpr std::int64_t kCalm_ns = 10 * kSecond_ns;
// At most so often an incident is told of anew, unless another host comes or the cause changes.
inline constexpr std::int64_t kUpdateEvery_ns = 10 * kSecond_ns;
// More that are open at once are not told of.
inline constexpr std::size_t kMaxOpen = 1024;

class IncidentBook {
 public:
  // Takes what became of a second of a group.
  void take(const Group& group, const Judgment& judgment);

  // Closes what is open of a group: it has no hosts any more.
  void close(const std::string& group);
  // Closes what nobody was seen to be slow in since then: no second was judged.
  void close_before(std::int64_t end_ns);

  std::vector<News> take_news();
  std::size_t open() const { return open_.size(); }

 private:
  struct Open {
    Incident incident;
    std::int64_t told_ns = 0;  // the second in which it was told of last
    double told_strength = 0;
    // By the second that is judged.
    bool is_new = false;
    bool is_touched = false;
    bool has_other_host = false;
  };

  void take_host(const Group& group, const Judgment& judgment, const Accusation& accusation);
  void take_all(const Group& group, const Judgment& judgment);
  void take_quiet(const std::string& group, std::int64_t now_ns);
  void open_one(Incident incident, std::int64_t now_ns);
  Open* find_joined(const std::string& group, std::int64_t onset_ns);
  template <typename Holds>
  void close_if(Holds holds);
  // Tells what a second changed, once for each incident, of however many hosts.
  void settle_touched(std::int64_t now_ns);
  void settle(Open& open, std::int64_t now_ns);
  void tell(Open& open, Told told, std::int64_t now_ns);

  std::vector<Open> open_;
  std::vector<News> news_;
};

}  // namespace reveal::peers
