#include "peers/unlike_facts.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace reveal::peers {
namespace {

auto key_of(const wire::Fact& fact) {
  return std::tie(fact.source, fact.subject);
}

// Facts are ordered in a message. Returns null if there is none.
const std::string* text_of(const wire::Facts& facts, const wire::Fact& like) {
  const auto found = std::ranges::lower_bound(facts.facts, key_of(like), {}, key_of);
  return found == facts.facts.end() || key_of(*found) != key_of(like) ? nullptr : &found->text;
}

}  // namespace

std::vector<UnlikeFact> unlike_facts(const wire::Facts& own,
                                     std::span<const wire::Facts* const> peers) {
  std::vector<UnlikeFact> out;
  const auto compare = [&](const std::string& subject, const std::string& text, auto value_of) {
    std::map<std::string_view, std::size_t> counts;
    for (const auto* peer : peers) {
      if (const std::string* value = value_of(*peer)) ++counts[*value];
    }
    const auto most =
        std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
    if (most == counts.end() || 2 * most->second <= peers.size() || most->first == text) return;
    out.push_back({subject, text, std::string(most->first)});
  };
  compare("kernel", own.kernel, [](const auto& peer) { return &peer.kernel; });
  compare("Reveal", own.reveal_version, [](const auto& peer) { return &peer.reveal_version; });
  for (const auto& fact : own.facts) {
    if (out.size() == kMaxUnlike) break;
    compare(fact.subject, fact.text, [&](const auto& peer) { return text_of(peer, fact); });
  }
  return out;
}

}  // namespace reveal::peers
