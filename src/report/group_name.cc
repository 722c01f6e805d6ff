#include "report/group_name.h"

#include "model/cgroup_instance.h"

namespace reveal::report {

std::string group_name(const Names& names, model::ChannelId channel, std::int64_t wall_ns) {
  const auto instance = model::group_of(names.channels.channel(channel).instance);
  return group_name(names, instance, wall_ns);
}

std::string group_name(const Names& names, std::string_view instance, std::int64_t wall_ns) {
  if (instance.empty()) return "the host";
  const std::string* found = nullptr;
  for (const auto& [at_ns, note] : names.notes) {
    const bool tells = note.kind == model::Note::Kind::kFact && note.subject == instance;
    if (!tells || note.text.empty()) continue;
    if (found != nullptr && at_ns > wall_ns) break;
    found = &note.text;
  }
  constexpr std::string_view kPrefix = "cg=";
  if (found != nullptr) return *found;
  return std::string(instance.starts_with(kPrefix) ? instance.substr(kPrefix.size()) : instance);
}

}  // namespace reveal::report
