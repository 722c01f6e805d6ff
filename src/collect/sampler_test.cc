#include "collect/sampler.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <poll.h>
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

SourceSpec spec(std::string name, std::unique_ptr<Collector> collector,
                PollClass poll_class = PollClass::kFast, bool may_block = false) {
  SourceSpec out;
  out.name = std::move(name);
  out.collector = std::move(collector);
  out.poll_class = poll_class;
  out.may_block = may_block;
  out.metrics = 1;
  return out;
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
    Sampler::Sources sources;
    sources.push_back(spec("only", std::move(collector)));
    open(std::move(sources));
  }
  void open(Sampler::Sources sources) {
    auto opened = Sampler::open(options_, std::move(sources));
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
  int refused_ = 0;
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
  options_.interval = seconds(1);
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
  for (const auto& item : unseen) EXPECT_NE(item.source, "meminfo");
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
  options_.poll_plan.choices["softirqs"] = PollChoice::kFast;
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
    Sampler::Sources sources;
    sources.push_back(spec("refuses", std::make_unique<Refuses>(asked)));
    sources.push_back(spec("slow", std::make_unique<SlowOnce>()));
    sampler_ = Sampler::open(options_, std::move(sources)).value();
    for (int tick = 0; tick < ticks && asked < enough; ++tick) next();
    sampler_.reset();
    return asked;
  };
  EXPECT_EQ(asked_in(20, std::chrono::hours(1), 2), 1);
  EXPECT_EQ(asked_in(1000, milliseconds(50), 4), 4);
}

// Blocks in every reading from the second one on until it is let go.
class Blocks final : public Collector {
 public:
  explicit Blocks(int gate) : gate_(gate) {}
  base::Result<void> open(const procfs::HostRoot&, model::ChannelTable& channels) override {
    id_ = channels.add_channel(channels.add_metric(reading_count()));
    return {};
  }
  void collect(FrameWriter& writer) override {
    if (++readings_ >= 2) {
      pollfd gate{.fd = gate_, .events = POLLIN, .revents = 0};
      ::poll(&gate, 1, -1);
    }
    writer.set(id_, readings_);
  }

 private:
  int gate_;
  model::ChannelId id_;
  std::uint64_t readings_ = 0;
};

std::string texts_of(const model::Frame& frame, std::string_view subject) {
  std::string out;
  for (const auto& note : frame.notes) {
    if (note.subject == subject) out += note.text + "\n";
  }
  return out;
}

TEST_F(SamplerTest, ASourceThatBlocksDelaysNoTickAndIsMissingWhileItDoes) {
  const base::UniqueFd gate(::eventfd(0, EFD_CLOEXEC));
  Sampler::Sources sources;
  sources.push_back(spec("blocks", std::make_unique<Blocks>(gate.get()), PollClass::kFast, true));
  sources.push_back(spec("slow", std::make_unique<Refuses>(refused_)));
  options_.duration = nanoseconds(Source::kPatienceNs) + seconds(1);
  open(std::move(sources));
  const auto* frame = next();
  EXPECT_EQ(validity(*frame, "cpu_readings_total"), Validity::kFresh);
  EXPECT_EQ(value(*frame, "cpu_readings_total"), 1u);
  EXPECT_EQ(validity(*next(), "cpu_readings_total"), Validity::kStale);
  std::string said;
  std::uint64_t frames = 2;
  while (said.empty() && (frame = next()) != nullptr) {
    ++frames;
    said = texts_of(*frame, "blocks");
  }
  EXPECT_THAT(said, ::testing::HasSubstr("has not answered for 3 s"));
  EXPECT_EQ(validity(*frame, "cpu_readings_total"), Validity::kMissing);
  EXPECT_EQ(frames + sampler_->missed_ticks(), frame->sequence + 1);
  const std::uint64_t open_gate = 1;
  ASSERT_EQ(::write(gate.get(), &open_gate, sizeof(open_gate)), static_cast<ssize_t>(8));
  said.clear();
  while (said.empty() && (frame = next()) != nullptr) said = texts_of(*frame, "blocks");
  EXPECT_THAT(said, ::testing::HasSubstr("answers again"));
  EXPECT_EQ(validity(*frame, "cpu_readings_total"), Validity::kFresh);
}

