// Joins hosts that are slow together into incidents, and says what is new of them.
//
// A host that becomes slow belongs to the open incident of its group of which a host began within
// kTogether_ns of it, else to a new one. It has recovered once it was not slow in kCalm_s seconds
// in which it could have been; what it has later is told anew. An incident closes when all of its
// hosts have recovered. Times are those of the seconds that were judged, so two analysers that
// judge the same seconds tell the same. Those that another run has told can be taken over: one that
// goes on is gone on with, and one of which the levels of then show that it ended is closed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "peers/group.h"
#include "peers/incident.h"

namespace reveal::peers {

inline constexpr std::int64_t kTogether_ns = 10 * kSecond_ns;
// An incident of whose group no second was judged for so long is over.
inline constexpr std::int64_t kLongestUnseen_ns = 60 * kSecond_ns;
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
  // Says that so much time has passed: closes what was not seen for kLongestUnseen_ns.
  void pass(std::int64_t time_ns);

  // Takes over an open incident that was told before, unless as late a revision is known. If its
  // hosts are still slow it goes on, under its id. If they were seen to rise since its begin, and
  // have not for kCalm_s, it is closed. Else it is neither told of nor closed until give_up(). It
  // accuses nobody, so seconds that were judged too late count, too.
  void resume(Incident incident);
  // Returns the groups of those that may go on.
  std::set<std::string> resumed_groups() const;
  // Forgets those of a group that did not go on, and returns them.
  std::vector<Incident> give_up(std::string_view group);

  // Another has judged the group until now, and told of an incident that is open here as `own`: it
  // goes on under the id and the revision that were told. What that one did not tell is told.
  void go_on_as(std::string_view own, const Incident& told);
  // What is open under that id began earlier, as it turned out: it goes on with that begin and the
  // evidence, and that is told. Nothing is done if it is not open.
  void began_before(std::string_view id, const Incident& earlier);
  // Those who are alerted know what is open under that id by this name from now on, and that is
  // told, so that whoever takes over knows it, too. Nothing is done if it is not open.
  void call(std::string_view id, KnownAs name);
  // Forgets one of which another has told the end.
  void drop(std::string_view id);
  // Returns what is open under that id; null if there is none.
  const Incident* find(std::string_view id) const;
  // Returns what is open of a group.
  std::vector<Incident> open_of(std::string_view group) const;
  // Return what was usual for the quantities of a host of such an incident, or of a whole group: a
  // fault that goes on must not be learnt.
  std::vector<Usual> usual_of(std::string_view group, std::string_view host) const;
  std::vector<Usual> usual_of_all(std::string_view group) const;

  std::vector<News> take_news();
  // Returns the ids of those that are open.
  std::set<std::string> open() const;

 private:
  struct Open {
    Incident incident;
    std::int64_t told_ns = 0;  // the second in which it was told of last
    double told_strength = 0;
    std::int64_t unseen_ns = 0;
    // By the second that is judged.
    bool is_new = false;
    bool is_touched = false;
    bool has_other_host = false;
  };

  void take_host(const Group& group, const Judgment& judgment, const Accusation& accusation);
  void take_all(const Group& group, const Judgment& judgment);
  void take_quiet(const std::string& group, std::int64_t now_ns);
  void follow_resumed(const Group& group, std::int64_t now_ns);
  Open* find_open(std::string_view id);
  Open* find_slow(const std::string& group, const std::string& host);
  Open* find_all(const std::string& group);
  template <typename Holds>
  Open* go_on(Holds holds);
  void open_one(Incident incident, std::int64_t now_ns);
  Open* find_joined(const std::string& group, std::int64_t onset_ns);
  template <typename Holds>
  void close_if(Holds holds);
  // Tells what a second changed, once for each incident, of however many hosts.
  void settle_touched(std::int64_t now_ns);
  void settle(Open& open, std::int64_t now_ns);
  void tell(Open& open, Told told, std::int64_t now_ns);

  std::vector<Open> open_;
  std::vector<Incident> resumed_;
  std::vector<News> news_;
};

}  // namespace reveal::peers
