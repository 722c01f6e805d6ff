#include "exchange/otlp_json.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exchange/testing/gather_text.h"

namespace reveal::exchange {
namespace {

using test_texts::find_series;
using test_texts::values;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

base::Result<Gathering> gather(const std::string& text) {
  Gathering out;
  auto done = gather_otlp_text(text, "otlp.json", {}, out);
  if (!done) return base::pass(done);
  return out;
}

// One resource with one metric.
std::string resource(const std::string& metric, const std::string& attributes = "") {
  return R"({"resourceMetrics": [{"resource": {"attributes": [
    {"key": "host.name", "value": {"stringValue": "node7"}})" +
         attributes + R"(]}, "scopeMetrics": [{"scope": {}, "metrics": [)" + metric + "]}]}]}";
}

std::string one_line(std::string text) {
  std::erase(text, '\n');
  return text;
}

constexpr const char* kPoint =
    R"("timeUnixNano": "1700000000000000000", "attributes": [{"key": "cpu", "value": {"intValue": "1"}}])";

std::string sum(int temporality, bool monotonic, const std::string& value,
                const std::string& unit = "s") {
  return R"({"name": "system.cpu.time", "unit": ")" + unit +
         R"(", "sum": {"aggregationTemporality": )" + std::to_string(temporality) +
         R"(, "isMonotonic": )" + (monotonic ? "true" : "false") + R"(, "dataPoints": [{)" +
         kPoint + ", " + value + "}]}}";
}

TEST(Otlp, AGaugeIsALevelOfItsHost) {
  const auto got = gather(resource(
      R"({"name": "system.memory.usage", "unit": "MiBy", "gauge": {"dataPoints": [
          {"timeUnixNano": 1700000000000000000, "asDouble": 2.5},
          {"timeUnixNano": "1700000001000000000", "flags": 1},
          {"timeUnixNano": "1700000002000000000", "asDouble": "NaN"},
          {"timeUnixNano": "1700000003000000000", "asInt": "7"}]}})"));
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_THAT(values(*got, "system_memory_usage"), ElementsAre(2.5, 7));
  const Series& series = got->all()[0];
  EXPECT_EQ(series.host, "node7");
  EXPECT_THAT(series.times_ns, ElementsAre(1700000000000000000, 1700000003000000000));
  EXPECT_EQ(series.said.kind, model::Kind::kGauge);
  EXPECT_EQ(series.said.unit, "bytes");
  EXPECT_EQ(series.said.scale, 1048576);
}

TEST(Otlp, SumsAreCountersIfTheyAreMonotonic) {
  const auto counter = gather(resource(sum(2, true, R"("asInt": "9007199254740993")", "ms")));
  ASSERT_TRUE(counter) << counter.error().message();
  EXPECT_THAT(counter->all()[0].bits, ElementsAre(9007199254740993U));
  EXPECT_EQ(counter->all()[0].instance, "cpu=1");
  EXPECT_EQ(counter->all()[0].said.kind, model::Kind::kCounter);
  EXPECT_EQ(counter->all()[0].said.unit, "seconds");
  EXPECT_EQ(counter->all()[0].said.scale, 1e-3);
  const auto level = gather(resource(sum(2, false, R"("asInt": "5")", "{threads}")));
  ASSERT_TRUE(level) << level.error().message();
  EXPECT_EQ(level->all()[0].said.kind, model::Kind::kGauge);
  EXPECT_EQ(level->all()[0].said.unit, "threads");
}

TEST(Otlp, DeltasAreAddedUpOverTheLines) {
  const auto line = one_line(resource(sum(1, true, R"("asInt": "5")")));
  const auto real = one_line(resource(sum(1, true, R"("asDouble": 0.5)")));
  const auto got = gather(line + "\n" + line + "\n" + real + "\n");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_THAT(values(*got, "system_cpu_time{cpu=1}"), ElementsAre(5, 10, 10.5));
  EXPECT_EQ(got->all()[0].said.kind, model::Kind::kCounter);
}

TEST(Otlp, OfAHistogramItTakesCountAndSum) {
  const auto got = gather(resource(
      R"({"name": "rpc.duration", "unit": "s", "histogram": {
          "aggregationTemporality": "AGGREGATION_TEMPORALITY_DELTA", "dataPoints": [
          {"timeUnixNano": "1700000000000000000", "count": "3", "sum": 1.5, "bucketCounts": ["3"]},
          {"timeUnixNano": "1700000001000000000", "count": 4, "bucketCounts": ["4"]}]}})"));
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_THAT(values(*got, "rpc_duration_count"), ElementsAre(3, 7));
  EXPECT_THAT(values(*got, "rpc_duration_sum"), ElementsAre(1.5));
  EXPECT_EQ(find_series(*got, "rpc_duration_sum")->said.unit, "seconds");
  EXPECT_FALSE(find_series(*got, "rpc_duration_count")->said.unit);
}

TEST(Otlp, TwoResourcesOfAHostStayApart) {
  const std::string service = R"(, {"key": "service.name", "value": {"stringValue": "b"}})";
  const auto first = one_line(resource(sum(2, true, R"("asInt": "1")")));
  const auto second = one_line(resource(sum(2, true, R"("asInt": "2")"), service));
  const auto got = gather(first + "\n" + second + "\n" + first + "\n");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_THAT(values(*got, "system_cpu_time{cpu=1}"), ElementsAre(1, 1));
  EXPECT_THAT(values(*got, "system_cpu_time{service.name=b,cpu=1}"), ElementsAre(2));
}

TEST(Otlp, WhatIsWrongIsNamed) {
  const auto error = [](const std::string& text) {
    const auto got = gather(text);
    return got ? "none" : got.error().message();
  };
  const auto good = one_line(resource(sum(2, true, R"("asInt": "1")")));
  EXPECT_THAT(error(good + "\n" + one_line(resource(sum(2, true, R"("asInt": "x")")))),
              HasSubstr("otlp.json, line 2: metric system.cpu.time: \"x\" is not a number"));
  EXPECT_THAT(error(good + "\n{"), HasSubstr("line 2: is no whole JSON"));
  EXPECT_THAT(error(resource(R"({"name": "a", "gauge": {"dataPoints": [{"asInt": 1}]}})")),
              HasSubstr("metric a: a point has no time"));
  EXPECT_THAT(error(resource(R"({"gauge": {}})")), HasSubstr("without a name"));
  EXPECT_THAT(error(R"({"resourceMetrics": []})"), HasSubstr("has no metrics"));
  EXPECT_THAT(error("{\n\"resourceMetrics\": [{"), HasSubstr("is no whole JSON"));
}

}  // namespace
}  // namespace reveal::exchange