TEST_F(SamplerTest, ASamplerWithABlockedSourceCanBeLeft) {
  const base::UniqueFd gate(::eventfd(0, EFD_CLOEXEC));
  Sampler::Sources sources;
  sources.push_back(spec("blocks", std::make_unique<Blocks>(gate.get()), PollClass::kFast, true));
  open(std::move(sources));
  next();
  next();
  sampler_.reset();
  const std::uint64_t open_gate = 1;  // lets the thread that was left to itself end
  ASSERT_EQ(::write(gate.get(), &open_gate, sizeof(open_gate)), static_cast<ssize_t>(8));
  sleep_for(milliseconds(50));
}

// Has something new to say in its first reading alone.
class LetsStand final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot&, model::ChannelTable& channels) override {
    id_ = channels.add_channel(channels.add_metric(reading_count()));
    return {};
  }
  void collect(FrameWriter& writer) override {
    if (readings_++ == 0) return writer.set(id_, readings_);
    writer.repeat(id_, Validity::kStale);
  }

 private:
  model::ChannelId id_;
  std::uint64_t readings_ = 0;
};

TEST_F(SamplerTest, AValueThatACollectorLetsStandIsStaleAndNoFailure) {
  open(std::make_unique<LetsStand>());
  EXPECT_EQ(validity(*next(), "cpu_readings_total"), Validity::kFresh);
  for (int tick = 0; tick < 3; ++tick) {
    const auto* frame = next();
    EXPECT_EQ(validity(*frame, "cpu_readings_total"), Validity::kStale);
    EXPECT_EQ(value(*frame, "cpu_readings_total"), 1u);
  }
  EXPECT_EQ(sampler_->sources().front().vitals().failures, 0u);
}

// Takes longer than its budget in every reading.
class Dear final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot&, model::ChannelTable& channels) override {
    id_ = channels.add_channel(channels.add_metric(reading_count()));
    return {};
  }
  void collect(FrameWriter& writer) override {
    sleep_for(milliseconds(1));
    writer.set(id_, ++readings_);
  }

 private:
  model::ChannelId id_;
  std::uint64_t readings_ = 0;
};

TEST_F(SamplerTest, ASourceThatOutrunsItsBudgetIsReadLessOftenAndSaysSo) {
  options_.poll_plan.medium = milliseconds(50);
  options_.poll_plan.slow = milliseconds(200);
  options_.poll_plan.budget_ratio = 0.03;  // 0.3 ms, 1.5 ms, 6 ms
  open(std::make_unique<Dear>());
  std::string said;
  const model::Frame* frame = nullptr;
  for (int tick = 0; tick < 1000 && said.empty(); ++tick) {
    frame = next();
    said = texts_of(*frame, "only");
  }
  EXPECT_THAT(said, ::testing::HasSubstr("it is read in the medium poll class from now on"));
  EXPECT_EQ(texts_of(*frame, "poll class of only"), "medium\n");
  EXPECT_EQ(validity(*frame, "cpu_readings_total"), Validity::kFresh);
  EXPECT_EQ(sampler_->sources().front().poll_class(), PollClass::kMedium);
  std::uint64_t fresh = 0;
  const std::uint64_t first = frame->sequence;
  for (int tick = 0; tick < 50; ++tick) {
    frame = next();
    EXPECT_NE(validity(*frame, "cpu_readings_total"), Validity::kMissing);
    if (validity(*frame, "cpu_readings_total") == Validity::kFresh) ++fresh;
  }
  // Once more at the old pace, then once in every five ticks, of which a busy machine loses some.
  EXPECT_LE(fresh, frame->sequence / 5 - first / 5 + 2);
  EXPECT_GE(fresh, 2);
}

