#include "exchange/import.h"

#include <iterator>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "exchange/testing/test_frames.h"

namespace reveal::exchange {
namespace {

namespace fs = std::filesystem;
using test_frames::TempDir;
using test_frames::write_file;

std::string error_of(const fs::path& path, const Format* format = nullptr) {
  const auto import = Import::open(path, format, {});
  return import ? "none" : import.error().message();
}

TEST(Import, JoinsTheFilesOfADirectory) {
  const TempDir dir;
  write_file(dir.path() / "a.csv", "time,mem_x\n10,1\n11,2\n12,3\n");
  write_file(dir.path() / "b.json",
             R"([{"metric":{"__name__":"mem_y"},"values":[[10.2,"5"],[11.2,"6"],[12.2,"7"]]}])");
  write_file(dir.path() / "notes.txt", "hello");
  auto import = Import::open(dir.path(), nullptr, {});
  ASSERT_TRUE(import) << import.error().message();
  std::size_t frames = 0;
  for (;; ++frames) {
    const auto frame = import->frames().next();
    ASSERT_TRUE(frame);
    if (*frame == nullptr) break;
    EXPECT_EQ((*frame)->bits, (std::vector<std::uint64_t>{1 + frames, 5 + frames}));
  }
  EXPECT_EQ(frames, 3u);
  ASSERT_EQ(import->remarks().size(), 1u);
  EXPECT_EQ(import->remarks()[0], "notes.txt is left out: it is not of a program that is known");
}

// Two programs that call their column the same; a log that was rotated.
TEST(Import, TheSameColumnOfTwoFiles) {
  const TempDir both;
  write_file(both.path() / "cpu.csv", "time,value\n10,1\n11,2\n12,3\n");
  write_file(both.path() / "network.csv", "time,value\n10,5\n11,6\n12,7\n");
  auto import = Import::open(both.path(), nullptr, {});
  ASSERT_TRUE(import) << import.error().message();
  const auto& channels = import->frames().channels();
  ASSERT_EQ(channels.channel_count(), 2u);
  EXPECT_EQ(channels.name(model::ChannelId(0)), "value{file=cpu}");
  EXPECT_EQ(channels.name(model::ChannelId(1)), "value{file=network}");
  const TempDir rotated;
  write_file(rotated.path() / "log.1.csv", "time,value\n10,1\n11,2\n12,3\n");
  write_file(rotated.path() / "log.2.csv", "time,value\n13,5\n14,6\n15,7\n");
  auto one = Import::open(rotated.path(), nullptr, {});
  ASSERT_TRUE(one) << one.error().message();
  ASSERT_EQ(one->frames().channels().channel_count(), 1u);
  EXPECT_EQ(one->frames().channels().name(model::ChannelId(0)), "value");
}

TEST(Import, AFailureSaysWhatWasLeftOut) {
  const TempDir dir;
  write_file(dir.path() / "x.csv", "time,a\n10,hello\n11,world\n");
  EXPECT_NE(error_of(dir.path() / "x.csv").find("\"hello\" is not a number"), std::string::npos);
}

// 20 rows of 10 s, every 60 s: the last of each tick counts, and that is told.
TEST(Import, ACoarserIntervalIsKept) {
  const TempDir dir;
  std::string text = "time,a\n";
  for (int i = 0; i < 20; ++i) {
    text += std::to_string(1700000000 + 10 * i) + "," + std::to_string(i % 7) + "\n";
  }
  const auto path = write_file(dir.path() / "x.csv", text);
  ImportOptions options;
  options.interval_ns = 60'000'000'000;
  auto import = Import::open(path, nullptr, options);
  ASSERT_TRUE(import) << import.error().message();
  std::vector<std::uint64_t> ticks;
  for (;;) {
    const auto frame = import->frames().next();
    ASSERT_TRUE(frame);
    if (*frame == nullptr) break;
    ticks.push_back((*frame)->sequence);
  }
  EXPECT_EQ(ticks, (std::vector<std::uint64_t>{0, 1, 2, 3}));
  ASSERT_FALSE(import->remarks().empty());
  EXPECT_NE(import->remarks().back().find("share a tick"), std::string::npos);
}

TEST(Import, PressureOfNodeExporterHasRevealsName) {
  const TempDir dir;
  const auto path =
      write_file(dir.path() / "x.csv",
                 "time,node_pressure_cpu_waiting_seconds_total,kernel.all.pressure.io.some.total\n"
                 "10,1.5,100\n11,1.75,200\n12,2.5,300\n");
  auto import = Import::open(path, nullptr, {});
  ASSERT_TRUE(import) << import.error().message();
  const auto& channels = import->frames().channels();
  const auto cpu = channels.find_channel("cpu_pressure_some_seconds_total");
  const auto io = channels.find_channel("storage_io_pressure_some_seconds_total");
  ASSERT_TRUE(cpu && io);
  EXPECT_EQ(channels.metric(*cpu).kind, model::Kind::kCounter);
  EXPECT_EQ(channels.metric(*cpu).unit, "seconds");
  EXPECT_EQ(channels.metric(*io).scale, 1e-6);
  EXPECT_EQ(channels.metric(*io).subsystem, model::Subsystem::kStorage);
}

// By which the analysis knows how busy a disk is, and does not say that none is.
TEST(Import, BusyTimeOfNodeExportersDisksHasRevealsName) {
  const TempDir dir;
  const auto path = write_file(dir.path() / "x.json", R"([
      {"metric":{"__name__":"node_disk_io_time_seconds_total","device":"sda"},
       "values":[[10,"1.5"],[11,"1.75"],[12,"2.5"]]},
      {"metric":{"__name__":"node_disk_io_time_weighted_seconds_total","device":"sdb"},
       "values":[[10,"1"],[11,"5"],[12,"9"]]}])");
  auto import = Import::open(path, nullptr, {});
  ASSERT_TRUE(import) << import.error().message();
  const auto& channels = import->frames().channels();
  const auto busy = channels.find_channel("storage_busy_seconds_total{dev=sda}");
  const auto queue = channels.find_channel("storage_queue_seconds_total{dev=sdb}");
  ASSERT_TRUE(busy && queue);
  EXPECT_EQ(channels.metric(*busy).unit, "seconds");
  EXPECT_EQ(channels.metric(*busy).scope, model::Scope::kDisk);
  EXPECT_EQ(channels.metric(*queue).kind, model::Kind::kCounter);
  EXPECT_EQ(channels.metric(*queue).subsystem, model::Subsystem::kStorage);
}

// By which a limit on the I/O of a pod is known, and who reads and writes.
TEST(Import, ControlGroupsOfCadvisorHaveRevealsNames) {
  const TempDir dir;
  const auto path = write_file(dir.path() / "x.json", R"([
      {"metric":{"__name__":"container_pressure_io_waiting_seconds_total","container":"train",
                 "id":"/kubepods.slice/pod1","kubernetes_io_hostname":"node7","pod":"a"},
       "values":[[10,"1.5"],[11,"1.75"],[12,"2.5"]]},
      {"metric":{"__name__":"container_fs_writes_bytes_total","device":"/dev/sda",
                 "id":"/kubepods.slice/pod1","pod":"a"},
       "values":[[10,"4096"],[11,"8192"],[12,"8192"]]}])");
  auto import = Import::open(path, nullptr, {});
  ASSERT_TRUE(import) << import.error().message();
  const auto& channels = import->frames().channels();
  const auto wait =
      channels.find_channel("storage_cgroup_pressure_some_seconds_total{cg=/kubepods.slice/pod1}");
  const auto written =
      channels.find_channel("storage_cgroup_written_bytes_total{cg=/kubepods.slice/pod1,dev=sda}");
  ASSERT_TRUE(wait && written);
  EXPECT_EQ(channels.metric(*wait).unit, "seconds");
  EXPECT_EQ(channels.metric(*wait).scope, model::Scope::kCgroup);
  EXPECT_EQ(channels.metric(*written).unit, "bytes");
  EXPECT_EQ(channels.metric(*written).kind, model::Kind::kCounter);
  EXPECT_EQ(channels.metric(*written).subsystem, model::Subsystem::kStorage);
}

