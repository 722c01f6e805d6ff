#include <cmath>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "exchange/testing/test_frames.h"
#include "exchange/text_input.h"
#include "exchange/trace.h"

namespace reveal::exchange {
namespace {

using model::ChannelId;
using model::Frame;
using nlohmann::json;
using test_frames::read_file;
using test_frames::TempDir;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kTick_ns = 100'000'000;
constexpr std::int64_t kStart_ns = 1'700'000'000'000'000'001;

void add_channel(model::ChannelTable& table, std::string_view name, std::string_view instance,
                 std::string_view unit, model::Subsystem subsystem) {
  model::MetricDescriptor metric;
  metric.name = name;
  metric.unit = unit;
  metric.repr = model::Repr::kF64;
  metric.subsystem = subsystem;
  table.add_channel(table.add_metric(metric), instance);
}

// A frame of these values, missing where NaN; the monotonic clock is 5 ms at the first.
Frame frame_of(std::uint64_t tick, const std::vector<double>& values) {
  Frame out;
  out.sequence = tick;
  out.wall_ns = kStart_ns + static_cast<std::int64_t>(tick) * kTick_ns;
  out.mono_ns = 5'000'000 + static_cast<std::int64_t>(tick) * kTick_ns;
  out.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) out.set_f64(ChannelId(i), values[i]);
  }
  return out;
}

class TraceTest : public testing::Test {
 protected:
  std::string written(const std::vector<Frame>& frames, const Timeline& timeline = {},
                      const std::string& name = "x.trace.json") {
    WriterOptions options;
    options.path = dir_.path() / name;
    options.channels = &channels_;
    options.timeline = timeline;
    auto writer = make_trace_writer(options);
    EXPECT_TRUE(writer);
    EXPECT_TRUE((*writer)->begin(facts_));
    for (const auto& frame : frames) EXPECT_TRUE((*writer)->write(channels_, frame));
    EXPECT_TRUE((*writer)->finish());
    return read_file(options.path);
  }

  // Returns time in us and value of the events of the only channel.
  std::vector<std::pair<double, double>> events_of(const std::vector<double>& values) {
    channels_ = {};
    add_channel(channels_, "cpu_a", "", "", model::Subsystem::kCpu);
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < values.size(); ++i) frames.push_back(frame_of(i, {values[i]}));
    const json trace = json::parse(written(frames, {Clock::kMonotonic, {}}));
    std::vector<std::pair<double, double>> out;
    for (const auto& event : trace.at("traceEvents")) {
      if (event.at("ph") != "C") continue;
      out.emplace_back(event.at("ts").get<double>(), event.at("args").at("value").get<double>());
    }
    return out;
  }

  TempDir dir_;
  model::RunFacts facts_;
  model::ChannelTable channels_;
};

