#include "collect/sampler.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "collect/registry.h"

namespace reveal::collect {
namespace {

namespace fs = std::filesystem;
using model::Validity;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr const char* kMeminfo = "MemFree: 100 kB\nDirty: 7 kB\n";
constexpr const char* kDisk = " 8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n";

void sleep_for(nanoseconds time) {
  const timespec request{.tv_sec = 0, .tv_nsec = static_cast<long>(time.count())};
  ::clock_nanosleep(CLOCK_MONOTONIC, 0, &request, nullptr);
}

// A host whose files the test writes, sampled at 10 ms.
class SamplerTest : public ::testing::Test {
 protected:
  SamplerTest() : path_(fs::path(::testing::TempDir()) / ("sampler_" + std::to_string(getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_ / "proc");
    fs::create_directories(path_ / "sys/block/sda");
    fs::create_directories(path_ / "sys/block/loop0");
    write("meminfo", kMeminfo);
    options_.root = {(path_ / "proc").string(), (path_ / "sys").string()};
    options_.interval = milliseconds(10);
  }
  ~SamplerTest() override { fs::remove_all(path_); }

  void write(const std::string& file, std::string_view text) {
    fs::create_directories((path_ / "proc" / file).parent_path());
    std::ofstream(path_ / "proc" / file, std::ios::trunc) << text;
  }
  void remove(const std::string& file) { fs::remove(path_ / "proc" / file); }

  void open() {
    auto opened = Sampler::open(options_);
    ASSERT_TRUE(opened) << opened.error().message();
    sampler_ = std::move(*opened);
  }
  void open(std::unique_ptr<Collector> collector) {
    Sampler::Collectors collectors;
    collectors.push_back(std::move(collector));
    auto opened = Sampler::open(options_, std::move(collectors));
    ASSERT_TRUE(opened) << opened.error().message();
    sampler_ = std::move(*opened);
  }
  const model::Frame* next() { return sampler_->next().value(); }

  // Returns what the frame says of the channel, missing for one that it does not have yet.
  Validity validity(const model::Frame& frame, std::string_view channel) {
    const auto id = sampler_->channels().find_channel(channel);
    if (!id || id->index() >= frame.validity.size()) return Validity::kMissing;
    return frame.validity[id->index()];
  }
  std::uint64_t value(const model::Frame& frame, std::string_view channel) {
    return frame.bits.at(sampler_->channels().find_channel(channel).value().index());
  }

  fs::path path_;
  SamplerOptions options_;
  std::unique_ptr<Sampler> sampler_;
};

TEST_F(SamplerTest, RefusesWhatItCannotKeep) {
  for (const nanoseconds interval :
       {nanoseconds(0), nanoseconds(milliseconds(9)), nanoseconds(-1), nanoseconds(seconds(61))}) {
    options_.interval = interval;
    const auto opened = Sampler::open(options_);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().kind, base::ErrorKind::kUsage);
  }
  options_.interval = milliseconds(10);
  options_.duration = nanoseconds(-1);
  EXPECT_FALSE(Sampler::open(options_));
}

TEST_F(SamplerTest, NothingToReadIsAnErrorThatNamesTheRoot) {
  remove("meminfo");
  const auto opened = Sampler::open(options_);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message(), ::testing::HasSubstr(options_.root.proc));
}

TEST_F(SamplerTest, DurationGivesOneFrameMoreThanIntervals) {
  options_.duration = milliseconds(50);
  open();
  std::uint64_t frames = 0;
  std::uint64_t last = 0;
  std::int64_t last_mono_ns = 0;
  while (const auto* frame = next()) {
    ++frames;
    EXPECT_GT(frame->mono_ns, last_mono_ns);
    EXPECT_GT(frame->wall_ns, 0);
    EXPECT_GT(frame->cost_ns, 0u);
    EXPECT_EQ(value(*frame, "memory_dirty_bytes"), 7u);
    last = frame->sequence;
    last_mono_ns = frame->mono_ns;
  }
  EXPECT_EQ(last, 5u);
  EXPECT_EQ(frames + sampler_->missed_ticks(), 6u);
  EXPECT_EQ(next(), nullptr);
}

TEST_F(SamplerTest, NoDurationLeftMeansOneFrame) {
  options_.duration = nanoseconds(0);
  open();
  ASSERT_NE(next(), nullptr);
  EXPECT_EQ(next(), nullptr);
}

TEST_F(SamplerTest, StopsWhenTheDescriptorBecomesReadable) {
  const base::UniqueFd stop(::eventfd(0, EFD_CLOEXEC));
  options_.stop_fd = stop.get();
  options_.interval = seconds(60);
  open();
  ASSERT_NE(next(), nullptr);
  const std::uint64_t one = 1;
  ASSERT_EQ(::write(stop.get(), &one, sizeof(one)), static_cast<ssize_t>(sizeof(one)));
  EXPECT_EQ(next(), nullptr);
}

TEST_F(SamplerTest, FactsTellTheRun) {
  write("sys/kernel/hostname", "fixture\n");
  write("sys/kernel/osrelease", "5.0.0\n");
  fs::create_directories(path_ / "sys/devices/system/cpu");
  std::ofstream(path_ / "sys/devices/system/cpu/online") << "0-2,5\n";
  options_.command = {"train", "--fast"};
  open();
  const auto& facts = sampler_->facts();
  EXPECT_EQ(facts.host, "fixture");
  EXPECT_EQ(facts.kernel, "5.0.0");
  EXPECT_EQ(facts.cpus_online, 4u);
  EXPECT_EQ(facts.interval_ns, 10'000'000);
  EXPECT_THAT(facts.command, ::testing::ElementsAre("train", "--fast"));
  EXPECT_EQ(facts.reveal_version, REVEAL_VERSION);
  EXPECT_GT(facts.start_wall_ns, 0);
}

TEST_F(SamplerTest, SourcesThatAreNotThereAreListedOnceWithTheReason) {
  open();  // nothing but meminfo
  const auto& unseen = sampler_->facts().unseen;
  EXPECT_EQ(unseen.size(), registry().size() - 1);
  const auto diskstats = std::find_if(unseen.begin(), unseen.end(),
                                      [](const auto& item) { return item.source == "diskstats"; });
  ASSERT_NE(diskstats, unseen.end());
  EXPECT_THAT(diskstats->reason, ::testing::HasSubstr(options_.root.proc + "/diskstats"));
  EXPECT_GT(diskstats->metrics, 10u);
}

TEST_F(SamplerTest, FileThatVanishesIsMissingUntilItComesBack) {
  open();
  EXPECT_EQ(validity(*next(), "memory_dirty_bytes"), Validity::kFresh);
  remove("meminfo");
  EXPECT_EQ(validity(*next(), "memory_dirty_bytes"), Validity::kMissing);
  write("meminfo", "");
  EXPECT_EQ(validity(*next(), "memory_dirty_bytes"), Validity::kMissing);
  write("meminfo", "Dirty: 8 kB\n");
  const auto* frame = next();
  EXPECT_EQ(validity(*frame, "memory_dirty_bytes"), Validity::kFresh);
  EXPECT_EQ(value(*frame, "memory_dirty_bytes"), 8u);
  EXPECT_EQ(validity(*frame, "memory_free_bytes"), Validity::kMissing);
}

TEST_F(SamplerTest, DiskThatAppearsGetsChannelsAndMovesNone) {
  const std::string unused = " 7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n";
  write("diskstats", unused);
  open();
  const auto before = next()->bits.size();
  write("diskstats", unused + kDisk);
  const auto* frame = next();
  EXPECT_EQ(value(*frame, "storage_read_sectors_total{dev=sda}"), 3u);
  EXPECT_EQ(frame->bits.size(), before + 11);
  EXPECT_EQ(value(*frame, "memory_dirty_bytes"), 7u);
  write("diskstats", std::string(" 7 0 loop0 1 0 8 0 0 0 0 0 0 0 0\n") + kDisk);
  EXPECT_EQ(value(*next(), "storage_read_sectors_total{dev=loop0}"), 8u);
  write("diskstats", unused);
  frame = next();
  EXPECT_EQ(validity(*frame, "storage_read_sectors_total{dev=sda}"), Validity::kMissing);
  EXPECT_EQ(validity(*frame, "storage_read_sectors_total{dev=loop0}"), Validity::kFresh);
}

TEST_F(SamplerTest, InterfaceGetsChannelsWithItsFirstPacket) {
  const std::string header = "x|y|z\n face |bytes packets|bytes packets\n";
  write("net/dev", header + " eth0: 0 0 0 0\n");
  open();
  next();
  EXPECT_FALSE(sampler_->channels().find_channel("network_sent_bytes_total{dev=eth0}"));
  write("net/dev", header + " eth0: 0 0 60 1\n");
  EXPECT_EQ(value(*next(), "network_sent_bytes_total{dev=eth0}"), 60u);
}

TEST_F(SamplerTest, CoreThatGoesOfflineTakesOnlyItsOwnChannels) {
  write("softirqs", "CPU0 CPU1 CPU2\n HI: 10 11 12\n");
  open();
  next();
  write("softirqs", "CPU0 CPU2\n HI: 20 22\n");
  const auto* frame = next();
  EXPECT_EQ(value(*frame, "cpu_softirq_high_total{cpu=2}"), 22u);
  EXPECT_EQ(validity(*frame, "cpu_softirq_high_total{cpu=1}"), Validity::kMissing);
  write("softirqs", "CPU0 CPU1 CPU2\n HI: 30 31 32\n");
  frame = next();
  EXPECT_EQ(value(*frame, "cpu_softirq_high_total{cpu=1}"), 31u);
  EXPECT_EQ(value(*frame, "cpu_softirq_high_total{cpu=2}"), 32u);
}

model::MetricDescriptor reading_count() {
  model::MetricDescriptor out;
  out.name = "cpu_readings_total";
  out.unit = "readings";
  out.kind = model::Kind::kCounter;
  return out;
}

// Takes five intervals over its second reading.
class SlowOnce final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot&, model::ChannelTable& channels) override {
    id_ = channels.add_channel(channels.add_metric(reading_count()));
    return {};
  }
  void collect(FrameWriter& writer) override {
    if (++readings_ == 2) sleep_for(milliseconds(55));
    writer.set(id_, readings_);
  }

 private:
  model::ChannelId id_;
  std::uint64_t readings_ = 0;
};