TEST(Import, SaysWhatItCannotRead) {
  const TempDir dir;
  EXPECT_NE(error_of(dir.path()).find("has no file that can be read"), std::string::npos);
  EXPECT_NE(error_of(dir.path() / "none.csv").find("cannot open: No such file"), std::string::npos);
  const auto odd = write_file(dir.path() / "x.dat", "time,x\n1,2\n");
  EXPECT_NE(error_of(odd).find("choose --format from csv, csv.gz, jsonl"), std::string::npos);
  EXPECT_NE(error_of(odd, find_format("csv")).find("two different times"), std::string::npos);
  const auto lines = write_file(dir.path() / "x.jsonl", "{\"a\":1}\n");
  EXPECT_NE(error_of(lines).find("is neither of reveal export nor a series of VictoriaMetrics"),
            std::string::npos);
  const auto damaged = write_file(dir.path() / "x.csv.gz", "\x1f\x8b\x08 no gzip at all");
  EXPECT_NE(error_of(damaged).find("x.csv.gz: cannot be decompressed"), std::string::npos);
}

// A CSV file of our own, and each way in which it and its metadata may disagree.
TEST(Import, SaysWhereAnOwnFileIsDamaged) {
  const TempDir dir;
  const auto run = test_frames::make_run(1, 3, 5);
  const auto path = dir.path() / "x.csv";
  auto writer = find_format("csv")->make_writer({path, Layout::kWide, &run.channels});
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->begin(run.run_facts));
  for (const auto& frame : run.frames) ASSERT_TRUE((*writer)->write(run.channels, frame));
  ASSERT_TRUE((*writer)->finish());
  const std::string text = test_frames::read_file(path);
  const auto first_error = [&](const std::string& changed) {
    write_file(path, changed);
    auto import = Import::open(path, nullptr, {});
    if (!import) return import.error().message();
    for (;;) {
      const auto frame = import->frames().next();
      if (!frame) return frame.error().message();
      if (*frame == nullptr) return std::string("none");
    }
  };
  EXPECT_EQ(first_error(text), "none");
  const auto line = text.find('\n') + 1;
  EXPECT_NE(first_error("x" + text).find("line 1: its columns are not those"), std::string::npos);
  EXPECT_NE(first_error(text.substr(0, line) + "1,2\n").find("line 2: has 2 cells instead of 12"),
            std::string::npos);
  EXPECT_NE(first_error(text.substr(0, line) + "1,2,0,0,0,,,a,,,,\n").find("\"a\" is no value"),
            std::string::npos);
  EXPECT_NE(first_error(text.substr(0, line) + "1,2,0,0,0,9s,,,,,,\n").find("column validity"),
            std::string::npos);
  const std::string twice = "1,2,0,0,0,,,,,,,\n";
  EXPECT_NE(first_error(text.substr(0, line) + twice + twice).find("tick 0 does not come after"),
            std::string::npos);
  write_file(path.string() + ".meta.json", "{\"schema\":\"reveal.samples\",\"version\":2}");
  EXPECT_NE(error_of(path).find("metadata of version 2, this Reveal reads version 1"),
            std::string::npos);
  write_file(path.string() + ".meta.json", "{");
  EXPECT_NE(error_of(path).find("is not JSON"), std::string::npos);
}

