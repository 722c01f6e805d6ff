#include "detect/baseline_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

#include "base/whole_file.h"

namespace reveal::detect {
namespace {

constexpr std::string_view kMagic{"RVLBASE\0", 8};
constexpr const char* kRemedy = "fit it anew with reveal baseline save";

void save_runs(const std::vector<model::Fingerprint>& runs, StateWriter& out) {
  out.count(runs.size());
  for (const auto& run : runs) {
    const auto hashes = run.hashes();
    out.count(hashes.size());
    for (const auto hash : hashes) out.count(hash);
  }
}

std::vector<model::Fingerprint> load_runs(StateReader& in) {
  std::vector<model::Fingerprint> out;
  const std::uint64_t count = in.count();
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    const std::uint64_t size = in.count();
    std::vector<std::uint64_t> hashes;
    for (std::uint64_t j = 0; j < size && in.ok(); ++j) hashes.push_back(in.count());
    if (!model::Fingerprint::are_hashes(hashes)) in.fail();
    if (in.ok()) out.emplace_back(std::move(hashes));
  }
  return out;
}

void save_origin(const BaselineOrigin& origin, StateWriter& out) {
  out.text(origin.host);
  out.text(origin.command);
  out.text(origin.reveal_version);
  out.count(static_cast<std::uint64_t>(origin.begin_ns));
  out.count(static_cast<std::uint64_t>(origin.end_ns));
  out.count(origin.windows);
  out.count(origin.runs);
  out.count(origin.accepted_findings);
  save_runs(origin.made_of, out);
}

BaselineOrigin load_origin(StateReader& in) {
  BaselineOrigin out;
  out.host = in.text();
  out.command = in.text();
  out.reveal_version = in.text();
  out.begin_ns = static_cast<std::int64_t>(in.count());
  out.end_ns = static_cast<std::int64_t>(in.count());
  out.windows = in.count();
  out.runs = in.count();
  out.accepted_findings = in.count();
  out.made_of = load_runs(in);
  return out;
}

void save_windows(const window::WindowSpec& windows, StateWriter& out) {
  out.count(static_cast<std::uint64_t>(windows.interval_ns));
  out.count(static_cast<std::uint64_t>(windows.length_ns));
  out.count(static_cast<std::uint64_t>(windows.stride_ns));
}

window::WindowSpec load_windows(StateReader& in) {
  window::WindowSpec out;
  out.interval_ns = static_cast<std::int64_t>(in.count());
  out.length_ns = static_cast<std::int64_t>(in.count());
  out.stride_ns = static_cast<std::int64_t>(in.count());
  if (!out.check()) in.fail();
  return out;
}

void save_columns(const std::vector<BaselineColumn>& columns, StateWriter& out) {
  out.count(columns.size());
  for (const auto& column : columns) {
    out.text(column.channel);
    out.text(column.feature);
    for (const double value :
         {column.mean, column.scale, column.median, column.mad, column.least}) {
      out.number(value);
    }
  }
}

std::vector<BaselineColumn> load_columns(StateReader& in) {
  std::vector<BaselineColumn> out;
  const std::uint64_t count = in.count();
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    BaselineColumn column;
    column.channel = in.text();
    column.feature = in.text();
    for (double* value :
         {&column.mean, &column.scale, &column.median, &column.mad, &column.least}) {
      *value = in.number();
    }
    if (!std::isfinite(column.mean) || !(column.scale >= 0) || !(column.least >= 0)) in.fail();
    out.push_back(std::move(column));
  }
  return out;
}

void save_detectors(const FittedBaseline& baseline, StateWriter& out) {
  out.count(baseline.detectors.size());
  for (std::size_t i = 0; i < baseline.detectors.size(); ++i) {
    out.text(baseline.detectors[i].detector->name());
    out.numbers(baseline.detectors[i].scores);
    out.vector(baseline.detectors[i].by_window);
    out.vector(baseline.usual[i]);
    baseline.detectors[i].detector->save(out);
  }
}

