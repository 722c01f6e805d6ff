#include "report/group_name.h"

namespace reveal::report {

std::string group_name(const Report& report, model::ChannelId channel, std::int64_t wall_ns) {
  return group_name(report, report.channel_table->channel(channel).instance, wall_ns);
}

std::string group_name(const Report& report, std::string_view instance, std::int64_t wall_ns) {
  if (instance.empty()) return "the host";
  const std::string* found = nullptr;
  for (const auto& [at_ns, note] : report.notes) {
    const bool names = note.kind == model::Note::Kind::kFact && note.subject == instance;
    if (!names || note.text.empty()) continue;
    if (found != nullptr && at_ns > wall_ns) break;
    found = &note.text;
  }
  constexpr std::string_view kPrefix = "cg=";
  if (found != nullptr) return *found;
  return std::string(instance.starts_with(kPrefix) ? instance.substr(kPrefix.size()) : instance);
}

}  // namespace reveal::report
