// One channel over several hosts (paper, Figure 9: memory over nine hosts, of which one uses more):
// a picture with a line for each host, and how far each is from its peers.
//
// Recordings are read twice, so that no more than one of them is in memory at a time: for the
// levels of all channels, and for the courses of the chosen ones.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "study/shared_channels.h"
#include "study/study.h"
#include "text/time_text.h"
#include "text/words.h"

namespace reveal::study {
namespace {

constexpr std::size_t kMostRows = 120;  // that people are shown

// By channel and host, in the order of the chosen channels and of their hosts.
using HostCourses = std::vector<std::vector<std::vector<CoursePoint>>>;

base::Result<HostCourses> read_courses(const std::vector<SharedChannel>& channels,
                                       const std::vector<std::string>& directories,
                                       const CommonTime& time) {
  exchange::Part part;
  part.names.emplace();
  for (const auto& channel : channels) part.names->insert(channel.name);
  HostCourses out(channels.size());
  std::vector<store::Damage> told_before;
  for (std::size_t host = 0; host < directories.size(); ++host) {
    const auto series = read_series(directories[host], told_before, part);
    if (!series) return base::pass(series);
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (std::ranges::find(channels[i].hosts, host) == channels[i].hosts.end()) continue;
      const auto id = series->channels.find_channel(channels[i].name);
      if (id) out[i].push_back(course_of(*series, *id, time.begins_ns[host]));
    }
  }
  return out;
}

Table channel_table(const std::vector<SharedChannel>& channels,
                    const std::vector<std::string>& hosts) {
  Table out{.name = "channels",
            .title = "Channels, the one in which a host is farthest from its peers first",
            .columns = {{"channel", "channel", ""},
                        {"host", "farthest host", ""},
                        {"median", "median", ""},
                        {"peers_median", "its peers", ""},
                        {"distance", "distance", ""}},
            .rows = {}};
  for (const auto& channel : channels) {
    const std::size_t farthest = channel.farthest();
    const auto& of = channel.distances[farthest];
    const auto& unit = channel.quantity.unit;
    out.rows.push_back({channel.name, hosts[channel.hosts[farthest]],
                        Amount{channel.levels[farthest].median, unit},
                        Amount{of.peers_median, unit}, of.distance});
  }
  return out;
}

// Returns the places of a channel's hosts, the farthest one first.
std::vector<std::size_t> by_distance(const SharedChannel& channel) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < channel.hosts.size(); ++i) out.push_back(i);
  std::ranges::stable_sort(out, std::ranges::greater(),
                           [&](std::size_t i) { return channel.distances[i].distance; });
  return out;
}

Table host_table(const std::vector<SharedChannel>& channels,
                 const std::vector<std::string>& hosts) {
  Table out{.name = "hosts",
            .title = "Hosts by channel, the farthest from its peers first",
            .columns = {{"channel", "channel", ""},
                        {"host", "host", ""},
                        {"unit", "unit", ""},
                        {"median", "median", ""},
                        {"percentile_5", "5th percentile", ""},
                        {"percentile_95", "95th percentile", ""},
                        {"peers_median", "its peers", ""},
                        {"distance", "distance", ""}},
            .rows = {},
            .shown = kMostRows};
  for (const auto& channel : channels) {
    const auto& unit = channel.quantity.unit;
    for (const std::size_t i : by_distance(channel)) {
      const auto& level = channel.levels[i];
      const auto& of = channel.distances[i];
      out.rows.push_back({channel.name, hosts[channel.hosts[i]], unit, Amount{level.median, unit},
                          Amount{level.low, unit}, Amount{level.high, unit},
                          Amount{of.peers_median, unit}, of.distance});
    }
  }
  return out;
}

Table course_table(const std::vector<SharedChannel>& channels,
                   const std::vector<std::string>& hosts, const HostCourses& courses) {
  Table out{.name = "courses",
            .title = "Courses",
            .columns = {{"channel", "channel", ""},
                        {"host", "host", ""},
                        {"seconds", "time", "seconds"},
                        {"mean", "mean", ""},
                        {"low", "lowest", ""},
                        {"high", "highest", ""}},
            .rows = {},
            .shown = 0};
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const auto& channel = channels[i];
    const auto& unit = channel.quantity.unit;
    for (std::size_t k = 0; k < courses[i].size(); ++k) {
      for (const auto& point : courses[i][k]) {
        out.rows.push_back({channel.name, hosts[channel.hosts[k]], point.seconds,
                            Amount{point.mean, unit}, Amount{point.low, unit},
                            Amount{point.high, unit}});
      }
    }
  }
  return out;
}

std::string time_note(const CommonTime& time) {
  const auto length = text::span_text(time.end_ns - time.begin_ns);
  return time.by_clock ? fmt::format(
                             "Hosts are aligned by their clocks. Levels are of the {} in which all "
                             "were recorded.",
                             length)
                       : fmt::format(
                             "These recordings are not of one time, so each begins at 0 s. Levels "
                             "are of its first {}, the length of the shortest one.",
                             length);
}

std::string choice_note(const Request& request, const ChosenChannels& chosen) {
  const auto shared = text::plural(chosen.shared, "channel");
  const std::size_t shown = chosen.channels.size();
  if (request.channels.empty()) {
    return fmt::format(
        "{} of {} that several hosts have: those in which a host is farthest from its peers, one "
        "of each metric. Cores, facts and the recorder's own are left out. --channels chooses "
        "others.",
        shown, shared);
  }
  if (chosen.shared == shown) return {};
  return fmt::format("{} of {} of that name: those in which a host is farthest from its peers.",
                     shown, shared);
}

std::vector<std::string> notes_of(const Request& request, const CommonTime& time,
                                  const ChosenChannels& chosen) {
  std::vector<std::string> out{time_note(time)};
  if (auto note = choice_note(request, chosen); !note.empty()) out.push_back(std::move(note));
  if (request.directories.size() == 2) {
    out.emplace_back("Two hosts do not tell which of them is the outlier.");
  }
  return out;
}

}  // namespace

base::Result<Result> study_hosts(const Request& request) {
  Result out;
  const auto all = shared_channels(request, out);
  if (!all) return base::pass(all);
  const auto chosen = choose(request, *all);
  if (!chosen) return base::pass(chosen);
  const auto courses = read_courses(chosen->channels, request.directories, all->time);
  if (!courses) return base::pass(courses);
  const auto& hosts = all->hosts;
  out.tables = {channel_table(chosen->channels, hosts), host_table(chosen->channels, hosts),
                course_table(chosen->channels, hosts, *courses)};
  out.plots.push_back({.kind = Plot::Kind::kCourses,
                       .title = "Channels, a line for each host",
                       .table = "courses",
                       .labels = {"host"},
                       .values = {"seconds", "mean", "low", "high"},
                       .of = "channel"});
  out.notes = notes_of(request, all->time, *chosen);
  return out;
}

}  // namespace reveal::study
