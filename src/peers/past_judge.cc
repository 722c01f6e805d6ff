#include "peers/past_judge.h"

#include <algorithm>
#include <utility>

namespace reveal::peers {
namespace {

// So long after its second a message would have come.
constexpr std::int64_t kDelay_ns = kSecond_ns / 10;
// After so long a second is judged whoever has told it.
constexpr std::int64_t kJudgedAfter_ns = kSecond_ns + kPatience_ns;

}  // namespace

PastJudge::Hosts PastJudge::hosts_of(const Group& group) {
  Hosts out;
  for (const auto* host : group.hosts()) {
    if (!host->has_other_clock()) out.emplace(host->id(), host->without_seconds());
  }
  return out;
}

std::vector<const Host*> PastJudge::pointers_to(const Hosts& hosts) {
  std::vector<const Host*> out;
  out.reserve(hosts.size());
  for (const auto& [id, host] : hosts) out.push_back(&host);
  return out;
}

PastJudge::PastJudge(const Group& group, std::int64_t now_ns)
    : hosts_(hosts_of(group)), group_(group.for_another_time(pointers_to(hosts_))) {
  const auto all = group.hosts();
  hosts_expected_ = static_cast<std::size_t>(std::ranges::count_if(
      all, [&](const Host* host) { return host->standing(now_ns) == Standing::kCompared; }));
}

base::Result<void> PastJudge::take(std::string_view host, wire::ByteView message) {
  const auto found = hosts_.find(host);
  if (found == hosts_.end()) return {};
  if (auto read = decoder_.decode(message); !read) return read;
  auto head = decoder_.head();
  const auto begin_ns = head.head.time_ns / kSecond_ns * kSecond_ns;
  if (begin_ns < second_ns_) return {};
  if (begin_ns > second_ns_) begin_second(begin_ns);
  // As it would have been told when it was now.
  head.late = false;
  message_.clear();
  encoder_.restart();
  encoder_.encode(head, decoder_.codes(), message_);
  const auto stored_ns = begin_ns + kSecond_ns + kDelay_ns;
  const auto heard = found->second.take_levels(message_, stored_ns);
  if (!heard) return base::pass(heard);
  if (*heard && found->second.standing(stored_ns) == Standing::kCompared) group_.hear(**heard);
  return {};
}

// What is due before it is judged at its time, so that hosts are not silent yet where seconds are
// missing.
void PastJudge::begin_second(std::int64_t begin_ns) {
  if (second_ns_ >= 0) {
    const auto last_ns = second_ns_ + kJudgedAfter_ns;
    for (auto now_ns = second_ns_ + 2 * kSecond_ns;
         now_ns <= std::min(begin_ns + kSecond_ns, last_ns); now_ns += kSecond_ns) {
      judge(now_ns);
    }
    book_.pass(begin_ns - second_ns_);
  }
  second_ns_ = begin_ns;
}

void PastJudge::judge(std::int64_t now_ns) {
  while (auto judgment = group_.judge(now_ns, /*is_late=*/false)) {
    if (static_cast<double>(judgment->present) < kFewest * static_cast<double>(hosts_expected_)) {
      judgment->is_certain = false;
    }
    if (judgment->is_certain) ++judged_;
    book_.take(group_, *judgment);
  }
}

std::vector<Incident> PastJudge::finish() {
  if (second_ns_ >= 0) begin_second(second_ns_ + 2 * kJudgedAfter_ns);
  book_.close(group_.key());
  std::vector<Incident> out;
  for (auto& one : book_.take_news()) {
    if (one.told == Told::kClosed) out.push_back(std::move(one.incident));
  }
  return out;
}

}  // namespace reveal::peers
