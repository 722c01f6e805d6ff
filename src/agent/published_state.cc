#include "agent/published_state.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <sys/statvfs.h>

#include "agent/process_usage.h"
#include "base/whole_file.h"
#include "detect/detector.h"
#include "text/time_text.h"

namespace reveal::agent {
namespace {

using serve::RunState;

serve::StorageState storage_of(const record::Recording::State& recorder, const Paths& paths) {
  serve::StorageState out;
  out.ready = recorder.frames > 0 && recorder.storing;
  if (recorder.frames > 0) out.recording_bytes = recorder.bytes;
  struct statvfs disk {};
  if (::statvfs(paths.directory.c_str(), &disk) == 0 && disk.f_blocks > 0) {
    out.free_bytes = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  }
  if (!recorder.storing) {
    out.last_error = "the disk is full, up to what record.min_free leaves; free some space";
  }
  return out;
}

// A state is made each second, so it has all that are open and the latest of the others.
constexpr std::size_t kMostFindings = 100;

std::vector<serve::Finding> findings_of(const std::vector<LoggedFinding>& findings) {
  std::vector<serve::Finding> out;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const auto& one = findings[i];
    if (!one.open && i + kMostFindings < findings.size()) continue;
    out.push_back({.id = one.id,
                   .open = one.open,
                   .revision = one.revision,
                   .subsystem = std::string(model::to_string(one.subsystem)),
                   .severity = one.severity,
                   .begin_wall_ns = one.begin_ns,
                   .end_wall_ns = one.end_ns,
                   .claim = one.claim,
                   .json = one.fields});
  }
  return out;
}

serve::FindingCount& row_of(std::vector<serve::FindingCount>& rows, model::Subsystem subsystem,
                            const std::string& severity) {
  const std::string name(model::to_string(subsystem));
  auto row = std::find_if(rows.begin(), rows.end(), [&](const serve::FindingCount& one) {
    return one.subsystem == name && one.severity == severity;
  });
  if (row == rows.end()) row = rows.insert(row, {.subsystem = name, .severity = severity});
  return *row;
}

// A total that counts what is open would fall when that becomes graver, and a counter that falls is
// one that began anew to those who read it. With a row from the begin of a finding on, its end is
// an increase from 0, which they see.
std::vector<serve::FindingCount> counts_of(const FindingLog& log) {
  std::vector<serve::FindingCount> out;
  for (const auto& [key, total] : log.totals()) row_of(out, key.first, key.second).total = total;
  for (const auto& finding : log.recent()) {
    row_of(out, finding.subsystem, finding.severity).open += finding.open ? 1 : 0;
  }
  return out;
}

// Those that the host lacks, and those that were read.
std::vector<serve::SourceState> sources_of(const std::vector<model::Unseen>& unseen,
                                           const std::vector<serve::NamedValue>& read_s) {
  std::vector<serve::SourceState> out;
  out.reserve(unseen.size() + read_s.size());
  for (const auto& one : unseen) {
    const auto why = one.remedy.empty() ? one.reason : one.reason + "; " + one.remedy;
    out.push_back({.name = one.source, .up = false, .why_not = why});
  }
  for (const auto& [name, seconds] : read_s) {
    const auto lacks = [&name = name](const serve::SourceState& one) { return one.name == name; };
    auto place = std::find_if(out.begin(), out.end(), lacks);
    if (place == out.end()) place = out.insert(place, {.name = name, .up = true});
    place->read_s = seconds;
  }
  return out;
}

std::vector<serve::ReceiverState> receivers_of(const std::vector<alert::ReceiverStatus>& all) {
  std::vector<serve::ReceiverState> out;
  out.reserve(all.size());
  for (const auto& one : all) {
    out.push_back({.name = one.name,
                   .sent = one.sent,
                   .failed = one.failed,
                   .queued = one.queue,
                   .last_success_wall_ns = one.last_success_ns,
                   .last_error = one.last_error});
  }
  return out;
}

// Of a reload that failed nothing is left but what the first process wrote about it.
constexpr std::size_t kMostErrorBytes = 4096;

// What the detectors that findings name are called for people.
void name_detectors(serve::WindowState& out) {
  for (const auto& one : detect::registry()) {
    out.detectors.push_back({.name = std::string(one.name), .label = std::string(one.label)});
  }
}

// Why the agent does less than it should; empty if it does not.
std::string degraded_by(const StateSources& from) {
  if (from.recorder.frames == 0) return "the recorder has stored nothing yet";
  if (!from.recorder.storing)
    return "the disk is full, up to what record.min_free leaves: nothing is stored";
  if (!from.history.trouble.empty()) return from.history.trouble;
  if (!from.web_trouble.empty()) return from.web_trouble;
  // Learning is a state of its own.
  if (from.history.not_judged && from.history.learning.empty()) return from.history.not_judged->why;
  return {};
}

// What windows are compared with, if it is an earlier run; else empty.
std::string compared_text(const live::History& history) {
  if (!history.looks_like) return {};
  return fmt::format("compared with the run of {} UTC, which this looks like",
                     text::Clock().with_day().time(history.looks_like->begin_ns));
}

}  // namespace

