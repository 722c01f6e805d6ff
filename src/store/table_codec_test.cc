#include "store/table_codec.h"

#include <gtest/gtest.h>

#include "store/facts_codec.h"
#include "store/testing/test_run.h"

namespace reveal::store {
namespace {

using model::ChannelId;
using model::ChannelTable;
using model::MetricDescriptor;
using model::MetricId;

Bytes metrics(const ChannelTable& table, std::size_t first = 0) {
  Bytes out;
  put_metrics(out, table, first);
  return out;
}

Bytes channels(const ChannelTable& table, std::size_t first = 0) {
  Bytes out;
  put_channels(out, table, first);
  return out;
}

MetricDescriptor full_metric() {
  MetricDescriptor metric;
  metric.name = "gpu_power_watts";
  metric.label = "GPU power";
  metric.unit = "watts";
  metric.kind = model::Kind::kStatic;
  metric.repr = model::Repr::kF64;
  metric.subsystem = model::Subsystem::kStorage;
  metric.scope = model::Scope::kCgroup;
  metric.counter_bits = 32;
  metric.scale = 1.0 / 3.0;
  metric.source = "/proc/x";
  metric.alias = "W";
  metric.doc_url = "https://docs.kernel.org/";
  metric.help = std::string_view("a \0 byte and \xff", 14);
  metric.rank = -32768;
  return metric;
}

TEST(TableCodec, EveryFieldComesBack) {
  ChannelTable table;
  table.add_channel(table.add_metric(full_metric()), "dev=\xfe");
  ChannelTable back;
  ASSERT_TRUE(read_metrics(metrics(table), back));
  ASSERT_TRUE(read_channels(channels(table), back));
  const MetricDescriptor want = full_metric();
  const MetricDescriptor& got = back.metric(MetricId(0));
  for (const auto text :
       {&MetricDescriptor::name, &MetricDescriptor::label, &MetricDescriptor::unit,
        &MetricDescriptor::source, &MetricDescriptor::alias, &MetricDescriptor::doc_url,
        &MetricDescriptor::help}) {
    EXPECT_EQ(got.*text, want.*text);
  }
  EXPECT_EQ(got.kind, want.kind);
  EXPECT_EQ(got.repr, want.repr);
  EXPECT_EQ(got.subsystem, want.subsystem);
  EXPECT_EQ(got.scope, want.scope);
  EXPECT_EQ(got.counter_bits, want.counter_bits);
  EXPECT_EQ(got.scale, want.scale);
  EXPECT_EQ(got.rank, want.rank);
  EXPECT_EQ(back.name(ChannelId(0)), table.name(ChannelId(0)));
}

// Older readers read cpu, and pass over what follows the collector.
TEST(TableCodec, ASubsystemThatIsNotKnownIsAFieldOfItsOwn) {
  for (const std::string_view collector : {"import", ""}) {
    MetricDescriptor metric = full_metric();
    metric.collector = collector;
    metric.subsystem = model::Subsystem::kCpu;
    ChannelTable known;
    known.add_metric(metric);
    metric.subsystem = model::Subsystem::kUnknown;
    ChannelTable unknown;
    unknown.add_metric(metric);
    Bytes expected = metrics(known);
    if (collector.empty()) expected.push_back(0);
    expected.push_back(5);
    Bytes got = metrics(unknown);
    expected[2] = got[2];  // the entry's length, of one byte
    EXPECT_EQ(got, expected);
    ChannelTable back;
    ASSERT_TRUE(read_metrics(got, back));
    EXPECT_EQ(back.metric(MetricId(0)).subsystem, model::Subsystem::kUnknown);
    EXPECT_EQ(back.metric(MetricId(0)).collector, collector);
    got.back() = 6;  // of a later writer
    ChannelTable later;
    ASSERT_TRUE(read_metrics(got, later));
    EXPECT_EQ(later.metric(MetricId(0)).subsystem, model::Subsystem::kUnknown);
  }
}

TEST(TableCodec, StatedAgainOrInPartsItIsTheSameTable) {
  ChannelTable table;
  testing_run::grow(table, 10);
  ChannelTable back;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(read_metrics(metrics(table), back));
    ASSERT_TRUE(read_channels(channels(table), back));
  }
  const std::size_t metrics_before = table.metric_count();
  testing_run::grow(table, 20);
  ASSERT_TRUE(read_metrics(metrics(table, metrics_before), back));
  ASSERT_TRUE(read_channels(channels(table, 10), back));
  ASSERT_EQ(back.channel_count(), 20u);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(back.name(ChannelId(i)), table.name(ChannelId(i)));
  }
}

