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
  write_file(dir.path() / "a.csv", "time,x\n10,1\n11,2\n12,3\n");
  write_file(dir.path() / "b.json",
             R"([{"metric":{"__name__":"y"},"values":[[10.2,"5"],[11.2,"6"],[12.2,"7"]]}])");
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
  EXPECT_EQ(import->remarks()[0], "notes.txt is left out: its name says no format");
}

TEST(Import, SaysWhatItCannotRead) {
  const TempDir dir;
  EXPECT_NE(error_of(dir.path()).find("has no file that can be read"), std::string::npos);
  EXPECT_NE(error_of(dir.path() / "none.csv").find("cannot open: No such file"), std::string::npos);
  const auto odd = write_file(dir.path() / "x.dat", "time,x\n1,2\n");
  EXPECT_NE(error_of(odd).find("choose --format from csv, csv.gz, jsonl"), std::string::npos);
  EXPECT_NE(error_of(odd, find_format("csv")).find("two different times"), std::string::npos);
  const auto lines = write_file(dir.path() / "x.jsonl", "{\"a\":1}\n");
  EXPECT_NE(error_of(lines).find("is not a jsonl that reveal export wrote"), std::string::npos);
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
