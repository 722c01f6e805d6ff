// Which alerts are open of the groups that this analyser judges, so that each incident is one
// alert, whoever tells of it.
//
// An incident is alerted once it has gone on for kHold_ns, with the name that it has then: so hosts
// that become slow a moment later are in its labels. The name is told before
// (IncidentBook::call()), so it is in the database, if there is one, before anybody is alerted. Who
// takes the group over reads it there, and states the same alert. What was said so long before that
// it has surely reached the receivers of events is stated as known, and not told to them again.
//
// What was found after it was over is alerted as over, unless that is alert::kHistory ago. Times
// are those of the broker. Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alert/alert.h"
#include "peers/incident.h"
#include "peers/incident_book.h"

namespace reveal::analyser {

class AlertDesk {
 public:
  static constexpr std::int64_t kHold_ns = 3 * peers::kSecond_ns;
  // What another analyser said so long ago its receivers have.
  static constexpr std::int64_t kSurelySent_ns = 10 * peers::kSecond_ns;
  // Of what ended so long before a takeover, the end was told.
  static constexpr std::int64_t kEndTold_ns = 60 * peers::kSecond_ns;

  // `page_url` as alert_of() has it.
  explicit AlertDesk(std::string page_url = {}) : page_url_(std::move(page_url)) {}

  // Takes what is told of a group that is judged here.
  void take(const peers::News& news, std::int64_t time_ns);
  // Takes over what another analyser, or an earlier run, has told of a group.
  void take_over(const std::vector<peers::Incident>& told, std::int64_t time_ns);
  // Another analyser judges the group from now on.
  void lose(std::string_view group);

  // Gives names to what has gone on for long enough, and forgets what is history.
  void round(peers::IncidentBook& book, std::int64_t time_ns);

  // Returns what is open, and what ended of late; it holds until the next call of another function.
  std::span<const alert::Alert> alerts();
  // Returns the ids of alerts that are another analyser's since the last call.
  std::vector<std::string> take_lost() { return std::exchange(lost_, {}); }

 private:
  struct Entry {
    peers::Incident incident;   // as it was told last
    std::int64_t since_ns = 0;  // it was first told here
    bool is_known = false;      // to receivers of events
  };

  std::string page_url_;
  std::map<std::string, Entry, std::less<>> entries_;  // by the incident's id
  std::vector<alert::Alert> alerts_;
  bool has_changed_ = false;  // since these were made
  std::vector<std::string> lost_;
};

}  // namespace reveal::analyser
