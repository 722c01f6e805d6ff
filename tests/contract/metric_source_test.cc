// What a metric says of its source is true: the file that it names is the one that its collector
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

// Returns the files that the sources of a collector name.
std::set<fs::path> files_of(const CollectorDescriptor& descriptor) {
  std::set<fs::path> out;
  for (const auto& metric : descriptor.metrics()) {
    if (const auto file = file_of(metric.source); !file.empty()) out.insert(file);
  }
  return out;
}

// Returns the metrics of a host's fresh channels.
std::set<std::string> metrics_in(const Values& values) {
  std::set<std::string> out;
  for (const auto& [channel, value] : values) out.insert(channel.substr(0, channel.find('{')));
  return out;
}

// Leaves of the host's proc nothing but `kept`; sys stays.
void keep_only(const Copy& host, const std::set<fs::path>& kept) {
  std::vector<fs::path> others;
  for (const auto& entry : fs::recursive_directory_iterator(host.path() / "proc")) {
    const bool named = kept.contains(entry.path().lexically_relative(host.path()));
    if (entry.is_regular_file() && !named) others.push_back(entry.path());
  }
  for (const auto& file : others) fs::remove(file);
}

TEST(MetricSource, NamesTheFileThatItsCollectorReads) {
  for (const auto& descriptor : registry()) {
    const auto files = files_of(descriptor);
    if (files.empty()) continue;
    EXPECT_EQ(files.size(), 1u) << descriptor.name << " names several files";
    for (const auto& host : hosts()) {
      SCOPED_TRACE(std::string(descriptor.name) + " on " + host.filename().string());
      const auto values = values_of(descriptor, host);
      const Copy copy(host);
      keep_only(copy, files);
      EXPECT_EQ(values_of(descriptor, copy.path()), values) << "reads more than it names";
      for (const auto& file : files) fs::remove_all(copy.path() / file);
      EXPECT_TRUE(values_of(descriptor, copy.path()).empty()) << "does not read what it names";
    }
  }
}

TEST(MetricSource, NamesAFileThatSomeFixtureHostHas) {
  for (const auto& descriptor : registry()) {
    for (const auto& file : files_of(descriptor)) {
      const auto all = hosts();
      EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                              [&](const auto& host) { return fs::is_regular_file(host / file); }))
          << descriptor.name << ": " << file;
    }
  }
}

// Returns whether no fixture can show the metric, for a reason that holds. Perf events are system
// calls about the running kernel, which no captured tree answers.
bool cannot_be_captured(const model::MetricDescriptor& metric) {
  return metric.source.starts_with("perf ");
}

TEST(MetricSource, EveryMetricHasAValueOnSomeFixtureHost) {
  std::set<std::string> seen;
  for (const auto& host : hosts()) seen.merge(metrics_in(values_of(host)));
  for (const auto& descriptor : registry()) {
    for (const auto& metric : descriptor.metrics()) {
      EXPECT_NE(seen.contains(std::string(metric.name)), cannot_be_captured(metric))
          << metric.name << " says " << metric.source
          << ": no fixture host has it. If a kernel does, add a host that shows it.";
    }
  }
}

}  // namespace
}  // namespace reveal::collect