TEST(TableCodec, AHoleIsNoticed) {
  ChannelTable table;
  testing_run::grow(table, 12);
  ChannelTable back;
  EXPECT_FALSE(read_metrics(metrics(table, 1), back));
  EXPECT_FALSE(read_channels(channels(table), back));
  ASSERT_TRUE(read_metrics(metrics(table), back));
  EXPECT_FALSE(read_channels(channels(table, 1), back));
  EXPECT_EQ(back.channel_count(), 0u);
}

TEST(TableCodec, CutOffAnywhereItIsRefused) {
  ChannelTable table;
  testing_run::grow(table, 3);
  const Bytes all_metrics = metrics(table);
  const Bytes all_channels = channels(table);
  for (std::size_t length = 0; length < all_metrics.size(); ++length) {
    ChannelTable back;
    EXPECT_FALSE(read_metrics(ByteView(all_metrics).first(length), back)) << length;
  }
  for (std::size_t length = 0; length < all_channels.size(); ++length) {
    ChannelTable back;
    ASSERT_TRUE(read_metrics(all_metrics, back));
    EXPECT_FALSE(read_channels(ByteView(all_channels).first(length), back)) << length;
  }
}

TEST(Facts, EveryFieldComesBack) {
  Bytes out;
  model::RunFacts want = testing_run::facts();
  want.unseen = {{"perf", "not permitted", "be root", 9}, {"pressure_irq", "absent", "", 1}};
  put_facts(out, want, 7);
  const auto back = read_facts(out);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->unseen, want.unseen);
  EXPECT_EQ(back->host, want.host);
  EXPECT_EQ(back->kernel, want.kernel);
  EXPECT_EQ(back->machine, want.machine);
  EXPECT_EQ(back->boot_id, want.boot_id);
  EXPECT_EQ(back->reveal_version, want.reveal_version);
  EXPECT_EQ(back->command, want.command);
  EXPECT_EQ(back->interval_ns, want.interval_ns);
  EXPECT_EQ(back->start_wall_ns, want.start_wall_ns);
  EXPECT_EQ(back->cpus_online, want.cpus_online);
  EXPECT_TRUE(same_run(*back, want));
}

TEST(Facts, OddTextsAndValuesDoNoHarm) {
  model::RunFacts odd = testing_run::facts();
  odd.command = {"bad\xff utf8", "\"quoted\"\n", ""};
  Bytes out;
  put_facts(out, odd, 1);
  const auto back = read_facts(out);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->command, (std::vector<std::string>{"bad\xEF\xBF\xBD utf8", "\"quoted\"\n", ""}));
  for (const char* text :
       {"", "{", "[]", "null", "{\"host\":1}", "{\"host\":\"a\"}",
        "{\"host\":\"a\",\"interval_ns\":1.5,\"start_wall_ns\":1}",
        "{\"host\":\"a\",\"interval_ns\":0,\"start_wall_ns\":1}",
        "{\"host\":\"a\",\"interval_ns\":1,\"start_wall_ns\":1}",
        "{\"host\":\"a\",\"interval_ns\":-1,\"start_wall_ns\":1}",
        "{\"host\":\"a\",\"interval_ns\":9223372036854775807,\"start_wall_ns\":1}",
        "{\"host\":\"a\",\"interval_ns\":18446744073709551615,\"start_wall_ns\":1}",
        "{\"host\":\"a\",\"interval_ns\":1000,\"start_wall_ns\":9223372036854775807}",
        "{\"host\":\"a\",\"interval_ns\":1e400,\"start_wall_ns\":1}"}) {
    EXPECT_FALSE(read_facts(as_bytes(text))) << text;
  }
  EXPECT_TRUE(read_facts(as_bytes(
      R"({"host":"a","interval_ns":1000,"start_wall_ns":1,"command":3,"cpus_online":"x","new":[]})")));
}

}  // namespace
}  // namespace reveal::store
