#include "alert/episode.h"

#include <fmt/format.h>

namespace reveal::alert {
namespace {

// What the members of an episode, its labels and their names take beside the texts themselves.
constexpr std::size_t kOverhead = 256;

std::size_t bytes_of(const Labels& labels) {
  std::size_t out = 0;
  for (const auto& [name, value] : labels) out += name.size() + value.size() + 16;
  return out;
}

}  // namespace

std::string episode_id(const Episode& episode) {
  if (!episode.alert.episode.empty()) return episode.alert.episode;
  auto labels = episode.alert.labels;
  labels.erase(kSeverityLabel);
  return fmt::format("{:016x}-{}", fingerprint(labels), episode.opened_ns);
}

Labels labels_with(const Episode& episode, Severity severity) {
  auto out = episode.alert.labels;
  out[kSeverityLabel] = to_string(severity);
  return out;
}

std::size_t bytes_of(const Episode& episode) {
  const Alert& alert = episode.alert;
  std::size_t ids = 0;
  for (const auto& id : episode.ids) ids += id.size() + 16;
  return kOverhead + ids + bytes_of(alert.labels) + bytes_of(alert.annotations) + alert.id.size() +
         alert.finding.size() + alert.url.size() + alert.episode.size();
}

}  // namespace reveal::alert
