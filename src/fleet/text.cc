#include "fleet/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/palette.h"
#include "text/quantity.h"
#include "text/safe_text.h"
#include "text/time_text.h"
#include "text/words.h"

namespace reveal::fleet {
namespace {

constexpr std::size_t kMaxLines = 10;
constexpr std::size_t kMaxFacts = 6;
constexpr std::size_t kMaxAlike = 6;
constexpr std::size_t kMaxNamed = 4;
constexpr std::int64_t kToldOff_ns = 1'000'000'000;

using text::format_quantity;
using text::plural;
using text::upper;

const std::string& name_of(const Comparison& it, std::size_t host) {
  return it.hosts[host].recorded.name;
}

// Returns "a, b, c" or "a, b, c, d and 5 more".
std::string listed(const std::vector<std::string>& words) {
  if (words.size() <= kMaxNamed + 1) return fmt::format("{}", fmt::join(words, ", "));
  return fmt::format("{} and {} more", fmt::join(words.begin(), words.begin() + kMaxNamed, ", "),
                     words.size() - kMaxNamed);
}

// Says what of each recording is outside of the time that was compared.
std::string left_out(const Comparison& it) {
  std::vector<std::string> parts;
  for (const auto& host : it.hosts) {
    const auto before = it.grid.begin_ns - host.recorded.begin_ns;
    const auto behind = host.recorded.end_ns + host.recorded.interval_ns - it.grid.end_ns();
    const std::int64_t told = std::max(kToldOff_ns, it.grid.bucket_ns);
    if (before > told) {
      parts.push_back(
          fmt::format("the first {} of {}", text::span_text(before), host.recorded.name));
    }
    if (behind > told) {
      parts.push_back(
          fmt::format("the last {} of {}", text::span_text(behind), host.recorded.name));
    }
    if (-behind > told) {
      parts.push_back(
          fmt::format("{} ends {} earlier", host.recorded.name, text::span_text(-behind)));
    }
    if (-before > told) {
      parts.push_back(
          fmt::format("{} begins {} later", host.recorded.name, text::span_text(-before)));
    }
  }
  return parts.empty() ? "" : fmt::format("Not there {}\n", listed(parts));
}

std::string intervals(const Comparison& it) {
  std::map<std::int64_t, std::vector<std::string>> by_interval;
  for (const auto& host : it.hosts) {
    by_interval[host.recorded.interval_ns].push_back(host.recorded.name);
  }
  if (by_interval.size() < 2) return "";
  std::vector<std::string> parts;
  parts.reserve(by_interval.size());
  for (const auto& [interval_ns, names] : by_interval) {
    parts.push_back(fmt::format("every {}: {}", text::span_text(interval_ns), listed(names)));
  }
  return fmt::format("Recorded  {}\n", fmt::join(parts, "; "));
}

// Metrics that only some hosts have, by who has them.
std::string lacking(const Comparison& it) {
  std::map<std::vector<bool>, std::vector<std::string>> by_hosts;
  for (const auto& one : it.lacking) by_hosts[one.has].push_back(one.metric);
  std::string out;
  for (const auto& [has, metrics] : by_hosts) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < has.size(); ++i) {
      if (has[i]) names.push_back(name_of(it, i));
    }
    const bool few = 2 * names.size() <= has.size();
    if (!few) {
      names.clear();
      for (std::size_t i = 0; i < has.size(); ++i) {
        if (!has[i]) names.push_back(name_of(it, i));
      }
    }
    out += fmt::format("{}{} {} {}: {}\n", out.empty() ? "Unlike    " : "          ",
                       few ? "only" : "all but", listed(names),
                       few && names.size() == 1
                           ? fmt::format("has {}", plural(metrics.size(), "metric"))
                           : fmt::format("have {}", plural(metrics.size(), "metric")),
                       listed(metrics));
  }
  return out;
}

std::string heading(const Comparison& it, const text::Palette& palette, const text::Clock& clock) {
  const auto& grid = it.grid;
  std::string out =
      palette.bold(fmt::format("Reveal comparison of {}", plural(it.hosts.size(), "host")));
  out += fmt::format("\nTime      {}\n", clock.stretch(grid.begin_ns, grid.end_ns()));
  out += left_out(it) + intervals(it);
  out +=
      fmt::format("Compared  {} in {} of {} every {}; {} the same on all hosts all the time; {}\n",
                  it.quantities == 1 ? "1 quantity" : fmt::format("{} quantities", it.quantities),
                  plural(grid.windows(), "window"),
                  text::span_text(grid.bucket_ns * static_cast<std::int64_t>(kBucketsInWindow)),
                  text::span_text(grid.bucket_ns), it.constant, plural(it.facts_compared, "fact"));
  return out + lacking(it);
}

