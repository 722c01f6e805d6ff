// Who a control group is: the pod, job, service or container that the recording's notes name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/channel_table.h"
#include "report/report.h"

namespace reveal::report {

// What names are taken from; it must outlive this.
struct Names {
  const model::ChannelTable& channels;
  const std::vector<TimedNote>& notes;
};
inline Names names_of(const Report& report) {
  return {*report.channel_table, report.notes};
}

// Returns the name that the notes gave the channel's control group last before `wall_ns`, or, if
// they did so only later, first; else the group's path.
std::string group_name(const Names& names, model::ChannelId channel, std::int64_t wall_ns);
inline std::string group_name(const Report& report, model::ChannelId channel,
                              std::int64_t wall_ns) {
  return group_name(names_of(report), channel, wall_ns);
}

// Returns the same of a group's instance, "cg=/job1"; "the host" if it is empty.
std::string group_name(const Names& names, std::string_view instance, std::int64_t wall_ns);
inline std::string group_name(const Report& report, std::string_view instance,
                              std::int64_t wall_ns) {
  return group_name(names_of(report), instance, wall_ns);
}

}  // namespace reveal::report
