#include "agent/watch_log.h"

#include <algorithm>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "agent/checked_json.h"
#include "base/new_file.h"
#include "base/whole_file.h"
#include "text/parse_time.h"
#include "text/time_text.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using base::Result;
using Json = nlohmann::ordered_json;

constexpr std::int64_t kHour_ns = 3'600'000'000'000;
constexpr std::int64_t kDay_ns = 24 * kHour_ns;
constexpr std::int64_t kMaxDays = 366;
constexpr int kSchemaVersion = 1;
constexpr const char* kSchema = "reveal.watched";
constexpr std::size_t kMostBytes = std::size_t{4} << 20;

std::int64_t day_of(std::int64_t wall_ns) {
  return wall_ns / kDay_ns;
}

// Returns "2026-11-24".
std::string date_of(std::int64_t day) {
  return text::iso_time(day * kDay_ns).substr(0, 10);
}

fs::path file_of(const fs::path& folder, std::int64_t day) {
  return folder / (date_of(day) + ".json");
}

// What a state says of itself may count down; that makes no stretch of its own.
std::string reason_of(const serve::AgentState& state) {
  return state.state == serve::RunState::kDegraded ? state.reason : std::string();
}

std::uint64_t resident_of(const std::vector<serve::ProcessUsage>& processes) {
  std::uint64_t out = 0;
  for (const auto& one : processes) out += one.resident_bytes.value_or(0);
  return out;
}

Json json_of(const digest::Watched& one) {
  Json out = {{"begin_ns", one.begin_ns}, {"end_ns", one.end_ns}, {"state", one.state}};
  if (!one.reason.empty()) out["reason"] = one.reason;
  out["cpu_s"] = one.cpu_s;
  out["resident_bytes"] = one.resident_bytes;
  return out;
}

// Throws what nlohmann does, if a member is absent or has another type.
digest::Watched span_of(const Json& in) {
  digest::Watched out;
  out.begin_ns = in.at("begin_ns").get<std::int64_t>();
  out.end_ns = in.at("end_ns").get<std::int64_t>();
  out.state = in.at("state").get<std::string>();
  if (in.contains("reason")) out.reason = in.at("reason").get<std::string>();
  out.cpu_s = in.at("cpu_s").get<double>();
  out.resident_bytes = in.at("resident_bytes").get<std::uint64_t>();
  return out;
}

base::Unexpected not_a_day(const fs::path& file) {
  return base::fail(base::ErrorKind::kCorrupt, "does not say when was watched", file.string(),
                    "remove it: for that day nothing is known then");
}

// Adds what the file of a day has, as far as it is such a file. Fails with kCorrupt if it is not.
Result<void> add_day(const fs::path& file, WatchedTime& out) {
  auto whole = base::read_whole_file(file, "times that were watched", kMostBytes);
  if (!whole) return base::pass(whole);
  const auto text = without_checksum(*std::move(whole), file);
  if (!text) return not_a_day(file);
  const auto json = Json::parse(*text, nullptr, false);
  if (!json.is_object() || json.value("schema", Json()) != kSchema ||
      json.value("schema_version", Json()) != kSchemaVersion) {
    return not_a_day(file);
  }
  try {
    out.host = json.at("host").get<std::string>();
    out.missing_sources = json.at("missing_sources").get<std::vector<std::string>>();
    for (const auto& one : json.at("spans")) {
      auto span = span_of(one);
      // A clock that was set back makes stretches overlap: time passes once.
      if (!out.spans.empty()) span.begin_ns = std::max(span.begin_ns, out.spans.back().end_ns);
      if (span.begin_ns < span.end_ns) out.spans.push_back(std::move(span));
    }
  } catch (const Json::exception&) {  // what was read until here stays
    return not_a_day(file);
  }
  return {};
}

// Returns the begin of the first stretch that is kept; nothing if none is.
std::optional<std::int64_t> first_begin_ns(const fs::path& folder) {
  std::set<fs::path> files;  // in the order of their days
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    const bool is_day = it->path().extension() == ".json" &&
                        text::parse_date(it->path().stem().string() + "T00:00:00Z");
    if (is_day) files.insert(it->path());
  }
  for (const auto& file : files) {
    WatchedTime day;
    static_cast<void>(add_day(file, day));
    if (!day.spans.empty()) return day.spans.front().begin_ns;
  }
  return std::nullopt;
}

}  // namespace

Result<void> check_watched(const fs::path& file) {
  WatchedTime ignored;
  return add_day(file, ignored);
}

WatchedTime load_watched(const fs::path& folder, std::int64_t from_ns, std::int64_t to_ns) {
  WatchedTime out;
  const auto first = day_of(from_ns);
  for (auto day = first; day <= day_of(to_ns) && day < first + kMaxDays; ++day) {
    static_cast<void>(add_day(file_of(folder, day), out));
  }
  out.since_ns = first_begin_ns(folder);
  return out;
}