// A state is made each second, and the file changes with a reload. That there is one says that the
// reload failed; why that was is asked again each second until it can be read.
void StateMaker::read_reload_error(const Paths& paths) {
  const auto stamp = base::stamp_of(paths.reload_error());
  if (reload_stamp_ == stamp) return;
  reload_stamp_ = stamp;
  reload_error_.reset();
  if (stamp == base::FileStamp()) return;
  const auto error = base::read_whole_file(paths.reload_error(), "reload's error", kMostErrorBytes);
  reload_error_ = error ? *error : error.error().message();
  if (!error) reload_stamp_.reset();
}

serve::ConfigState StateMaker::config_of(const StateSources& from) {
  read_reload_error(from.paths);
  serve::ConfigState out;
  out.hash = facts_.config_hash;
  out.not_in_force = facts_.not_in_force;
  out.last_reload_ok = !reload_error_;
  out.last_error = reload_error_.value_or("");
  if (from.configured_ns > 0) out.last_success_wall_ns = from.configured_ns;
  return out;
}

void StateMaker::set_state(const StateSources& from, std::int64_t now_ns, serve::AgentState& out) {
  out.reason = degraded_by(from);
  if (!out.reason.empty()) {
    out.state = RunState::kDegraded;
  } else if (!from.history.learning.empty()) {
    out.state = RunState::kLearning;
    out.reason = from.history.learning;
  } else {
    out.state = RunState::kJudging;
    out.reason = compared_text(from.history);
  }
  if (since_ns_ == 0 || out.state != state_) since_ns_ = now_ns;
  state_ = out.state;
  out.state_since_wall_ns = since_ns_;
}

void StateMaker::count_windows(const live::History& history, serve::AgentState& out) {
  if (history.windows.empty()) return;
  auto first = history.windows.end();
  while (first != history.windows.begin() && std::prev(first)->span.end_ns > judged_to_ns_) --first;
  for (auto window = first; window != history.windows.end(); ++window) {
    if (window->judged) {
      ++judged_;
    } else {
      ++(history.trouble.empty() ? learning_ : in_trouble_);
    }
    past_.add(*window);
  }
  const auto& latest = history.windows.back();
  judged_to_ns_ = latest.span.end_ns;
  out.windows.judged = judged_;
  out.windows.skipped = {{"learning", learning_}, {"trouble", in_trouble_}};
  out.windows.end_wall_ns = latest.span.end_ns;
  if (!latest.judged) return;
  out.windows.strength = latest.strength;
  if (history.votes > 0) out.windows.votes = history.votes;
  // The subsystem of each metric that an agent reads is known.
  for (std::size_t i = 0; i < model::kKnownSubsystemCount; ++i) {
    out.windows.subsystem_share.push_back(
        {.name = std::string(model::to_string(static_cast<model::Subsystem>(i))),
         .value = latest.shares[i]});
  }
  if (history.looks_like) out.windows.looks_like_wall_ns = history.looks_like->begin_ns;
  if (history.learned_ns > 0) out.windows.baseline_learnt_wall_ns = history.learned_ns;
}

// Channels only ever come. What never changes while a host runs is no series.
void StateMaker::name_channels(const live::History& history) {
  if (history.channels == nullptr) return;
  const auto& channels = *history.channels;
  if (channels.channel_count() == named_) return;
  auto out = std::make_shared<std::vector<serve::ChannelName>>();
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    const model::ChannelId id(i);
    const auto& metric = channels.metric(id);
    if (metric.kind == model::Kind::kStatic) continue;
    out->push_back({.name = channels.name(id),
                    .metric = std::string(metric.name),
                    .instance = std::string(channels.channel(id).instance),
                    .label = std::string(metric.label),
                    .subsystem = std::string(model::to_string(metric.subsystem)),
                    .unit = std::string(metric.unit)});
  }
  names_ = std::move(out);
  named_ = channels.channel_count();
}

std::shared_ptr<const serve::AgentState> StateMaker::make(const StateSources& from,
                                                          std::int64_t now_ns) {
  auto out = std::make_shared<serve::AgentState>();
  out->version = facts_.version;
  out->commit = facts_.commit;
  out->host = from.history.host;
  set_state(from, now_ns, *out);
  out->recorder.ticks = from.recorder.frames;
  out->recorder.missed = {{.name = "late", .count = from.recorder.missed}};
  if (const auto dropped = from.times.dropped_frames()) {
    out->recorder.missed.push_back({.name = "storage", .count = *dropped});
  }
  out->recorder.lateness_s = from.times.lateness_s();
  out->recorder.tick_s = from.times.tick_s();
  out->windows.latency_s = from.times.latency_s();
  out->channels = from.times.channels();
  if (from.history.end_ns > 0) out->recorder.last_frame_wall_ns = from.history.end_ns;
  out->config = config_of(from);
  out->sources = sources_of(from.history.unseen, from.times.read_s());
  out->storage = storage_of(from.recorder, from.paths);
  out->storage.written_bytes = from.times.written_bytes();
  name_detectors(out->windows);
  count_windows(from.history, *out);
  out->past = past_.past();
  name_channels(from.history);
  out->channel_names = names_;
  out->users = users_.read(from.history);
  out->findings = findings_of(from.log.recent());
  out->finding_counts = counts_of(from.log);
  out->receivers = receivers_of(from.receivers);
  out->fleet = from.fleet;
  out->processes = process_usage();
  return out;
}

}  // namespace reveal::agent
