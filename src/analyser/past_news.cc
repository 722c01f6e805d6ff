#include "analyser/past_news.h"

#include <algorithm>
#include <cstdint>

#include "analyser/takeover.h"
#include "peers/host.h"

namespace reveal::analyser {
namespace {

using peers::Incident;

// Two that judge the same seconds with other ones before them are at most so far apart.
constexpr std::int64_t kAlike_ns = 2 * peers::kSecond_ns;

bool begins_earlier(const Incident& found, const Incident& told) {
  return found.onset_ns < told.onset_ns - kAlike_ns;
}

bool is_longer(const Incident& found, const Incident& told) {
  return begins_earlier(found, told) || found.end_ns > told.end_ns + kAlike_ns;
}

void extend(peers::SlowHost& host, const peers::SlowHost& by) {
  host.onset_ns = std::min(host.onset_ns, by.onset_ns);
  host.last_ns = std::max(host.last_ns, by.last_ns);
}

// Its id and its sentence stay those that people know.
Incident extended(Incident told, const Incident& found) {
  ++told.revision;
  told.onset_ns = std::min(told.onset_ns, found.onset_ns);
  told.end_ns = std::max(told.end_ns, found.end_ns);
  for (const auto& one : found.hosts) {
    const auto known = std::ranges::find(told.hosts, one.id, &peers::SlowHost::id);
    if (known == told.hosts.end()) {
      told.hosts.push_back(one);
    } else {
      extend(*known, one);
    }
  }
  return told;
}

}  // namespace

PastNews past_news(const std::vector<Incident>& told, const std::vector<Incident>& found) {
  PastNews out;
  std::vector<Incident> known = told;
  for (const auto& one : found) {
    auto same = std::ranges::find(known, one.id, &Incident::id);
    if (same == known.end()) {
      same =
          std::ranges::find_if(known, [&](const Incident& other) { return is_same(other, one); });
    }
    if (same == known.end()) {
      out.news.push_back({peers::Told::kPast, one});
    } else if (same->is_open) {
      if (begins_earlier(one, *same)) out.began_before.emplace_back(same->id, one);
    } else if (is_longer(one, *same)) {
      *same = extended(*same, one);
      std::erase_if(out.news,
                    [&](const peers::News& news) { return news.incident.id == same->id; });
      out.news.push_back({peers::Told::kPast, *same});
    }
  }
  return out;
}

}  // namespace reveal::analyser
