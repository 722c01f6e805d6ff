// What an export keeps: its import gives the same frames bit for bit, and exporting them again the
// same bytes. Loops over the formats, so a new one is tested without being mentioned.
#include <string>

#include <gtest/gtest.h>

#include "exchange/format.h"
#include "exchange/metadata.h"
#include "exchange/testing/test_frames.h"

namespace reveal::exchange {
namespace {

using model::Frame;
using model::Validity;
using test_frames::Run;
using test_frames::TempDir;

struct Case {
  const Format* format;
  Layout layout;
};

std::vector<Case> lossless_cases() {
  std::vector<Case> out;
  for (const auto& format : formats()) {
    if (format.make_writer == nullptr || format.open_own == nullptr) continue;
    out.push_back({&format, Layout::kWide});
    if (format.has_layouts) out.push_back({&format, Layout::kLong});
  }
  return out;
}

std::string name_of(const Case& c) {
  return std::string(c.format->name) + (c.layout == Layout::kLong ? " long" : " wide");
}

void write_run(const Case& c, const std::filesystem::path& path, const Run& run) {
  auto writer = c.format->make_writer({path, c.layout, &run.channels});
  ASSERT_TRUE(writer) << writer.error().message();
  ASSERT_TRUE((*writer)->begin(run.run_facts));
  for (const auto& frame : run.frames) ASSERT_TRUE((*writer)->write(run.channels, frame));
  const auto done = (*writer)->finish();
  ASSERT_TRUE(done) << done.error().message();
}

// Reads a file whole; its run holds the source's own channels.
void read_run(const Case& c, const std::filesystem::path& path, Run& out) {
  auto source = c.format->open_own(path);
  ASSERT_TRUE(source) << source.error().message();
  ASSERT_NE(*source, nullptr);
  out.run_facts = (*source)->facts();
  for (;;) {
    const auto frame = (*source)->next();
    ASSERT_TRUE(frame) << frame.error().message();
    if (*frame == nullptr) break;
    out.frames.push_back(**frame);
  }
  const auto& channels = (*source)->channels();
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    const model::ChannelId id(i);
    out.channels.add_channel(out.channels.add_metric(channels.metric(id)),
                             channels.channel(id).instance);
  }
}

void expect_same_metric(const model::MetricDescriptor& got, const model::MetricDescriptor& want) {
  EXPECT_EQ(got.name, want.name);
  EXPECT_EQ(got.label, want.label);
  EXPECT_EQ(got.unit, want.unit);
  EXPECT_EQ(got.kind, want.kind);
  EXPECT_EQ(got.repr, want.repr);
  EXPECT_EQ(got.subsystem, want.subsystem);
  EXPECT_EQ(got.scope, want.scope);
  EXPECT_EQ(got.counter_bits, want.counter_bits);
  EXPECT_EQ(got.scale, want.scale);
  EXPECT_EQ(got.source, want.source);
  EXPECT_EQ(got.alias, want.alias);
  EXPECT_EQ(got.doc_url, want.doc_url);
  EXPECT_EQ(got.help, want.help);
  EXPECT_EQ(got.rank, want.rank);
  EXPECT_EQ(got.collector, want.collector);
}

void expect_same_channels(const model::ChannelTable& got, const model::ChannelTable& want) {
  ASSERT_EQ(got.channel_count(), want.channel_count());
  for (std::size_t i = 0; i < want.channel_count(); ++i) {
    const model::ChannelId id(i);
    EXPECT_EQ(got.name(id), want.name(id));
    expect_same_metric(got.metric(id), want.metric(id));
  }
}

void expect_same_facts(const model::RunFacts& got, const model::RunFacts& want) {
  EXPECT_EQ(got.host, want.host);
  EXPECT_EQ(got.kernel, want.kernel);
  EXPECT_EQ(got.machine, want.machine);
  EXPECT_EQ(got.boot_id, want.boot_id);
  EXPECT_EQ(got.reveal_version, want.reveal_version);
  EXPECT_EQ(got.command, want.command);
  EXPECT_EQ(got.interval_ns, want.interval_ns);
  EXPECT_EQ(got.start_wall_ns, want.start_wall_ns);
  EXPECT_EQ(got.cpus_online, want.cpus_online);
  EXPECT_EQ(got.unseen, want.unseen);
}

// When a source was read is kept if it gave a sample.
void expect_same_read_times(const model::ChannelTable& channels, const Frame& got,
                            const Frame& want) {
  for (std::size_t i = 0; i < want.bits.size(); ++i) {
    if (want.validity[i] == Validity::kMissing) continue;
    const auto source = channels.source(model::ChannelId(i));
    EXPECT_EQ(got.read_ns_of(source), want.read_ns_of(source));
  }
}

void expect_same_frame(const model::ChannelTable& channels, const Frame& got, Frame want) {
  expect_same_read_times(channels, got, want);
  want.resize(channels.channel_count());
  EXPECT_EQ(got.sequence, want.sequence);
  EXPECT_EQ(got.wall_ns, want.wall_ns);
  EXPECT_EQ(got.mono_ns, want.mono_ns);
  EXPECT_EQ(got.cost_ns, want.cost_ns);
  EXPECT_EQ(got.gap, want.gap);
  EXPECT_EQ(got.bits, want.bits);
  EXPECT_EQ(got.validity, want.validity);
  EXPECT_EQ(got.notes, want.notes);
}

void check_round_trip(const Case& c, const Run& run) {
  SCOPED_TRACE(name_of(c));
  const TempDir dir;
  const auto ending =
      std::string(c.format->extensions.substr(1, c.format->extensions.find(' ', 1) - 1));
  // Parquet needs DuckDB, which need not be there; the other formats have been checked by then.
  const auto probe = c.format->make_writer({dir.path() / "probe", c.layout, &run.channels});
  if (!probe && probe.error().kind == base::ErrorKind::kAbsent) {
    GTEST_SKIP() << probe.error().message();
  }
  const auto first = dir.path() / ("first" + ending);
  const auto second = dir.path() / ("second" + ending);
  write_run(c, first, run);
  if (testing::Test::HasFatalFailure()) return;
  Run back;
  read_run(c, first, back);
  if (testing::Test::HasFatalFailure()) return;
  expect_same_facts(back.run_facts, run.run_facts);
  expect_same_channels(back.channels, run.channels);
  ASSERT_EQ(back.frames.size(), run.frames.size());
  for (std::size_t i = 0; i < run.frames.size(); ++i) {
    expect_same_frame(run.channels, back.frames[i], run.frames[i]);
  }
  write_run(c, second, back);
  EXPECT_EQ(test_frames::read_file(second), test_frames::read_file(first));
  EXPECT_EQ(test_frames::read_file(metadata_path(second)),
            test_frames::read_file(metadata_path(first)));
}

TEST(RoundTrip, KeepsRandomRunsBitForBit) {
  ASSERT_GE(lossless_cases().size(), 5u);
  for (const auto& c : lossless_cases()) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      check_round_trip(c, test_frames::make_run(seed, 12, 5 * (1 + seed % 5)));
    }
  }
}

TEST(RoundTrip, KeepsChannelsThatComeLater) {
  for (const auto& c : lossless_cases())
    check_round_trip(c, test_frames::make_run(3, 10, 20, true));
}

TEST(RoundTrip, KeepsTicksWithoutASample) {
  for (const auto& c : lossless_cases()) {
    auto run = test_frames::make_run(4, 5, 10);
    for (std::size_t i = 0; i < 10; ++i) {
      run.frames[2].bits[i] = 0;
      run.frames[2].validity[i] = Validity::kMissing;
    }
    check_round_trip(c, run);
  }
}

TEST(RoundTrip, KeepsARunWithoutFrames) {
  for (const auto& c : lossless_cases()) check_round_trip(c, test_frames::make_run(5, 0, 10));
}

}  // namespace
}  // namespace reveal::exchange