TEST(Import, DoesNotJoinWholeRecordings) {
  const TempDir dir;
  const auto run = test_frames::make_run(1, 3, 5);
  for (const char* name : {"x.jsonl", "y.jsonl"}) {
    auto writer =
        find_format("jsonl")->make_writer({dir.path() / name, Layout::kWide, &run.channels});
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->begin(run.run_facts));
    ASSERT_TRUE((*writer)->finish());
  }
  EXPECT_NE(error_of(dir.path()).find("is a whole recording, which cannot be combined with others"),
            std::string::npos);
}

// A pipe or device is written to, not replaced.
TEST(Export, WritesThroughWhatIsNoFile) {
  const TempDir dir;
  const auto pipe = dir.path() / "x.csv";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const base::UniqueFd reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  const auto run = test_frames::make_run(1, 1, 5);
  auto writer = find_format("csv")->make_writer({pipe, Layout::kWide, &run.channels});
  ASSERT_TRUE(writer) << writer.error().message();
  ASSERT_TRUE((*writer)->begin(run.run_facts));
  ASSERT_TRUE((*writer)->finish());
  char first[8] = {};
  EXPECT_EQ(::read(reader.get(), first, 7), 7);
  EXPECT_STREQ(first, "time_ns");
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), {}), 1);
}

TEST(Export, SaysThatTheDiskIsFull) {
  const auto run = test_frames::make_run(1, 1, 5);
  auto writer = find_format("csv")->make_writer({"/dev/full", Layout::kWide, &run.channels});
  ASSERT_TRUE(writer) << writer.error().message();
  ASSERT_TRUE((*writer)->begin(run.run_facts));
  const auto done = (*writer)->finish();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, base::ErrorKind::kNoSpace);
}

// What was not finished does not appear.
TEST(Export, LeavesNoHalfFile) {
  const TempDir dir;
  const auto run = test_frames::make_run(1, 3, 5);
  {
    auto writer =
        find_format("csv")->make_writer({dir.path() / "x.csv", Layout::kWide, &run.channels});
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->begin(run.run_facts));
  }
  EXPECT_TRUE(fs::is_empty(dir.path()));
}

}  // namespace
}  // namespace reveal::exchange
