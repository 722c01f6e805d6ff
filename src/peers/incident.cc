#include "peers/incident.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/fnv.h"
#include "peers/job_name.h"
#include "text/quantity.h"
#include "text/time_text.h"

namespace reveal::peers {
namespace {

// More names make a sentence that nobody reads; the list has all.
constexpr std::size_t kMaxNames = 4;

std::string amount(double value, const Evidence& of) {
  return text::format_quantity(value, of.quantity.unit);
}

std::string names_of(const Incident& incident, Part part) {
  std::string out;
  std::size_t count = 0;
  for (const auto& host : incident.hosts) {
    if (host.part != part) continue;
    if (++count <= kMaxNames) out += (out.empty() ? "" : ", ") + host.name;
  }
  if (count > kMaxNames) out += fmt::format(" and {} more", count - kMaxNames);
  return out;
}

std::size_t count_of(const Incident& incident, Part part) {
  return static_cast<std::size_t>(std::ranges::count(incident.hosts, part, &SlowHost::part));
}

std::string since(const Incident& incident) {
  return (incident.is_open ? " since " : " from ") + text::clock_time(incident.onset_ns) +
         (incident.is_open ? "" : " to " + text::clock_time(incident.end_ns));
}

// Returns what stands out: "Retransmitted segments 4 % (its 8 peers: 0 %)".
std::string what(const Incident& incident, const Evidence& evidence) {
  const auto observed =
      fmt::format("{} {}", evidence.quantity.phrase(), amount(evidence.observed, evidence));
  const auto usual = amount(evidence.usual, evidence);
  if (incident.is_of_all) return fmt::format("{} (before: {})", observed, usual);
  const std::size_t peers = incident.group_size < 1 ? 0 : incident.group_size - 1;
  return fmt::format("{} (its {} peers: {})", observed, peers, usual);
}

// Returns " of Slurm job 4711"; empty if the hosts work on no job.
std::string of_job(const Incident& incident) {
  return job_of_group(incident.group) ? " of " + group_in_words(incident.group) : std::string();
}

std::string pair_sentence(const Incident& incident, const Evidence& evidence) {
  return fmt::format("{}{} differ{}: {} {} on {}, {} on the other", names_of(incident, Part::kPair),
                     of_job(incident), since(incident), evidence.quantity.phrase(),
                     amount(evidence.observed, evidence), incident.hosts.front().name,
                     amount(evidence.usual, evidence));
}

std::string subject_of(const Incident& incident) {
  if (incident.is_of_all) {
    return fmt::format("all {} hosts of {}", incident.group_size, group_in_words(incident.group));
  }
  if (const auto slow = count_of(incident, Part::kSlow); slow > 1) {
    return fmt::format("{} hosts{} ({})", slow, of_job(incident), names_of(incident, Part::kSlow));
  }
  return "host " + incident.main_host()->name + of_job(incident);
}

std::string verb_of(const Incident& incident) {
  const bool is_one = !incident.is_of_all && count_of(incident, Part::kSlow) < 2;
  if (incident.is_open) return is_one ? " is slow" : " are slow";
  return is_one ? " was slow" : " were slow";
}

std::string rest_of(const Incident& incident) {
  std::string out;
  if (const auto victims = count_of(incident, Part::kVictim); victims > 0) {
    out +=
        fmt::format("; {} wait{} for it: {}", victims == 1 ? "one host" : std::to_string(victims),
                    victims == 1 ? "s" : "", names_of(incident, Part::kVictim));
  }
  std::string recovered;
  for (const auto& one : incident.hosts) {
    if (incident.is_open && one.has_recovered()) recovered += ", " + one.name;
  }
  if (!recovered.empty()) out += "; recovered since: " + recovered.substr(2);
  const auto* host = incident.main_host();
  if (host == nullptr || host->facts.empty()) return out;
  const auto& fact = host->facts.front();
  return out + fmt::format("; unlike its peers it has {} {} (they: {})", fact.subject,
                           fact.observed, fact.usual);
}

}  // namespace

double Evidence::strength() const {
  const double unit = std::max(limit, least_rise);
  return unit > 0 ? rise / unit : 0;
}

std::string_view to_string(Part part) {
  switch (part) {
    case Part::kCause:
      return "cause";
    case Part::kVictim:
      return "victim";
    case Part::kPair:
      return "pair";
    case Part::kSlow:
      break;
  }
  return "slow";
}

std::string_view to_string(Told told) {
  switch (told) {
    case Told::kUpdated:
      return "updated";
    case Told::kClosed:
      return "closed";
    case Told::kPast:
      return "past";
    case Told::kOpened:
      break;
  }
  return "opened";
}

const SlowHost* Incident::main_host() const {
  if (is_of_all || hosts.empty()) return nullptr;
  const auto cause = std::ranges::find(hosts, Part::kCause, &SlowHost::part);
  return cause == hosts.end() ? &hosts.front() : &*cause;
}

const Evidence* Incident::main_evidence() const {
  const auto* host = main_host();
  const auto& from = host == nullptr ? evidence : host->evidence;
  return from.empty() ? nullptr : &from.front();
}

KnownAs name_of(const Incident& incident, std::int64_t now_ns) {
  const auto* host = incident.main_host();
  const auto* evidence = incident.main_evidence();
  const auto subsystem =
      evidence == nullptr ? model::Subsystem::kUnknown : evidence->quantity.subsystem;
  const bool is_of_many = incident.is_of_all || incident.hosts.size() >= kFewestOfFleet;
  return {.since_ns = now_ns,
          .scope = is_of_many ? "fleet" : "peer",
          .host = host == nullptr ? std::string() : on_one_line(host->name),
          .subsystem = std::string(model::to_string(subsystem)),
          .pattern = host == nullptr ? std::string() : on_one_line(host->pattern)};
}

std::string incident_id(std::string_view group, std::string_view host, std::int64_t onset_ns) {
  // A zero byte ends a text, so that no two of them run into one another.
  const std::string_view end("\0", 1);
  auto hash = base::fnv1a(end, base::fnv1a(group));
  hash = base::fnv1a(end, base::fnv1a(host, hash));
  return fmt::format("{:016x}", base::fnv1a(std::to_string(onset_ns), hash));
}

bool is_incident_id(std::string_view text) {
  return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string sentence(const Incident& incident) {
  const auto* evidence = incident.main_evidence();
  if (evidence != nullptr && !incident.is_of_all && incident.main_host()->part == Part::kPair) {
    return on_one_line(pair_sentence(incident, *evidence));
  }
  return on_one_line(subject_of(incident) + verb_of(incident) + since(incident) +
                     (evidence == nullptr ? "" : ": " + what(incident, *evidence)) +
                     rest_of(incident));
}

std::string on_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace reveal::peers