TEST_F(SamplerTest, LostIntervalsAreSkippedAndCounted) {
  open(std::make_unique<SlowOnce>());
  EXPECT_EQ(next()->gap, model::kNoGap);
  const auto before = next()->sequence;
  const auto missed_before = sampler_->missed_ticks();
  const auto* frame = next();
  EXPECT_GE(frame->sequence, before + 5);
  EXPECT_EQ(frame->gap, model::kGapLate);
  EXPECT_EQ(sampler_->missed_ticks() - missed_before, frame->sequence - before - 1);
}

TEST_F(SamplerTest, TicksLostAtTheEndAreCountedToo) {
  options_.duration = milliseconds(30);
  open(std::make_unique<SlowOnce>());
  std::uint64_t frames = 0;
  while (next() != nullptr) ++frames;
  EXPECT_EQ(frames + sampler_->missed_ticks(), 4u);
}

TEST_F(SamplerTest, SourceThatComesLaterIsPickedUp) {
  options_.retry = milliseconds(50);
  open();
  next();
  EXPECT_FALSE(sampler_->channels().find_channel("storage_reads_total{dev=sda}"));
  write("diskstats", kDisk);
  const model::Frame* frame = next();
  for (int tick = 0;
       tick < 1000 && validity(*frame, "storage_reads_total{dev=sda}") != Validity::kFresh;
       ++tick) {
    frame = next();
  }
  EXPECT_EQ(validity(*frame, "storage_reads_total{dev=sda}"), Validity::kFresh);
  EXPECT_EQ(value(*frame, "storage_reads_total{dev=sda}"), 1u);
  EXPECT_EQ(value(*frame, "memory_dirty_bytes"), 7u);
}