std::string peers_text(const Comparison& it, const Difference& one) {
  if (it.hosts.size() == 2) {
    return fmt::format("on {}", name_of(it, 1 - one.host));
  }
  return fmt::format("(median of {} peers)", one.peer_count);
}

std::string when(const Difference& one, const text::Clock& clock) {
  if (one.from_begin && one.to_end) {
    return one.share > 0.9 ? "all the time" : fmt::format("{:.0f} % of the time", 100 * one.share);
  }
  const auto since = clock.time(one.since_ns);
  if (one.to_end) return fmt::format("since {}", since);
  const auto until = clock.time(one.until_ns);
  return one.from_begin ? fmt::format("until {}", until) : fmt::format("{} to {}", since, until);
}

std::string sentence(const Comparison& it, const Difference& one, const text::Clock& clock) {
  const auto& unit = one.quantity.unit;
  const auto told = one.is_total ? unit.substr(0, unit.rfind("/s")) : unit;
  return fmt::format("{}: {} against {} {}, {}", one.quantity.phrase(),
                     format_quantity(one.observed, told), format_quantity(one.peers, told),
                     peers_text(it, one), when(one, clock));
}

std::string fact_line(const Comparison& it, const FactDifference& fact) {
  if (it.hosts.size() == 2) {
    return fmt::format("{}: {}, on {} {}", fact.subject, fact.observed, name_of(it, 1 - fact.host),
                       fact.usual);
  }
  return fmt::format("{}: {}, where {} have {}", fact.subject, fact.observed, fact.usual_hosts,
                     fact.usual);
}

std::string host_title(const Comparison& it, std::size_t place, const text::Palette& palette) {
  const auto& host = it.hosts[place];
  const auto lasting =
      static_cast<std::size_t>(std::count_if(host.differences.begin(), host.differences.end(),
                                             [](const auto& one) { return one.lasting; }));
  std::vector<std::string> parts;
  if (lasting > 0) parts.push_back(plural(lasting, "lasting difference"));
  if (const auto passing = host.differences.size() - lasting; passing > 0) {
    parts.push_back(fmt::format(
        "{} for a time", lasting > 0 ? std::to_string(passing) : plural(passing, "difference")));
  }
  if (!host.facts.empty()) parts.push_back(plural(host.facts.size(), "fact"));
  const std::string title = fmt::format("{}{}", host.recorded.name,
                                        it.outlier_host == place ? " is the outlier host" : "");
  return fmt::format("\n{}  {}\n",
                     it.outlier_host == place ? palette.alarm(title) : palette.bold(title),
                     fmt::join(parts, ", "));
}

std::string host_text(const Comparison& it, std::size_t place, const TextOptions& options,
                      const text::Palette& palette) {
  const auto& host = it.hosts[place];
  if (host.differences.empty() && host.facts.empty()) return "";
  std::string out = host_title(it, place, palette);
  for (const auto& one : host.patterns) {
    out += fmt::format("  Looks like: {}\n    {}\n    Try: {}\n", palette.bold(one.pattern->title),
                       one.pattern->meaning, one.pattern->remedy);
  }
  const std::size_t lines =
      options.all ? host.differences.size() : std::min(kMaxLines, host.differences.size());
  std::optional<model::Subsystem> subsystem;
  for (std::size_t i = 0; i < lines; ++i) {
    const auto& one = host.differences[i];
    if (subsystem != one.quantity.subsystem) {
      subsystem = one.quantity.subsystem;
      out += fmt::format("  {}\n", palette.bold(upper(model::to_string(*subsystem))));
    }
    out += fmt::format("    {}\n", sentence(it, one, options.clock));
  }
  if (lines < host.differences.size()) {
    out += fmt::format("    and {} more (--all)\n", host.differences.size() - lines);
  }
  if (host.facts.empty()) return out;
  out += fmt::format("  {}\n", palette.bold("FACTS"));
  const std::size_t facts =
      options.all ? host.facts.size() : std::min(kMaxFacts, host.facts.size());
  for (std::size_t i = 0; i < facts; ++i) {
    out += fmt::format("    {}\n", fact_line(it, host.facts[i]));
  }
  if (facts < host.facts.size()) {
    out += fmt::format("    and {} more (--all)\n", host.facts.size() - facts);
  }
  return out;
}

