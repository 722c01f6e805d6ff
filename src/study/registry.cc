#include <array>

#include "study/study.h"

namespace reveal::study {
namespace {

constexpr auto kStudies = std::to_array<Study>({
    {"pruning", "what is kept and what is lost if channels that correlate are left out",
     study_pruning},
    {"reproducibility", "whether channels take the same course in each run", study_reproducibility},
    {"cv", "how steady channels are from run to run of a workload (coefficient of variation)",
     study_cv},
    {"variance", "whether channels vary within runs, between runs, or between workloads",
     study_variance},
    {"anova", "which channels tell workloads apart (one-way analysis of variance)", study_anova},
    {"granularity", "what longer or shorter windows would have found", study_granularity},
    {"patterns", "the metrics and subsystems in anomalous windows", study_patterns},
    {"causes", "the features that each anomalous window is blamed on", study_causes},
    {"impact", "shares of anomalous windows before and after a change (--after)", study_impact,
     true},
    {"storage", "what recordings take on the disk, by source and metric", study_storage},
    {"embedding", "windows as points in a plane, those alike near one another", study_embedding},
    {"hosts", "channels over several hosts (--channels), and which host is far from its peers",
     study_hosts, false, true},
    {"overhead", "what recording costs by interval (the file of overhead.py --json)",
     study_overhead},
});

}  // namespace

std::span<const Study> studies() {
  return kStudies;
}

const Study* find(std::string_view name) {
  for (const auto& study : kStudies) {
    if (study.name == name) return &study;
  }
  return nullptr;
}

}  // namespace reveal::study
