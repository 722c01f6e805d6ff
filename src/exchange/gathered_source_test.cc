#include "exchange/gathered_source.h"

#include <gtest/gtest.h>

#include "text/parse_number.h"

namespace reveal::exchange {
namespace {

using model::Validity;

constexpr std::int64_t kStart = 1'700'000'000'000'000'000;
constexpr std::int64_t kMs = 1'000'000;

text::Number number(std::uint64_t value) {
  return {true, value, static_cast<double>(value)};
}

struct Sample {
  std::int64_t ms;
  std::uint64_t value;
};

void add(Gathering& out, std::string_view name, std::vector<Sample> samples,
         std::string_view host = "") {
  const auto id = out.series(channel_of_name(name), name, host);
  for (const auto& [ms, value] : samples) out.add(id, kStart + ms * kMs, number(value));
}

struct Tick {
  std::uint64_t sequence;
  std::vector<std::int64_t> values;  // -1: missing
  friend bool operator==(const Tick&, const Tick&) = default;
};

std::vector<Tick> ticks_of(GatheredSource& source) {
  std::vector<Tick> out;
  for (;;) {
    const auto frame = source.next();
    EXPECT_TRUE(frame);
    if (!frame || *frame == nullptr) return out;
    Tick& tick = out.emplace_back();
    tick.sequence = (*frame)->sequence;
    for (std::size_t i = 0; i < (*frame)->bits.size(); ++i) {
      const bool there = (*frame)->validity[i] == Validity::kFresh;
      tick.values.push_back(there ? static_cast<std::int64_t>((*frame)->bits[i]) : -1);
    }
  }
}

TEST(GatheredSource, JoinsWhatIsNearATick) {
  Gathering all;
  add(all, "a", {{0, 1}, {1010, 2}, {1990, 3}, {5000, 4}});
  add(all, "b", {{400, 10}, {1400, 20}, {2300, 30}});
  auto source = GatheredSource::make(std::move(all), {});
  ASSERT_TRUE(source) << source.error().message();
  EXPECT_EQ(source->facts().interval_ns, 1000 * kMs);
  EXPECT_EQ(ticks_of(*source),
            (std::vector<Tick>{{0, {1, 10}}, {1, {2, 20}}, {2, {3, 30}}, {5, {4, -1}}}));
}

TEST(GatheredSource, SortsTimesAndTellsOfDuplicates) {
  Gathering all;
  add(all, "a", {{2000, 3}, {0, 1}, {1000, 2}, {1000, 7}});
  auto source = GatheredSource::make(std::move(all), {});
  ASSERT_TRUE(source) << source.error().message();
  EXPECT_EQ(ticks_of(*source), (std::vector<Tick>{{0, {1}}, {1, {7}}, {2, {3}}}));
  ASSERT_EQ(source->remarks().size(), 2u);
  EXPECT_EQ(source->remarks()[1].substr(0, 24), "1 samples share a tick w");
}

TEST(GatheredSource, NoRowOfATableIsLostBecauseItCameEarly) {
  Gathering all;
  add(all, "cpu_a", {{0, 1}, {100, 2}, {151, 3}, {240, 4}, {400, 5}});
  add(all, "cpu_b", {{0, 1}, {151, 7}, {400, 9}});
  auto source = GatheredSource::make(std::move(all), {});
  ASSERT_TRUE(source) << source.error().message();
  EXPECT_EQ(source->facts().interval_ns, 100 * kMs);
  EXPECT_EQ(ticks_of(*source),
            (std::vector<Tick>{{0, {1, 1}}, {1, {2, -1}}, {2, {3, 7}}, {3, {4, -1}}, {4, {5, 9}}}));
  EXPECT_TRUE(source->remarks().empty());
}

TEST(GatheredSource, GapsAreMarked) {
  Gathering all;
  add(all, "a", {{0, 1}, {100, 2}, {200, 3}, {900, 4}});
  auto source = GatheredSource::make(std::move(all), {});
  ASSERT_TRUE(source);
  for (const int gap : {0, 0, 0, 1}) EXPECT_EQ((*source->next())->gap, gap);
}

TEST(GatheredSource, MonotonicTimeFollowsTheSamples) {
  Gathering all;
  add(all, "a", {{0, 1}, {101, 2}, {200, 3}});
  auto source = GatheredSource::make(std::move(all), {});
  ASSERT_TRUE(source);
  for (const std::int64_t ms : {0, 101, 200}) {
    const auto* frame = *source->next();
    EXPECT_EQ(frame->wall_ns, kStart + ms * kMs);
    EXPECT_EQ(frame->mono_ns, (ms + 100) * kMs);
  }
}

TEST(GatheredSource, TakesOneHost) {
  const auto two_hosts = [] {
    Gathering all;
    add(all, "a", {{0, 1}, {1000, 2}}, "h1");
    add(all, "a", {{0, 8}, {1000, 9}}, "h2");
    return all;
  };
  const auto unsaid = GatheredSource::make(two_hosts(), {});
  ASSERT_FALSE(unsaid);
  EXPECT_EQ(
      unsaid.error().message(),
      "the samples are of 2 hosts (h1, h2) (a recording is of one: choose it with --host NAME)");
  ImportOptions options;
  options.host = "h2";
  auto said = GatheredSource::make(two_hosts(), options);
  ASSERT_TRUE(said);
  EXPECT_EQ(said->facts().host, "h2");
  EXPECT_EQ(ticks_of(*said), (std::vector<Tick>{{0, {8}}, {1, {9}}}));
}

TEST(GatheredSource, DescribesMetrics) {
  Gathering all;
  add(all, "net_bytes_total{dev=eth0}", {{0, 1}, {1000, 2}});
  add(all, "Used [MiB]", {{0, 1}, {1000, 2}});
  ImportOptions options;
  options.mapping = *parse_mapping(
      "[[channel]]\nmatch=\"Used*\"\nsubsystem=\"gpu\"\nmetric=\"gpu_used_bytes\"\n", "m");
  auto source = GatheredSource::make(std::move(all), options);
  ASSERT_TRUE(source);
  const auto& net = source->channels().metric(model::MetricId(0));
  EXPECT_EQ(net.kind, model::Kind::kCounter);
  EXPECT_EQ(net.subsystem, model::Subsystem::kNetwork);
  EXPECT_EQ(net.scope, model::Scope::kNic);
  EXPECT_EQ(net.unit, "bytes");
  const auto& used = source->channels().metric(model::MetricId(1));
  EXPECT_EQ(used.name, "gpu_used_bytes");
  EXPECT_EQ(used.scale, 1048576);
  EXPECT_EQ(used.subsystem, model::Subsystem::kGpu);
}

TEST(GatheredSource, SaysWhichNamesTellNoSubsystem) {
  Gathering all;
  for (const char* name : {"loss", "memory_used_bytes", "steps", "tokens", "mfu", "norm", "lr"}) {
    add(all, name, {{0, 1}, {1000, 2}});
  }
  ImportOptions options;
  options.mapping = *parse_mapping("[[channel]]\nmatch=\"steps\"\nsubsystem=\"gpu\"\n", "m");
  const auto source = GatheredSource::make(std::move(all), options);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->channels().metric(model::MetricId(0)).subsystem, model::Subsystem::kUnknown);
  ASSERT_EQ(source->remarks().size(), 1u);
  EXPECT_EQ(
      source->remarks()[0],
      "the names of 5 of the 7 metrics do not tell a subsystem (loss, tokens, mfu, norm, lr); "
      "--map can state it");
}

TEST(GatheredSource, RefusesTwoSeriesOfOneChannel) {
  Gathering all;
  add(all, "a", {{0, 1}, {1000, 2}});
  add(all, "b", {{0, 1}, {1000, 2}});
  ImportOptions options;
  options.mapping = *parse_mapping("[[channel]]\nmatch=\"b\"\nmetric=\"a\"\n", "m");
  const auto source = GatheredSource::make(std::move(all), options);
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().what, "b is the second column for the channel a");
}