TEST_F(TraceTest, IsWhatTheFormatSays) {
  add_channel(channels_, "cpu_busy_ratio", "cpu=0", "ratio", model::Subsystem::kCpu);
  add_channel(channels_, "storage_depth", "", "", model::Subsystem::kStorage);
  facts_.reveal_version = "9";
  facts_.command = {"a", "b"};
  facts_.interval_ns = kTick_ns;
  const std::vector<Slice> slices = {
      {"findings: cpu", "Too \"busy\"", kStart_ns, kStart_ns + kTick_ns, R"({"agreement":2})"},
      {"findings: cpu", "again", kStart_ns + kTick_ns + 7, kStart_ns + 3 * kTick_ns, "{}"},
      {"flagged by X", "window 0", kStart_ns - 500, kStart_ns + 1, "{}"}};
  // The number of the process: FNV-1a of no bytes is 0x811C9DC5, its lower 20 bits are 826821, and
  // 2^22 + 256 * 826821 = 215860480.
  EXPECT_EQ(written({frame_of(0, {0.5, 3}), frame_of(1, {0.25, 3})}, {Clock::kWall, slices}),
            R"({"displayTimeUnit":"ms","baseTimeNanoseconds":0,"traceEvents":[
{"ph":"M","pid":215860480,"tid":215860480,"name":"process_name","args":{"name":""}},
{"ph":"M","pid":215860480,"tid":215860480,"name":"process_labels","args":{"labels":"Reveal"}},
{"ph":"M","pid":215860480,"tid":215860480,"name":"process_sort_index","args":{"sort_index":-1}},
{"ph":"C","ts":1700000000000000.001,"pid":215860480,"cat":"cpu","name":"cpu: cpu_busy_ratio{cpu=0}","args":{"ratio":0.5}},
{"ph":"C","ts":1700000000000000.001,"pid":215860480,"cat":"storage","name":"storage: storage_depth","args":{"value":3.0}},
{"ph":"C","ts":1700000000100000.001,"pid":215860480,"cat":"cpu","name":"cpu: cpu_busy_ratio{cpu=0}","args":{"ratio":0.25}},
{"ph":"C","ts":1700000000100000.001,"pid":215860480,"cat":"storage","name":"storage: storage_depth","args":{"value":3.0}},
{"ph":"M","pid":215860480,"tid":215860481,"name":"thread_name","args":{"name":"findings: cpu"}},
{"ph":"M","pid":215860480,"tid":215860481,"name":"thread_sort_index","args":{"sort_index":1}},
{"ph":"X","ts":1700000000000000.001,"dur":100000.000,"pid":215860480,"tid":215860481,"cat":"reveal","name":"Too \"busy\"","args":{"agreement":2}},
{"ph":"X","ts":1700000000100000.008,"dur":199999.993,"pid":215860480,"tid":215860481,"cat":"reveal","name":"again","args":{}},
{"ph":"M","pid":215860480,"tid":215860482,"name":"thread_name","args":{"name":"flagged by X"}},
{"ph":"M","pid":215860480,"tid":215860482,"name":"thread_sort_index","args":{"sort_index":2}},
{"ph":"X","ts":1699999999999999.501,"dur":0.501,"pid":215860480,"tid":215860482,"cat":"reveal","name":"window 0","args":{}}
],"otherData":{"recorded_by":"reveal 9","host":"","kernel":"","boot_id":"","command":["a","b"],"interval_ns":100000000,"clock":"wall"}}
)");
}

TEST_F(TraceTest, AValueIsToldWhenItChangesAndWhereItsSamplesEnd) {
  using Events = std::vector<std::pair<double, double>>;
  const auto at = [](int tick) { return 5000.0 + 1e5 * tick; };
  EXPECT_EQ(events_of({1, 1, 1, 2, 2}), (Events{{at(0), 1}, {at(3), 2}, {at(4), 2}}));
  EXPECT_EQ(events_of({1, 2}), (Events{{at(0), 1}, {at(1), 2}}));
  EXPECT_EQ(events_of({1}), (Events{{at(0), 1}}));
  EXPECT_EQ(events_of({0, -0.0, 0}), (Events{{at(0), 0}, {at(2), 0}}));
  EXPECT_EQ(events_of({kMissing, 1, kMissing, 1, 1, kMissing}), (Events{{at(1), 1}, {at(4), 1}}));
  EXPECT_EQ(events_of({1, kMissing, 2, INFINITY, -INFINITY}), (Events{{at(0), 1}, {at(2), 2}}));
  EXPECT_EQ(events_of({kMissing, kMissing}), Events());
  EXPECT_EQ(events_of({}), Events());
}

