#include "fleet/facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "text/quantity.h"

namespace reveal::fleet {
namespace {

// Sizes of like machines differ by what firmware and kernel keep for themselves.
constexpr double kSameSize = 0.01;
constexpr std::array<std::string_view, 3> kSizes{"bytes", "seconds", "pages"};

// One fact of a host: words, or a number.
struct Fact {
  std::string text;
  std::optional<double> number;
  bool is_size = false;
};

// By subject, in the order in which subjects appeared; by host.
class FactTable {
 public:
  explicit FactTable(std::size_t hosts) : hosts_(hosts) {}

  void add(std::size_t host, const std::string& subject, Fact fact) {
    const auto [it, is_new] = place_.emplace(subject, rows_.size());
    if (is_new) rows_.emplace_back(subject, std::vector<std::optional<Fact>>(hosts_));
    rows_[it->second].second[host] = std::move(fact);
  }
  const auto& rows() const { return rows_; }

 private:
  std::size_t hosts_;
  std::map<std::string, std::size_t> place_;
  std::vector<std::pair<std::string, std::vector<std::optional<Fact>>>> rows_;
};

bool same(const Fact& a, const Fact& b) {
  if (!a.number || !b.number) return a.text == b.text;
  if (!a.is_size) return *a.number == *b.number;
  return std::abs(*a.number - *b.number) <=
         kSameSize * std::max(std::abs(*a.number), std::abs(*b.number));
}

bool is_told(const model::Note& note) {
  return note.source != "recorder" && !note.source.starts_with("cgroup");
}

void add_run_facts(FactTable& table, std::size_t host, const model::RunFacts& facts) {
  const auto say = [&](const char* subject, const std::string& text) {
    if (!text.empty()) table.add(host, subject, {text, std::nullopt, false});
  };
  say("kernel release", facts.kernel);
  say("machine", facts.machine);
  say("recorded by", facts.reveal_version.empty() ? "" : "reveal " + facts.reveal_version);
  if (facts.cpus_online > 0) say("cores online", std::to_string(facts.cpus_online));
}

FactTable table_of(std::span<const HostLevels> hosts) {
  FactTable out(hosts.size());
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    add_run_facts(out, host, hosts[host].facts());
    for (const auto& note : hosts[host].notes()) {
      if (is_told(note)) out.add(host, note.subject, {note.text, std::nullopt, false});
    }
    for (const auto& fact : hosts[host].statics()) {
      if (std::isnan(fact.value)) continue;
      const auto& unit = fact.quantity.unit;
      const bool is_size = std::find(kSizes.begin(), kSizes.end(), unit) != kSizes.end();
      out.add(host, fact.quantity.phrase(),
              {text::format_quantity(fact.value, unit), fact.value, is_size});
    }
  }
  return out;
}

// Returns the fact that the most hosts have, and how many.
std::pair<const Fact*, std::size_t> commonest(const std::vector<std::optional<Fact>>& facts) {
  const Fact* best = nullptr;
  std::size_t most = 0;
  for (const auto& fact : facts) {
    if (!fact) continue;
    const auto alike =
        static_cast<std::size_t>(std::count_if(facts.begin(), facts.end(), [&](const auto& other) {
          return other && same(*fact, *other);
        }));
    if (alike > most) std::tie(best, most) = std::pair(&*fact, alike);
  }
  return {best, most};
}

void compare_row(const std::string& subject, const std::vector<std::optional<Fact>>& facts,
                 FactComparison& out) {
  const auto having = static_cast<std::size_t>(
      std::count_if(facts.begin(), facts.end(), [](const auto& fact) { return fact.has_value(); }));
  if (having < 2) return;
  ++out.compared;
  auto [usual, count] = commonest(facts);
  if (count == having) return;
  const bool is_two = facts.size() == 2;
  if (is_two) usual = &*facts[1];
  if (!is_two && 2 * count <= having) {
    out.scattered.push_back(subject);
    return;
  }
  for (std::size_t host = 0; host < facts.size(); ++host) {
    if (!facts[host] || same(*facts[host], *usual)) continue;
    out.differences.push_back({host, subject, facts[host]->text, usual->text, count});
  }
}

}  // namespace

FactComparison compare_facts(std::span<const HostLevels> hosts) {
  FactComparison out;
  const auto table = table_of(hosts);
  for (const auto& [subject, facts] : table.rows()) compare_row(subject, facts, out);
  return out;
}

}  // namespace reveal::fleet