TEST(GatheredSource, NeedsTwoTimes) {
  EXPECT_FALSE(GatheredSource::make({}, {}));
  Gathering all;
  add(all, "a", {{0, 1}});
  add(all, "b", {{0, 1}});
  const auto source = GatheredSource::make(std::move(all), {});
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().kind, base::ErrorKind::kTooLittle);
}

std::int64_t interval_of(std::vector<std::vector<std::int64_t>> times_ms) {
  std::vector<Series> all;
  for (const auto& times : times_ms) {
    Series& one = all.emplace_back();
    for (const auto ms : times) one.times_ns.push_back(ms * kMs);
  }
  return guess_interval(all);
}

TEST(GuessInterval, IsARoundMedian) {
  EXPECT_EQ(interval_of({{0, 998, 2001, 3004, 9000}}), 1000 * kMs);
  EXPECT_EQ(interval_of({{0, 15000, 30000}}), 15000 * kMs);
  EXPECT_EQ(interval_of({{0, 100, 200}, {0, 15000}}), 100 * kMs);
  EXPECT_EQ(interval_of({{0, 7000, 14000}}), 7000 * kMs);
  EXPECT_EQ(interval_of({{5}, {7}}), 0);
  EXPECT_EQ(interval_of({{3, 3, 3}}), 0);
}

}  // namespace
}  // namespace reveal::exchange
