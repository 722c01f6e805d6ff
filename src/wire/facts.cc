#include "wire/facts.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "wire/limits.h"
#include "wire/packed.h"

namespace reveal::wire {
namespace {

constexpr std::string Facts::*kNames[] = {&Facts::host, &Facts::kernel, &Facts::machine,
                                          &Facts::boot_id, &Facts::reveal_version};

// By what labels, groups and facts are told apart, and ordered.
const std::string& key_of(const std::pair<std::string, std::string>& label) {
  return label.first;
}
const std::string& key_of(const std::string& group) {
  return group;
}
std::pair<std::string_view, std::string_view> key_of(const Fact& fact) {
  return {fact.source, fact.subject};
}

template <typename T>
bool is_less(const T& one, const T& other) {
  return key_of(one) < key_of(other);
}

template <typename T>
bool is_strictly_ordered(const std::vector<T>& rows) {
  const auto not_less = [](const T& one, const T& other) { return !is_less(one, other); };
  return std::ranges::adjacent_find(rows, not_less) == rows.end();
}

// Orders the rows; keeps the first of those with one key, and at most `most`.
template <typename T>
void tidy(std::vector<T>& rows, std::size_t most) {
  std::ranges::stable_sort(rows, is_less<T>);
  const auto same = [](const T& one, const T& other) { return key_of(one) == key_of(other); };
  rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
  if (rows.size() > most) rows.resize(most);
}

// Returns the facts with texts as they are sent, in order.
Facts tidied(const Facts& facts) {
  Facts out = facts;
  for (const auto name : kNames) out.*name = fitting(out.*name, kMaxName);
  for (auto& [name, value] : out.labels) {
    name = fitting(name, kMaxLabelName);
    value = fitting(value, kMaxName);
  }
  for (auto& group : out.groups) group = fitting(group, kMaxName);
  for (auto& fact : out.facts) {
    fact.source = fitting(fact.source, kMaxName);
    fact.subject = fitting(fact.subject, kMaxName);
    fact.text = fitting(fact.text, kMaxFactText);
  }
  std::erase_if(out.labels, [](const auto& label) { return label.first.empty(); });
  std::erase_if(out.groups, [](const auto& group) { return group.empty(); });
  tidy(out.labels, kMaxLabels);
  tidy(out.groups, kMaxGroups);
  tidy(out.facts, kMaxFacts);
  return out;
}

void read_lists(Reader& in, Facts& out) {
  for (auto left = in.varint_within(0, kMaxLabels); left > 0 && in.ok(); --left) {
    auto name = in.text(1, kMaxLabelName);
    out.labels.emplace_back(std::move(name), in.text(0, kMaxName));
  }
  for (auto left = in.varint_within(0, kMaxGroups); left > 0 && in.ok(); --left) {
    out.groups.push_back(in.text(1, kMaxName));
  }
  for (auto left = in.varint_within(0, kMaxFacts); left > 0 && in.ok(); --left) {
    Fact fact;
    fact.source = in.text(0, kMaxName);
    fact.subject = in.text(0, kMaxName);
    fact.text = in.text(0, kMaxFactText);
    out.facts.push_back(std::move(fact));
  }
  in.require(is_strictly_ordered(out.labels) && is_strictly_ordered(out.groups) &&
             is_strictly_ordered(out.facts));
}

bool is_within_bounds(const Facts& facts) {
  return !facts.host.empty() && facts.interval_ns >= 1 && facts.interval_ns <= kLongestBucket_ns &&
         facts.start_wall_ns >= 0 && facts.cpus_online <= kMaxProcessors;
}

}  // namespace

base::Result<void> put_facts(Bytes& out, const Facts& facts) {
  if (!is_within_bounds(facts)) {
    return base::fail(base::ErrorKind::kUsage, "facts that the wire format does not allow",
                      facts.host);
  }
  put_head(out, Type::kFacts, 0, facts.head);
  return put_packed(out, plain_of(facts));
}

Bytes plain_of(const Facts& given) {
  const Facts facts = tidied(given);
  Bytes out;
  for (const auto name : kNames) put_text(out, facts.*name, kMaxName);
  put_varint(out, static_cast<std::uint64_t>(facts.interval_ns));
  put_varint(out, static_cast<std::uint64_t>(facts.start_wall_ns));
  put_varint(out, facts.cpus_online);
  put_varint(out, facts.labels.size());
  for (const auto& [name, value] : facts.labels) {
    put_text(out, name, kMaxLabelName);
    put_text(out, value, kMaxName);
  }
  put_varint(out, facts.groups.size());
  for (const auto& group : facts.groups) put_text(out, group, kMaxName);
  put_varint(out, facts.facts.size());
  for (const auto& fact : facts.facts) {
    put_text(out, fact.source, kMaxName);
    put_text(out, fact.subject, kMaxName);
    put_text(out, fact.text, kMaxFactText);
  }
  return out;
}

base::Result<Facts> facts_of(ByteView plain) {
  Reader in(plain);
  Facts out;
  for (const auto name : kNames) out.*name = in.text(name == &Facts::host ? 1 : 0, kMaxName);
  out.interval_ns = static_cast<std::int64_t>(in.varint_within(1, kLongestBucket_ns));
  constexpr auto kLatest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  out.start_wall_ns = static_cast<std::int64_t>(in.varint_within(0, kLatest));
  out.cpus_online = static_cast<std::uint32_t>(in.varint_within(0, kMaxProcessors));
  read_lists(in, out);
  if (!in.is_done()) return malformed("facts that cannot be read");
  return out;
}

base::Result<Facts> read_facts(ByteView message) {
  Reader in(message);
  std::uint16_t flags = 0;
  const Head head = read_head(in, Type::kFacts, 0, flags);
  const auto plain = read_packed(in);
  if (!plain) return base::pass(plain);
  auto out = facts_of(*plain);
  if (out) out->head = head;
  return out;
}

}  // namespace reveal::wire