TEST_F(SamplerTest, AQuickSourceThatOutrunsItsFifthOfTheBudgetIsReadEverySecond) {
  options_.poll_plan.quick = milliseconds(30);
  options_.poll_plan.medium = milliseconds(100);
  options_.poll_plan.budget_ratio = 0.1;  // 0.6 ms in the quick class, 10 ms in the medium one
  Sampler::Sources sources;
  sources.push_back(spec("only", std::make_unique<Dear>(), PollClass::kQuick));
  open(std::move(sources));
  std::string said;
  for (int tick = 0; tick < 1000 && said.empty(); ++tick) said = texts_of(*next(), "only");
  EXPECT_THAT(said, ::testing::HasSubstr("over its budget of 2.0 % of a core in the quick poll "
                                         "class; it is read in the medium poll class"));
  EXPECT_EQ(sampler_->sources().front().poll_class(), PollClass::kMedium);
}

TEST_F(SamplerTest, PollClassesOfTheConfigurationAreKept) {
  options_.poll_plan.choices["meminfo"] = PollChoice::kOff;
  write("stat", "cpu0 1 2 3 4 5 6 7 8 9 10\nctxt 5\n");
  open();
  const auto& unseen = sampler_->facts().unseen;
  const auto off = std::find_if(unseen.begin(), unseen.end(),
                                [](const auto& item) { return item.source == "meminfo"; });
  ASSERT_NE(off, unseen.end());
  EXPECT_THAT(off->reason, ::testing::HasSubstr("turned off"));
  EXPECT_FALSE(sampler_->channels().find_channel("memory_dirty_bytes"));
  options_.poll_plan.choices["memnifo"] = PollChoice::kSlow;
  const auto wrong = Sampler::open(options_);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, base::ErrorKind::kUsage);
  EXPECT_THAT(wrong.error().message(), ::testing::HasSubstr("memnifo"));
}

TEST_F(SamplerTest, TicksAreMultiplesOfTheIntervalInUtc) {
  options_.interval = milliseconds(50);
  open();
  std::int64_t nearest = options_.interval.count();
  for (int tick = 0; tick < 5; ++tick) {
    const auto past = next()->wall_ns % options_.interval.count();
    nearest = std::min(nearest, past);
  }
  // At least one of five began soon after its multiple, on however busy a machine.
  EXPECT_LT(nearest, 25'000'000);
}

TEST_F(SamplerTest, EverySourceIsDatedWhenItWasRead) {
  open();
  for (int tick = 0; tick < 3; ++tick) {
    const auto* frame = next();
    const auto dirty = sampler_->channels().find_channel("memory_dirty_bytes").value();
    const auto read_ns = frame->read_ns_of(sampler_->channels().source(dirty));
    EXPECT_GE(read_ns, frame->mono_ns - 10'000);
    EXPECT_EQ((read_ns - frame->mono_ns) % 10'000, 0);
    EXPECT_EQ(sampler_->channels().source_name(sampler_->channels().source(dirty)), "meminfo");
  }
}

TEST_F(SamplerTest, TheRecorderRecordsItself) {
  open();
  const auto* frame = next();
  EXPECT_EQ(validity(*frame, "cpu_recorder_lateness_seconds"), Validity::kFresh);
  EXPECT_GT(value(*frame, "cpu_recorder_resident_peak_bytes"), 0u);
  // More than a page, and less than a machine has: pages are not taken for bytes, nor KiB for
  // pages.
  EXPECT_GT(value(*frame, "cpu_recorder_resident_bytes"), std::uint64_t{1} << 20);
  EXPECT_LT(value(*frame, "cpu_recorder_resident_bytes"), std::uint64_t{1} << 33);
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
