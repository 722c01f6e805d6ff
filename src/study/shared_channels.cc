#include "study/shared_channels.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "replay/host_names.h"
#include "stats/quantile.h"
#include "store/segment_reader.h"

namespace reveal::study {
namespace {

constexpr std::size_t kMostChannels = 12;  // unless channels are named
constexpr std::size_t kMostNamed = 50;
constexpr std::string_view kInstalled = "memory_installed_bytes";

bool is_ordinary(const model::ChannelTable& channels, model::ChannelId id) {
  const auto& metric = channels.metric(id);
  return metric.kind != model::Kind::kStatic && metric.scope != model::Scope::kRecorder &&
         !fleet::is_of_core(channels.channel(id).instance);
}

SharedChannel channel_of(const model::ChannelTable& channels, model::ChannelId id) {
  SharedChannel out{.name = channels.name(id),
                    .instance = std::string(channels.channel(id).instance),
                    .quantity = fleet::quantity_of(channels, id),
                    .is_ordinary = is_ordinary(channels, id)};
  // Of derived frames the unit alone tells what was counted.
  if (out.quantity.unit.ends_with("/s")) out.quantity.kind = model::Kind::kCounter;
  return out;
}

base::Result<CommonTime> time_of(const std::vector<std::string>& directories) {
  std::vector<Run> runs;
  for (const auto& directory : directories) {
    const auto span = store::wall_span(directory);
    if (!span) return base::pass(span);
    runs.push_back({directory, {}, span->begin_ns, span->end_ns});
  }
  return common_time(runs);
}

base::Result<void> add_host(std::size_t place, SharedChannels& all, Result& out) {
  const auto series = read_series(all.directories[place], out.damage);
  if (!series) return base::pass(series);
  const auto& channels = series->channels;
  auto samples = samples_in(*series, all.time, place);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].empty()) continue;
    const model::ChannelId id(i);
    auto& shared =
        all.channels.try_emplace(channels.name(id), channel_of(channels, id)).first->second;
    shared.hosts.push_back(place);
    shared.levels.push_back(level_of(std::move(samples[i])));
  }
  out.runs.push_back(series->run);
  return {};
}

// Returns the memory that is installed on a host, the median of all, in bytes; 0 if it is unknown.
double installed_memory(const SharedChannels& all) {
  const auto found = all.channels.find(std::string(kInstalled));
  if (found == all.channels.end()) return 0;
  std::vector<double> medians;
  for (const auto& level : found->second.levels) medians.push_back(level.median);
  return stats::median(std::move(medians));
}

base::Unexpected no_channel(const Request& request, bool one_host_has_some) {
  const auto where = request.channels.empty() ? "" : "--channels " + request.channels.front();
  if (one_host_has_some) {
    return base::fail(base::ErrorKind::kUsage, "no two hosts have such a channel", where,
                      "record all hosts with the same settings, or name other channels");
  }
  return base::fail(base::ErrorKind::kUsage, "no channel has such a name", where,
                    "reveal export DIR --derived | head -1 shows the names");
}

// Sorts them, the channel with the farthest host first, and keeps the first ones: if none is named,
// one of each metric.
void keep_farthest(bool are_named, std::vector<SharedChannel>& channels) {
  std::ranges::stable_sort(channels, std::ranges::greater(), &SharedChannel::distance);
  if (!are_named) {
    std::set<std::string> metrics;
    std::erase_if(channels, [&metrics](const SharedChannel& one) {
      return !metrics.insert(one.quantity.metric).second;
    });
  }
  const std::size_t most = are_named ? kMostNamed : kMostChannels;
  if (channels.size() > most) channels.resize(most);
}

}  // namespace

std::size_t SharedChannel::farthest() const {
  const auto at = std::ranges::max_element(distances, {}, &PeerDistance::distance);
  return static_cast<std::size_t>(at - distances.begin());
}

base::Result<SharedChannels> shared_channels(const Request& request, Result& out) {
  SharedChannels all{.directories = request.directories};
  if (all.directories.size() < 2) {
    return base::fail(base::ErrorKind::kTooLittle, "one host has no peers", all.directories.front(),
                      "name the recordings of several hosts");
  }
  if (auto once = replay::check_given_once(all.directories); !once) return base::pass(once);
  auto time = time_of(all.directories);
  if (!time) return base::pass(time);
  all.time = std::move(*time);
  for (std::size_t i = 0; i < all.directories.size(); ++i) {
    if (auto done = add_host(i, all, out); !done) return base::pass(done);
  }
  std::vector<std::string> names;
  for (const auto& run : out.runs) names.push_back(run.host);
  all.hosts = replay::names_of_hosts(all.directories, names);
  return all;
}

base::Result<ChosenChannels> choose(const Request& request, const SharedChannels& all) {
  exchange::Part named;
  named.channels = request.channels;
  const bool are_named = !request.channels.empty();
  const fleet::Surroundings around{.memory_bytes = installed_memory(all)};
  bool one_host_has_some = false;
  ChosenChannels out;
  for (const auto& [name, channel] : all.channels) {
    const bool is_meant =
        are_named ? exchange::is_chosen(named, channel.quantity.metric, channel.instance)
                  : channel.is_ordinary;
    if (!is_meant) continue;
    one_host_has_some = true;
    if (channel.hosts.size() < 2) continue;
    out.channels.push_back(channel);
    out.channels.back().distances = peer_distances(channel.levels, channel.quantity, around);
  }
  if (out.channels.empty()) return no_channel(request, one_host_has_some);
  out.shared = out.channels.size();
  keep_farthest(are_named, out.channels);
  return out;
}

}  // namespace reveal::study