void load_detectors(StateReader& in, FittedBaseline& out) {
  const auto columns = static_cast<Eigen::Index>(out.columns.size());
  const auto signals = static_cast<Eigen::Index>(std::count_if(
      out.columns.begin(), out.columns.end(), [](const auto& column) { return column.least > 0; }));
  const std::uint64_t count = in.count();
  if (count == 0 || count > registry().size()) in.fail();
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    const auto known = find_detector(in.text());
    if (!known) in.fail();
    if (!in.ok()) return;
    const auto& descriptor = registry()[*known];
    FittedDetector fitted;
    fitted.scores = in.numbers();
    fitted.by_window = in.vector();
    out.usual.push_back(in.vector());
    auto detector = descriptor.make({});
    detector->load(in, detector->sees_saturation() ? signals : columns);
    fitted.detector = std::move(detector);
    if (fitted.scores.empty() || !std::is_sorted(fitted.scores.begin(), fitted.scores.end()) ||
        out.usual.back().size() != columns || !fitted.by_window.allFinite() ||
        fitted.by_window.size() != out.elapsed_s.size()) {
      in.fail();
    }
    out.detectors.push_back(std::move(fitted));
  }
}

std::string state_of(const FittedBaseline& baseline) {
  StateWriter out;
  save_origin(baseline.origin, out);
  save_windows(baseline.windows, out);
  out.texts(baseline.dynamic_features);
  out.texts(baseline.event_features);
  out.count(baseline.kind == Baseline::kRun ? 0 : 1);
  save_columns(baseline.columns, out);
  out.vector(baseline.elapsed_s);
  save_detectors(baseline, out);
  return out.bytes();
}

base::Unexpected refuse(std::string why, const std::string& where) {
  return base::fail(base::ErrorKind::kCorrupt, std::move(why), where, kRemedy);
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

template <typename Number>
Number take(std::string_view& bytes) {
  Number out = 0;
  std::memcpy(&out, bytes.data(), sizeof out);
  bytes.remove_prefix(sizeof out);
  return out;
}

template <typename Number>
void put(Number value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Returns the state that a file holds whole.
base::Result<std::string_view> state_in(std::string_view bytes, const std::string& where) {
  constexpr std::size_t kBeside = 8 + 4 + 8 + 4;  // magic, version, length, checksum
  if (!bytes.starts_with(kMagic)) return refuse("not a baseline of Reveal", where);
  if (bytes.size() < kBeside) return refuse("a baseline that is cut off", where);
  bytes.remove_prefix(kMagic.size());
  const auto version = take<std::uint32_t>(bytes);
  if (version != kBaselineVersion) {
    return refuse(fmt::format("a baseline of version {}, this Reveal reads version {}", version,
                              kBaselineVersion),
                  where);
  }
  const auto length = take<std::uint64_t>(bytes);
  if (length != bytes.size() - sizeof(std::uint32_t)) {
    return refuse("a baseline that is cut off", where);
  }
  const auto state = bytes.substr(0, static_cast<std::size_t>(length));
  bytes.remove_prefix(state.size());
  if (take<std::uint32_t>(bytes) != checksum(state)) return refuse("a damaged baseline", where);
  return state;
}

}  // namespace

std::string to_bytes(const FittedBaseline& baseline) {
  const std::string state = state_of(baseline);
  std::string out(kMagic);
  put(kBaselineVersion, out);
  put(std::uint64_t{state.size()}, out);
  out += state;
  put(checksum(state), out);
  return out;
}

base::Result<FittedBaseline> from_bytes(std::string_view bytes, const std::string& where) {
  const auto state = state_in(bytes, where);
  if (!state) return base::pass(state);
  StateReader in(*state);
  FittedBaseline out;
  out.origin = load_origin(in);
  out.windows = load_windows(in);
  out.dynamic_features = in.texts();
  out.event_features = in.texts();
  out.kind = in.count() == 0 ? Baseline::kRun : Baseline::kRest;
  out.columns = load_columns(in);
  out.elapsed_s = in.vector();
  if (!out.elapsed_s.allFinite()) in.fail();
  load_detectors(in, out);
  if (!in.done()) return refuse("an inconsistent baseline", where);
  return out;
}

base::Result<FittedBaseline> load_baseline(const std::filesystem::path& path) {
  const auto bytes = base::read_whole_file(path, "baseline");
  if (!bytes) return base::pass(bytes);
  return from_bytes(*bytes, path.string());
}

}  // namespace reveal::detect
