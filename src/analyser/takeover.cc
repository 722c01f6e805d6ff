#include "analyser/takeover.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "peers/incident_book.h"

namespace reveal::analyser {
namespace {

using peers::Incident;

// Two judge the same second at most so far apart.
constexpr std::int64_t kApart_ns = 2 * peers::kSecond_ns;

bool overlap(std::int64_t from_a, std::int64_t to_a, std::int64_t from_b, std::int64_t to_b) {
  return from_a <= to_b + peers::kTogether_ns && from_b <= to_a + peers::kTogether_ns;
}

// The file has what was known when an incident was told last: until then it lasted at least.
constexpr std::int64_t kNoEnd_ns = std::numeric_limits<std::int64_t>::max() / 2;

std::int64_t end_of(const Incident& incident) {
  return incident.is_open ? kNoEnd_ns : incident.end_ns;
}

std::int64_t end_of(const Incident& incident, const peers::SlowHost& host) {
  return incident.is_open && !host.has_recovered() ? kNoEnd_ns : host.last_ns;
}

// Finds which of what was told is one of these; each is at most one.
class Matcher {
 public:
  explicit Matcher(const std::vector<Incident>& told) : told_(told), is_used_(told.size()) {}

  const Incident* match(const Incident& own) {
    const auto by_id = [&](const Incident& one) { return one.id == own.id; };
    const auto by_host = [&](const Incident& one) { return is_same(one, own); };
    const auto* found = take(by_id);
    return found == nullptr ? take(by_host) : found;
  }
  bool is_used(std::size_t i) const { return is_used_[i]; }

 private:
  template <typename Holds>
  const Incident* take(Holds holds) {
    for (std::size_t i = 0; i < told_.size(); ++i) {
      if (is_used_[i] || !holds(told_[i])) continue;
      is_used_[i] = true;
      return &told_[i];
    }
    return nullptr;
  }

  const std::vector<Incident>& told_;
  std::vector<bool> is_used_;
};

void tell_both(Takeover& out, Incident closed) {
  closed.revision = std::max(closed.revision, 2U);
  auto opened = closed;
  opened.is_open = true;
  --opened.revision;
  out.news.push_back({peers::Told::kOpened, std::move(opened)});
  out.news.push_back({peers::Told::kClosed, std::move(closed)});
}

void tell_end(Takeover& out, const Incident& told, Incident closed) {
  closed.id = told.id;
  closed.onset_ns = told.onset_ns;
  closed.known_as = told.known_as;
  closed.revision = told.revision + 1;
  out.news.push_back({peers::Told::kClosed, std::move(closed)});
}

void take_open(Takeover& out, const Incident* told, const Incident& own) {
  const bool is_over = told != nullptr && !told->is_open;
  if (is_over && own.end_ns <= told->end_ns + kApart_ns) {
    out.drop.push_back(own.id);
  } else if (told == nullptr || (is_over && own.id != told->id)) {
    out.news.push_back({peers::Told::kOpened, own});
  } else {
    out.go_on.emplace_back(own.id, *told);
  }
}

}  // namespace

bool is_same(const Incident& a, const Incident& b) {
  if (a.is_of_all != b.is_of_all) return false;
  if (a.is_of_all) return overlap(a.onset_ns, end_of(a), b.onset_ns, end_of(b));
  return std::ranges::any_of(a.hosts, [&](const peers::SlowHost& host) {
    const auto other = std::ranges::find(b.hosts, host.id, &peers::SlowHost::id);
    return other != b.hosts.end() &&
           overlap(host.onset_ns, end_of(a, host), other->onset_ns, end_of(b, *other));
  });
}

Takeover take_over(const std::vector<Incident>& told, const std::vector<Incident>& open,
                   const std::vector<Incident>& closed) {
  Takeover out;
  Matcher matcher(told);
  for (const auto& own : closed) {
    const auto* found = matcher.match(own);
    if (found == nullptr) {
      tell_both(out, own);
    } else if (found->is_open) {
      tell_end(out, *found, own);
    }
  }
  for (const auto& own : open) take_open(out, matcher.match(own), own);
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (!matcher.is_used(i) && told[i].is_open) out.resume.push_back(told[i]);
  }
  return out;
}

}  // namespace reveal::analyser
