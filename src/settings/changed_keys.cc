#include "settings/changed_keys.h"

#include <string_view>

#include <fmt/format.h>

#include "settings/receivers.h"
#include "settings/setting.h"

namespace reveal::settings {
namespace {

std::vector<ReceiverSettings> of_kind(const Settings& settings, std::string_view kind) {
  std::vector<ReceiverSettings> out;
  for (const auto& receiver : settings.receivers) {
    if (receiver.kind == kind) out.push_back(receiver);
  }
  return out;
}

}  // namespace

std::vector<std::string> changed_keys(const Settings& before, const Settings& after) {
  std::vector<std::string> out;
  for (const auto& setting : all_settings()) {
    if (text_of(setting, before) == text_of(setting, after)) continue;
    out.push_back(fmt::format("{}.{}", setting.section, setting.key));
  }
  if (before.collect.poll_classes != after.collect.poll_classes) {
    out.emplace_back("collect.poll_classes");
  }
  if (before.probes.metrics != after.probes.metrics) out.emplace_back("probes.metric");
  if (before.probes.commands != after.probes.commands) out.emplace_back("probes.command");
  for (const auto kind : receiver_kinds()) {
    if (of_kind(before, kind) != of_kind(after, kind))
      out.push_back(fmt::format("alerts.{}", kind));
  }
  return out;
}

}  // namespace reveal::settings
