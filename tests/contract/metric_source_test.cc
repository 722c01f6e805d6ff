// What a metric says of its source is true: the files that it names are those that its collector
// reads, and the value that it names is there on some fixture host. The fixtures are the
// independent side of this: their texts are the kernel's, so a key that no kernel has is in none.
#include <algorithm>
#include <set>
#include <string>

#include <gmock/gmock.h>

#include "collector_bench.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;

// Returns the metrics of a host's fresh channels.
std::set<std::string> metrics_in(const Values& values) {
  std::set<std::string> out;
  for (const auto& [channel, value] : values) out.insert(channel.substr(0, channel.find('{')));
  return out;
}

// Leaves of the host's proc nothing but `kept`; sys stays, whose folders say what devices there
// are.
void keep_only(const Copy& host, const std::vector<fs::path>& kept) {
  if (!fs::is_directory(host.path() / "proc")) return;
  std::vector<fs::path> others;
  for (const auto& entry : fs::recursive_directory_iterator(host.path() / "proc")) {
    const bool named = std::binary_search(kept.begin(), kept.end(), entry.path());
    if (entry.is_regular_file() && !named) others.push_back(entry.path());
  }
  for (const auto& file : others) fs::remove(file);
}

// Returns whether all values of the collector come from files that its sources name.
bool reads_files_only(const CollectorDescriptor& descriptor) {
  const auto metrics = descriptor.metrics();
  return std::all_of(metrics.begin(), metrics.end(),
                     [](const auto& metric) { return is_of_files(metric.source); });
}

TEST(MetricSource, NamesTheFilesThatItsCollectorReads) {
  for (const auto& descriptor : registry()) {
    if (!reads_files_only(descriptor)) continue;
    for (const auto& host : hosts()) {
      SCOPED_TRACE(std::string(descriptor.name) + " on " + host.filename().string());
      const auto values = values_of(descriptor, host);
      const Copy copy(host);
      const auto files = files_of(copy.path(), descriptor);
      keep_only(copy, files);
      EXPECT_EQ(values_of(descriptor, copy.path()), values) << "reads more than it names";
      for (const auto& file : files) fs::remove_all(file);
      EXPECT_TRUE(values_of(descriptor, copy.path()).empty()) << "does not read what it names";
    }
  }
}

TEST(MetricSource, NamesFilesThatSomeFixtureHostHas) {
  const auto all = hosts();
  for (const auto& descriptor : registry()) {
    for (const auto& metric : descriptor.metrics()) {
      if (!is_of_files(metric.source)) continue;
      EXPECT_TRUE(
          std::any_of(all.begin(), all.end(),
                      [&](const auto& host) { return !files_of(host, metric.source).empty(); }))
          << metric.name << ": " << metric.source;
    }
  }
}

// Sources that are no files are system calls about the running kernel, or a counting of the
// recorder's own: a fixture cannot show the former, and need not show the latter.
TEST(MetricSource, EveryMetricHasAValueOnSomeFixtureHost) {
  std::set<std::string> seen;
  for (const auto& host : hosts()) seen.merge(metrics_in(values_of(host)));
  for (const auto& descriptor : host_collectors()) {
    for (const auto& metric : descriptor.metrics()) {
      if (!is_of_files(metric.source)) continue;
      EXPECT_TRUE(seen.contains(std::string(metric.name)))
          << metric.name << " says " << metric.source
          << ": no fixture host has it. If a kernel does, add a host that shows it.";
    }
  }
}

// A captured tree is of another host: what this kernel says of this one must not mix with it.
TEST(MetricSource, SystemCallsDoNotAnswerForACapturedHost) {
  for (const auto& host : hosts()) {
    for (const auto& descriptor : registry()) {
      const auto values = metrics_in(values_of(descriptor, host));
      for (const auto& metric : descriptor.metrics()) {
        const bool of_kernel =
            !is_of_files(metric.source) && metric.scope != model::Scope::kRecorder;
        EXPECT_FALSE(of_kernel && values.contains(std::string(metric.name))) << metric.name;
      }
    }
  }
}

}  // namespace
}  // namespace reveal::collect
