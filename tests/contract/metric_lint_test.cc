// Every metric of every collector: named by the rules, described, and found once.
#include <algorithm>
#include <set>
#include <string>

#include <gmock/gmock.h>

#include "collect/registry.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

std::vector<MetricDescriptor> all_metrics() {
  std::vector<MetricDescriptor> out;
  for (const auto& collector : registry()) {
    const auto metrics = collector.metrics();
    out.insert(out.end(), metrics.begin(), metrics.end());
  }
  return out;
}

bool accumulates(const MetricDescriptor& metric) {
  return metric.kind == Kind::kCounter || metric.kind == Kind::kEvent;
}

// Lower-case words and digits, joined by single underscores.
bool is_snake_case(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return std::all_of(name.begin(), name.end(), allowed) && !name.ends_with('_') &&
         name.find("__") == std::string_view::npos;
}

TEST(MetricLint, NamesFollowThePattern) {
  for (const auto& metric : all_metrics()) {
    const std::string name(metric.name);
    EXPECT_TRUE(is_snake_case(name)) << name;
    EXPECT_EQ(name.ends_with("_total"), accumulates(metric)) << name;
    EXPECT_TRUE(name.starts_with(std::string(model::to_string(metric.subsystem)) + "_")) << name;
    if (metric.unit == "bytes" || metric.unit == "seconds" || metric.unit == "sectors") {
      EXPECT_THAT(name, ::testing::ContainsRegex("_" + std::string(metric.unit) + "(_total)?$"));
    }
  }
}

// A rollup has such metrics of its own beside each of these.
TEST(MetricLint, NoNameIsThatOfARollupsStatistic) {
  for (const auto& metric : all_metrics()) {
    for (const auto* end : {"_min", "_max", "_mean"}) {
      EXPECT_FALSE(metric.name.ends_with(end)) << metric.name;
    }
  }
}

TEST(MetricLint, NamesLabelsAndSourcesAreUnique) {
  std::set<std::string_view> names;
  std::set<std::string_view> labels;
  std::set<std::string_view> sources;
  for (const auto& metric : all_metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_TRUE(labels.insert(metric.label).second) << metric.name << ": " << metric.label;
    EXPECT_TRUE(sources.insert(metric.source).second) << metric.name << ": " << metric.source;
  }
}

TEST(MetricLint, NothingIsLeftBlank) {
  for (const auto& metric : all_metrics()) {
    SCOPED_TRACE(metric.name);
    EXPECT_FALSE(metric.unit.empty());
    EXPECT_FALSE(metric.source.empty());
    EXPECT_FALSE(metric.alias.empty());
    EXPECT_TRUE(metric.doc_url.starts_with("https://"));
    EXPECT_TRUE(metric.help.ends_with("."));
    ASSERT_FALSE(metric.label.empty());
    EXPECT_FALSE(metric.label.ends_with("."));
    EXPECT_FALSE(metric.label.front() >= 'a' && metric.label.front() <= 'z') << metric.label;
    EXPECT_GT(metric.scale, 0.0);
    EXPECT_TRUE(metric.counter_bits == 64 || metric.counter_bits == 32);
    EXPECT_GE(metric.rank, 0);
  }
}

TEST(MetricLint, CollectorsAreNamedOnceAndDescribed) {
  std::set<std::string_view> names;
  for (const auto& collector : registry()) {
    EXPECT_TRUE(names.insert(collector.name).second) << collector.name;
    EXPECT_FALSE(collector.help.empty()) << collector.name;
    EXPECT_FALSE(collector.metrics().empty()) << collector.name;
    EXPECT_NE(collector.make(), nullptr) << collector.name;
  }
}

}  // namespace
}  // namespace reveal::collect