WatchLog::WatchLog(fs::path folder, std::int64_t now_ns) : folder_(std::move(folder)) {
  WatchedTime known;
  static_cast<void>(add_day(file_of(folder_, day_of(now_ns)), known));
  spans_ = std::move(known.spans);
  host_ = std::move(known.host);
  if (known.missing_sources) missing_ = std::move(*known.missing_sources);
  if (!spans_.empty()) seen_ns_ = spans_.back().end_ns;
}

// A process that is new to this log has used what it has since it began, unless it was there before
// the log: then that is in the files already.
double WatchLog::cpu_since(const std::vector<serve::ProcessUsage>& processes) {
  double out = 0;
  std::map<Process, double> now;
  for (const auto& one : processes) {
    if (!one.cpu_s || !one.start_wall_ns) continue;
    const Process process{one.name, *one.start_wall_ns};
    const auto before = cpu_s_.find(process);
    const bool is_known = before != cpu_s_.end();
    if (is_known || !is_new_) out += std::max(*one.cpu_s - (is_known ? before->second : 0), 0.0);
    now[process] = *one.cpu_s;
  }
  cpu_s_ = std::move(now);
  return out;
}

std::size_t WatchLog::spans_of(std::int64_t day) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(spans_, [&](const auto& one) { return day_of(one.begin_ns) == day; }));
}

// The last stretch that there is room for says so, and goes on for the rest of the day.
void WatchLog::begin(const serve::AgentState& state, std::int64_t begin_ns, std::int64_t now_ns) {
  const auto count = spans_of(day_of(now_ns));
  if (count >= kMostWatchedSpans) return;
  if (count + 1 == kMostWatchedSpans) {
    spans_.push_back({.begin_ns = begin_ns,
                      .end_ns = now_ns,
                      .state = "degraded",
                      .reason = "the state changed too often to be kept"});
    return;
  }
  spans_.push_back({.begin_ns = begin_ns,
                    .end_ns = now_ns,
                    .state = std::string(serve::to_string(state.state)),
                    .reason = reason_of(state)});
}

void WatchLog::take(const serve::AgentState& state, std::int64_t now_ns) {
  host_ = state.host.empty() ? host_ : state.host;
  missing_.clear();
  for (const auto& one : state.sources) {
    if (!one.up) missing_.push_back(one.name);
  }
  const auto cpu_s = cpu_since(state.processes);
  is_new_ = false;
  const bool goes_on = seen_ns_ > 0 && now_ns >= seen_ns_ && now_ns - seen_ns_ <= kLongestPause_ns;
  const bool is_same = goes_on && !spans_.empty() &&
                       spans_.back().state == serve::to_string(state.state) &&
                       spans_.back().reason == reason_of(state) &&
                       spans_.back().begin_ns / kHour_ns == now_ns / kHour_ns;
  if (!is_same) begin(state, goes_on ? seen_ns_ : now_ns, now_ns);
  seen_ns_ = now_ns;
  auto& last = spans_.back();
  last.end_ns = std::max(last.end_ns, now_ns);
  last.cpu_s += cpu_s;
  last.resident_bytes = std::max(last.resident_bytes, resident_of(state.processes));
}

Result<void> WatchLog::save_day(std::int64_t day) {
  Json spans = Json::array();
  for (const auto& one : spans_) {
    if (day_of(one.begin_ns) == day) spans.push_back(json_of(one));
  }
  const Json out = {{"schema", kSchema},
                    {"schema_version", kSchemaVersion},
                    {"host", host_},
                    {"missing_sources", missing_},
                    {"spans", std::move(spans)}};
  return base::write_new_file(
      file_of(folder_, day),
      with_checksum(out.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

Result<void> WatchLog::save() {
  if (spans_.empty()) return {};
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) return base::fail_errno(failed.value(), "cannot make the folder", folder_.string());
  // The clock may have been set back: the latest stretch may be of an earlier day than others.
  std::set<std::int64_t> days;
  for (const auto& one : spans_) days.insert(day_of(one.begin_ns));
  for (const auto day : days) {
    if (auto saved = save_day(day); !saved) return saved;
  }
  const auto today = day_of(spans_.back().begin_ns);
  if (days.size() > 1) remove_old();
  std::erase_if(spans_, [&](const auto& one) { return day_of(one.begin_ns) != today; });
  return {};
}

// By number and not by age: while the clock is ahead, all would be old.
void WatchLog::remove_old() {
  std::set<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator it(folder_, failed), end; !failed && it != end;
       it.increment(failed)) {
    files.insert(it->path());
  }
  std::error_code ignored;
  while (files.size() > kDaysWatched) fs::remove(files.extract(files.begin()).value(), ignored);
}

}  // namespace reveal::agent
