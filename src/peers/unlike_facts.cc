#include "peers/unlike_facts.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "peers/job_name.h"
#include "text/byte_count.h"

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

// Firmware, kernel and the hypervisor keep more or less of the same memory for themselves.
constexpr double kSizesApart = 0.05;

bool is_alike(std::string one, std::string_view other_text) {
  std::string other(other_text);
  std::erase(one, ' ');
  std::erase(other, ' ');
  if (one == other) return true;
  const auto first = text::parse_byte_count(one);
  const auto second = text::parse_byte_count(other);
  if (!first || !second) return false;
  const auto [small, large] = std::minmax(*first, *second);
  return static_cast<double>(large - small) <= kSizesApart * static_cast<double>(large);
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
    if (most == counts.end() || 2 * most->second <= peers.size()) return;
    if (is_alike(text, most->first)) return;
    out.push_back({subject, text, std::string(most->first)});
  };
  compare("kernel", own.kernel, [](const auto& peer) { return &peer.kernel; });
  compare("Reveal", own.reveal_version, [](const auto& peer) { return &peer.reveal_version; });
  for (const auto& fact : own.facts) {
    if (out.size() == kMaxUnlike) break;
    // Since when a host has a job is no trait of it.
    if (fact.source == kJobSource) continue;
    compare(fact.subject, fact.text, [&](const auto& peer) { return text_of(peer, fact); });
  }
  return out;
}

}  // namespace reveal::peers
