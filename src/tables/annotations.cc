#include "tables/annotations.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/bounded_json.h"
#include "base/whole_file.h"

namespace reveal::tables {
namespace {

namespace fs = std::filesystem;
using base::Result;
using report::Json;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
// A list of objects in an object, and something to spare.
constexpr int kDeepest = 32;

base::Unexpected wrong(const fs::path& path, std::string what, std::string remedy) {
  return base::fail(base::ErrorKind::kCorrupt, std::move(what), path.string(), std::move(remedy));
}

// Returns nothing if the text is not JSON, or nests deeper than any file of these.
std::optional<Json> parsed(std::string_view text) {
  auto out = base::parse_bounded<Json>(text, kDeepest);
  if (out.is_discarded()) return std::nullopt;
  return out;
}

Result<Json> read_json(const fs::path& path, std::string_view what) {
  const auto text = base::read_whole_file(path, what);
  if (!text) return base::pass(text);
  auto json = parsed(*text);
  if (!json) return wrong(path, "is not JSON, or nests too deep", "name another file");
  return std::move(*json);
}

// Returns a whole number of the object; nothing if it has none of that name.
std::optional<std::int64_t> integer_of(const Json& object, const char* key) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

std::optional<double> number_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string kind_of(const Json& object) {
  for (const char* key : {"kind", "fault"}) {
    const auto found = object.find(key);
    if (found != object.end() && found->is_string()) return found->get<std::string>();
  }
  return {};
}

Result<void> add_labels(const fs::path& path, Json& out) {
  const auto json = read_json(path, "labels");
  if (!json) return base::pass(json);
  if (!json->is_object()) return wrong(path, "is not a JSON object", R"(write {"model": "bert"})");
  for (const auto& [key, value] : json->items()) {
    if (value.is_string() || value.is_number() || value.is_boolean()) out[key] = value;
  }
  return {};
}

Result<void> add_labels(std::span<const std::string> words, Json& out) {
  for (const auto& word : words) {
    const auto sign = word.find('=');
    if (sign == std::string::npos || sign == 0) {
      return base::fail(base::ErrorKind::kUsage, "is not KEY=VALUE", word,
                        "write --label model=bert");
    }
    out[word.substr(0, sign)] = word.substr(sign + 1);
  }
  return {};
}

Result<std::vector<TrueInterval>> read_truth(const fs::path& path) {
  constexpr const char* kRemedy =
      R"(write [{"kind": "slow disk", "begin_ns": 1, "end_ns": 2}], in ns since 1970)";
  const auto json = read_json(path, "truth");
  if (!json) return base::pass(json);
  const bool is_lab = json->is_object() && json->contains("faults");
  const Json& list = is_lab ? (*json)["faults"] : *json;
  if (!list.is_array()) return wrong(path, "is no list of intervals", kRemedy);
  std::vector<TrueInterval> out;
  for (const auto& item : list) {
    const auto begin = integer_of(item, "begin_ns");
    const auto end = integer_of(item, "end_ns");
    if (!begin || !end || *end < *begin || kind_of(item).empty()) {
      return wrong(
          path, fmt::format("interval {} lacks a kind, or a begin before its end", out.size() + 1),
          kRemedy);
    }
    out.push_back({kind_of(item), *begin, *end, number_of(item, "strength").value_or(kUnknown)});
  }
  std::ranges::stable_sort(out, {}, &TrueInterval::begin_ns);
  return out;
}

Result<std::vector<Step>> read_steps(const fs::path& path) {
  const auto text = base::read_whole_file(path, "steps");
  if (!text) return base::pass(text);
  std::vector<Step> out;
  std::string_view left = *text;
  for (std::size_t line = 1; !left.empty(); ++line) {
    const auto end = std::min(left.find('\n'), left.size());
    const auto json = parsed(left.substr(0, end));
    const auto end_ns = json ? integer_of(*json, "end_ns") : std::nullopt;
    if (!end_ns) {
      return wrong(path, fmt::format("line {} is no step", line),
                   R"(write {"end_ns": 1, "ms": 40.2} a line)");
    }
    out.push_back({*end_ns, number_of(*json, "ms").value_or(kUnknown) / 1e3,
                   number_of(*json, "work").value_or(1)});
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  std::ranges::stable_sort(out, {}, &Step::end_ns);
  return out;
}

// Returns whether the file is named and, so far as one may see, there.
bool is_there(const fs::path& beside, const std::string& file) {
  std::error_code unknown;
  return !file.empty() && (fs::exists(beside / file, unknown) || unknown);
}

bool overlaps(const TrueInterval& one, const window::WindowSpan& window) {
  return one.begin_ns < window.end_ns && one.end_ns > window.begin_ns;
}

}  // namespace

Result<Annotations> read_annotations(const std::string& directory, const AnnotationFiles& files,
                                     std::span<const std::string> labels) {
  const fs::path beside = directory;
  Annotations out;
  out.has_label_file = is_there(beside, files.labels);
  if (out.has_label_file) {
    if (auto done = add_labels(beside / files.labels, out.labels); !done) return base::pass(done);
  }
  if (auto done = add_labels(labels, out.labels); !done) return base::pass(done);
  if (is_there(beside, files.truth)) {
    auto truth = read_truth(beside / files.truth);
    if (!truth) return base::pass(truth);
    out.truth = std::move(*truth);
  }
  if (is_there(beside, files.steps)) {
    auto steps = read_steps(beside / files.steps);
    if (!steps) return base::pass(steps);
    out.steps = std::move(*steps);
  }
  return out;
}

std::string kinds_in(std::span<const TrueInterval> truth, const window::WindowSpan& window) {
  std::vector<std::string_view> kinds;
  for (const auto& one : truth) {
    if (!overlaps(one, window)) continue;
    if (std::ranges::find(kinds, one.kind) == kinds.end()) kinds.emplace_back(one.kind);
  }
  return fmt::format("{}", fmt::join(kinds, ";"));
}

double share_in(std::span<const TrueInterval> truth, const window::WindowSpan& window) {
  std::int64_t inside = 0;
  std::int64_t counted_to = window.begin_ns;  // intervals may overlap
  for (const auto& one : truth) {
    if (!overlaps(one, window)) continue;
    const auto begin = std::max(one.begin_ns, counted_to);
    const auto end = std::min(one.end_ns, window.end_ns);
    inside += std::max<std::int64_t>(end - begin, 0);
    counted_to = std::max(counted_to, end);
  }
  return static_cast<double>(inside) / static_cast<double>(window.end_ns - window.begin_ns);
}

WindowSteps steps_in(std::span<const Step> steps, const window::WindowSpan& window) {
  WindowSteps out{0, kUnknown};
  std::vector<double> seconds;
  auto step = std::ranges::upper_bound(steps, window.begin_ns, {}, &Step::end_ns);
  for (; step != steps.end() && step->end_ns <= window.end_ns; ++step) {
    out.work += step->work;
    if (!std::isnan(step->seconds)) seconds.push_back(step->seconds);
  }
  if (seconds.empty()) return out;
  std::ranges::sort(seconds);
  const auto middle = seconds.size() / 2;
  const bool is_odd = seconds.size() % 2 == 1;
  out.median_seconds = is_odd ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  return out;
}

}  // namespace reveal::tables
