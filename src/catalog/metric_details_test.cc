#include "catalog/metric_details.h"

#include <limits>

#include <gtest/gtest.h>

#include "catalog/catalog_json.h"

namespace reveal::catalog {
namespace {

Row row_named(std::string_view name) {
  Row row;
  row.collector = "netstat";
  row.metric.name = name;
  row.metric.alias = "RetransSegs";
  row.metric.unit = "segments";
  row.metric.help = "Segments sent again.";
  row.metric.source = "/proc/net/snmp Tcp RetransSegs";
  row.metric.doc_url = "https://example.org/snmp";
  row.metric.kind = model::Kind::kCounter;
  row.metric.subsystem = model::Subsystem::kNetwork;
  row.metric.scope = model::Scope::kHost;
  return row;
}

TEST(MetricDetails, AWordIsAPartOfTheNameOrTheWholeOfAnother) {
  const Row row = row_named("network_tcp_retransmitted_segments_total");
  EXPECT_TRUE(is_about("retrans", row));
  EXPECT_TRUE(is_about("network_tcp_*_total", row));
  EXPECT_FALSE(is_about("tcp_*_total", row)) << "a pattern is of the whole name";
  EXPECT_TRUE(is_about("RetransSegs", row));
  EXPECT_FALSE(is_about("RetransSeg", row));
  EXPECT_TRUE(is_about("netstat", row));
  EXPECT_TRUE(is_about("network", row));
  EXPECT_FALSE(is_about("gpu", row));
}

TEST(MetricDetails, WhatIsThereHasItsValues) {
  Row row = row_named("network_tcp_retransmitted_segments_total");
  row.instances = {"", "netns=pod"};
  const CurrentValues values{
      {"network_tcp_retransmitted_segments_total",
       {"segments/s", {{"", 12}, {"netns=pod", std::numeric_limits<double>::quiet_NaN()}}}}};
  EXPECT_EQ(details_of(row, values),
            "network_tcp_retransmitted_segments_total\n"
            "  Segments sent again.\n"
            "  counter in segments, a channel per host; subsystem network\n"
            "  source: /proc/net/snmp Tcp RetransSegs (https://example.org/snmp)\n"
            "  now: 12 segments/s\n"
            "  now netns=pod: not read twice in this second\n");
  const std::string json = metrics_json({row}, &values);
  EXPECT_NE(json.find("\"value_unit\": \"segments/s\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"netns=pod\": null"), std::string::npos) << json;
  EXPECT_EQ(metrics_json({row}, nullptr).find("values"), std::string::npos);
}

TEST(MetricDetails, ManyChannelsAreCounted) {
  Row row = row_named("cpu_softirqs_total");
  CurrentValues values;
  for (int i = 0; i < 15; ++i) {
    row.instances.push_back("cpu=" + std::to_string(i));
    values["cpu_softirqs_total"].channels.emplace_back(row.instances.back(), i);
  }
  const std::string text = details_of(row, values);
  EXPECT_NE(text.find("cpu=11"), std::string::npos);
  EXPECT_EQ(text.find("cpu=12"), std::string::npos);
  EXPECT_NE(text.find("and 3 channels more"), std::string::npos) << text;
}

TEST(MetricDetails, WhatIsMissingHasItsReasonAndRemedy) {
  Row row = row_named("network_x_total");
  row.reason = "/proc/net/x: absent";
  row.remedy = "load the driver";
  const std::string text = details_of(row, {});
  EXPECT_NE(text.find("  missing: /proc/net/x: absent\n  what would add it: load the driver\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(remedies_json({row}),
            "{\n  \"metrics\": 1,\n  \"available\": 0,\n  \"remedies\": [\n    {\n"
            "      \"change\": \"load the driver\",\n      \"reasons\": [\n"
            "        \"/proc/net/x: absent\"\n      ],\n      \"metrics\": [\n"
            "        \"network_x_total\"\n      ]\n    }\n  ]\n}\n");
}

}  // namespace
}  // namespace reveal::catalog
