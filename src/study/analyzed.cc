#include "study/analyzed.h"

#include <algorithm>
#include <utility>

#include "replay/replayed.h"

namespace reveal::study {
namespace {

base::Result<report::Report> analyze(const std::string& directory, pipeline::PipelineConfig config,
                                     std::vector<store::Damage>& damage) {
  config.most_values = pipeline::kMostValues;
  const auto replayed = replay::replay(directory, std::move(config));
  if (!replayed) return base::pass(replayed);
  damage.insert(damage.end(), replayed->damage.begin(), replayed->damage.end());
  return replayed->pipeline->analyze();
}

}  // namespace

base::Result<report::Report> analyzed(const std::string& directory,
                                      const pipeline::PipelineConfig& config,
                                      std::vector<store::Damage>& damage) {
  auto out = analyze(directory, config, damage);
  if (!out && out.error().where.empty()) out.error().where = directory;
  return out;
}

Run run_of(const std::string& directory, const report::Report& report) {
  return {directory, report.facts.host, report.begin_ns, report.end_ns};
}

std::vector<Stretch> merged(std::vector<Stretch> stretches) {
  std::ranges::sort(stretches, {}, &Stretch::begin_ns);
  std::vector<Stretch> out;
  for (const auto& one : stretches) {
    if (out.empty() || one.begin_ns > out.back().end_ns) {
      out.push_back(one);
    } else {
      out.back().end_ns = std::max(out.back().end_ns, one.end_ns);
    }
  }
  return out;
}

double seconds(const std::vector<Stretch>& stretches) {
  std::int64_t ns = 0;
  for (const auto& one : stretches) ns += one.end_ns - one.begin_ns;
  return static_cast<double>(ns) / 1e9;
}

double common_seconds(const std::vector<Stretch>& a, const std::vector<Stretch>& b) {
  std::int64_t ns = 0;
  for (const auto& one : a) {
    for (const auto& other : b) {
      ns += std::max<std::int64_t>(
          std::min(one.end_ns, other.end_ns) - std::max(one.begin_ns, other.begin_ns), 0);
    }
  }
  return static_cast<double>(ns) / 1e9;
}

}  // namespace reveal::study