// Never opens; tells how often it was asked to.
class Refuses final : public Collector {
 public:
  explicit Refuses(int& asked) : asked_(asked) {}
  base::Result<void> open(const procfs::HostRoot&, model::ChannelTable&) override {
    ++asked_;
    return base::fail(base::ErrorKind::kAbsent, "never here");
  }
  void collect(FrameWriter&) override { ADD_FAILURE() << "was never opened"; }

 private:
  int& asked_;
};

TEST_F(SamplerTest, SourceThatIsNotThereIsTriedAgainButNotOnEveryTick) {
  const auto asked_in = [this](int ticks, nanoseconds retry, int enough) {
    int asked = 0;
    options_.retry = retry;
    Sampler::Collectors collectors;
    collectors.push_back(std::make_unique<Refuses>(asked));
    collectors.push_back(std::make_unique<SlowOnce>());
    sampler_ = Sampler::open(options_, std::move(collectors)).value();
    for (int tick = 0; tick < ticks && asked < enough; ++tick) next();
    sampler_.reset();
    return asked;
  };
  EXPECT_EQ(asked_in(20, std::chrono::hours(1), 2), 1);
  EXPECT_EQ(asked_in(1000, milliseconds(50), 4), 4);
}

TEST(SamplerOnThisHost, ReadsTheRunningKernel) {
  auto opened = Sampler::open({.interval = milliseconds(10), .duration = milliseconds(30)});
  ASSERT_TRUE(opened) << opened.error().message();
  auto& sampler = **opened;
  const auto switches = sampler.channels().find_channel("cpu_context_switches_total");
  ASSERT_TRUE(switches);
  std::uint64_t last = 0;
  while (const auto* frame = sampler.next().value()) {
    EXPECT_EQ(frame->validity[switches->index()], Validity::kFresh);
    EXPECT_GE(frame->bits[switches->index()], last);
    last = frame->bits[switches->index()];
  }
  EXPECT_GT(last, 0u);
  EXPECT_GT(sampler.facts().cpus_online, 0u);
  EXPECT_FALSE(sampler.facts().host.empty());
}

}  // namespace
}  // namespace reveal::collect