TEST_F(TraceTest, OnTheMonotonicClockSlicesAreWhereTheFramesAroundThemAre) {
  add_channel(channels_, "cpu_a", "", "", model::Subsystem::kCpu);
  std::vector<Frame> frames = {frame_of(0, {1}), frame_of(1, {1}), frame_of(2, {1})};
  frames[2].wall_ns += 3'600'000'000'000;  // the clock was set
  const auto slice = [&](std::int64_t begin_ns, std::int64_t end_ns) {
    return Slice{"r", "s", begin_ns, end_ns, "{}"};
  };
  const std::int64_t early_ns = kStart_ns - 2000;
  const std::int64_t within_ns = kStart_ns + kTick_ns + 3000;
  const std::int64_t late_ns = frames[2].wall_ns + 4000;
  const json trace = json::parse(written(
      frames, {Clock::kMonotonic, {slice(early_ns, within_ns), slice(within_ns, late_ns)}}));
  EXPECT_EQ(trace.at("baseTimeNanoseconds"), kStart_ns - 5'000'000);
  EXPECT_EQ(trace.at("otherData").at("clock"), "monotonic");
  std::vector<double> times;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    times.push_back(event.at("ts").get<double>());
    times.push_back(times.back() + event.at("dur").get<double>());
  }
  EXPECT_THAT(times, ElementsAre(4998, 105003, 105003, 205004));
}

TEST_F(TraceTest, NamesOfAnyBytesDoNotBreakTheFile) {
  const std::string instance = "dev=\"},\n\\ \xFF\xFE\x01";
  add_channel(channels_, "cpu_a", instance, "{\"}", model::Subsystem::kCpu);
  facts_.host = "h\"\xFF";
  facts_.command = {"\xFF", "\""};
  const std::string text =
      written({frame_of(0, {1})}, {Clock::kWall, {{"r\"\xFF", "s\n", kStart_ns, kStart_ns, "{}"}}});
  const json trace = json::parse(text);
  const std::string mend = "\xEF\xBF\xBD";
  std::vector<std::string> names;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("ph") == "M" && event.at("args").contains("name")) {
      names.push_back(event.at("args").at("name"));
    } else if (event.at("ph") != "M") {
      names.push_back(event.at("name"));
    }
  }
  EXPECT_THAT(names, ElementsAre("h\"" + mend, "cpu: cpu_a{dev=\"},\n\\ " + mend + mend + "\x01}",
                                 "r\"" + mend, "s\n"));
  EXPECT_THAT(text, HasSubstr(R"("args":{"{\"}":1.0})"));
}

TEST_F(TraceTest, RawSamplesAreScaled) {
  model::MetricDescriptor metric;
  metric.name = "cpu_a";
  metric.scale = 0.5;
  channels_.add_channel(channels_.add_metric(metric));
  Frame frame = frame_of(0, {0});
  frame.set_u64(ChannelId(0), 9);
  EXPECT_THAT(written({frame}), HasSubstr(R"("args":{"value":4.5})"));
}

TEST_F(TraceTest, HostsHaveNumbersOfTheirOwn) {
  add_channel(channels_, "cpu_a", "", "", model::Subsystem::kCpu);
  std::set<std::uint64_t> seen;
  for (const auto* host : {"node1", "node2", "node10", "node11"}) {
    facts_.host = host;
    const json trace = json::parse(written({frame_of(0, {1})}));
    const auto process = trace.at("traceEvents").at(0).at("pid").get<std::uint64_t>();
    EXPECT_GE(process, 1u << 22);  // Linux' own are below
    EXPECT_LT(process, 1u << 31);
    EXPECT_TRUE(seen.insert(process / 256).second) << host;
  }
}

TEST_F(TraceTest, FilesEndingInGzAreCompressed) {
  add_channel(channels_, "cpu_a", "", "", model::Subsystem::kCpu);
  const std::string plain = written({frame_of(0, {1})});
  EXPECT_EQ(written({frame_of(0, {1})}, {}, "x.json.gz").substr(0, 2), "\x1F\x8B");
  const auto text = read_text(dir_.path() / "x.json.gz", plain.size());
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, plain);
}

}  // namespace
}  // namespace reveal::exchange
