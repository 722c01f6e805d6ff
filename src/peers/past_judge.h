// Judges seconds of a group that are over, from what its hosts told of them late, as they would
// have been judged when they were now: by the same rules, and by what is usual for the group at the
// time at which this is made.
//
// A host of which it is known that its clock is wrong, or which was in the group only then, is left
// out. In a second that fewer than kFewest of the group's hosts have told nobody is accused: those
// that told it at its time cannot be compared here. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "peers/group.h"
#include "peers/host.h"
#include "peers/incident.h"
#include "peers/incident_book.h"
#include "wire/levels.h"

namespace reveal::peers {

class PastJudge {
 public:
  // `group` as it is at `now_ns`, by the time of the broker. It is copied.
  PastJudge(const Group& group, std::int64_t now_ns);
  PastJudge(const PastJudge&) = delete;
  PastJudge& operator=(const PastJudge&) = delete;

  // Takes a message of late levels. They have to come in the order of their times; one that is out
  // of it is left out. Fails with kCorrupt if it is malformed.
  base::Result<void> take(std::string_view host, wire::ByteView message);

  // Returns what was found, all of it closed. To be called once, at the end.
  std::vector<Incident> finish();

  // Return how many hosts should have told each second, and in how many seconds somebody could have
  // been accused.
  std::size_t hosts() const { return hosts_expected_; }
  std::size_t judged() const { return judged_; }

 private:
  using Hosts = std::map<std::string, Host, std::less<>>;

  static Hosts hosts_of(const Group& group);
  static std::vector<const Host*> pointers_to(const Hosts& hosts);
  void begin_second(std::int64_t begin_ns);
  void judge(std::int64_t now_ns);

  Hosts hosts_;
  std::size_t hosts_expected_ = 0;
  Group group_;
  IncidentBook book_;
  wire::LevelsDecoder decoder_;
  wire::LevelsEncoder encoder_;
  wire::Bytes message_;
  std::int64_t second_ns_ = -1;
  std::size_t judged_ = 0;
};

}  // namespace reveal::peers