// Says which host is the outlier host, or why none is.
std::string verdict(const Comparison& it, const text::Palette& palette) {
  const bool any = std::any_of(it.hosts.begin(), it.hosts.end(),
                               [](const auto& host) { return !host.differences.empty(); });
  const bool facts = std::any_of(it.hosts.begin(), it.hosts.end(),
                                 [](const auto& host) { return !host.facts.empty(); });
  if (!any && !facts) return "\n" + palette.good("No host differs from the others.") + "\n";
  if (it.hosts.size() == 2) {
    return "\nTwo hosts differ from each other; two cannot tell which is the outlier host.\n";
  }
  if (it.outlier_host) return "";
  if (!any) return "\nNo host stands out by what was measured; in facts they differ.\n";
  return "\nNo single host is the outlier host: what stands out, by host\n";
}

std::string alike(const Comparison& it, const TextOptions& options) {
  std::string out;
  std::size_t lines = 0;
  for (const auto& one : it.alike) {
    if (!options.all && lines == kMaxAlike) {
      return out + fmt::format("  and {} more (--all)\n", it.alike.size() - lines);
    }
    if (lines++ == 0) {
      out += "\nOn all hosts alike: the workload's way, or the whole fleet's, no single host's\n";
    }
    if (one.share) {
      out += fmt::format("  {}: {} of {} ({} to {})\n", one.quantity.phrase(),
                         format_quantity(one.share->median, "ratio"), one.share->of,
                         format_quantity(one.share->low, "ratio"),
                         format_quantity(one.share->high, "ratio"));
    } else {
      out += fmt::format("  {}: {} ({} to {})\n", one.quantity.phrase(),
                         format_quantity(one.median, one.quantity.unit),
                         format_quantity(one.low, one.quantity.unit),
                         format_quantity(one.high, one.quantity.unit));
    }
  }
  return out;
}

std::string quiet_hosts(const Comparison& it) {
  std::vector<std::string> names;
  for (const auto& host : it.hosts) {
    if (host.differences.empty() && host.facts.empty()) names.push_back(host.recorded.name);
  }
  if (names.empty() || names.size() == it.hosts.size()) return "";
  return fmt::format("\nLike their peers: {}\n", fmt::join(names, ", "));
}

void make_inert(Quantity& quantity) {
  quantity.metric = text::inert(quantity.metric);
  quantity.label = text::inert(quantity.label);
  quantity.unit = text::inert(quantity.unit);
  quantity.instance = text::inert(quantity.instance);
}

// Names of hosts, channels and facts come from recordings, which may be anybody's.
Comparison with_inert_names(Comparison it) {
  for (auto& host : it.hosts) {
    host.recorded.name = text::inert(host.recorded.name);
    for (auto& one : host.differences) make_inert(one.quantity);
    for (auto& fact : host.facts) {
      fact.subject = text::inert(fact.subject);
      fact.observed = text::inert(fact.observed);
      fact.usual = text::inert(fact.usual);
    }
  }
  for (auto& one : it.lacking) one.metric = text::inert(one.metric);
  for (auto& subject : it.scattered_facts) subject = text::inert(subject);
  for (auto& one : it.alike) {
    make_inert(one.quantity);
    if (one.share) one.share->of = text::inert(one.share->of);
  }
  return it;
}

}  // namespace

std::string to_text(const Comparison& comparison, const TextOptions& options) {
  const Comparison it = with_inert_names(comparison);
  const text::Palette palette(options.colors);
  std::string out = heading(it, palette, options.clock) + verdict(it, palette);
  for (const auto place : it.ranking) out += host_text(it, place, options, palette);
  out += quiet_hosts(it) + alike(it, options);
  if (!it.scattered_facts.empty()) {
    out += fmt::format("\nFacts that differ from host to host, without a usual one: {}\n",
                       listed(it.scattered_facts));
  }
  return out;
}

}  // namespace reveal::fleet
