#include "store/segment_writer.h"

#include <csignal>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/testing/test_run.h"

namespace reveal::store {
namespace {

using model::Frame;
using testing::HasSubstr;
using testing_run::expect_same;
using testing_run::read_all;
using testing_run::Recording;
using testing_run::TempDir;

std::string error_of(const base::Result<SegmentWriter>& writer) {
  return writer ? "" : writer.error().message();
}

TEST(SegmentWriter, MakesTheDirectoryAndItsParents) {
  const TempDir dir;
  const auto deep = dir.path() / "a" / "b";
  testing_run::record(deep, testing_run::frames(1, 3, 2));
  EXPECT_EQ(read_all(deep).frames.size(), 3u);
}

TEST(SegmentWriter, ASecondRecorderIsRefusedWhileTheFirstLives) {
  const TempDir dir;
  {
    const auto first = SegmentWriter::create(dir.path());
    ASSERT_TRUE(first) << first.error().message();
    EXPECT_THAT(error_of(SegmentWriter::create(dir.path())), HasSubstr("another recorder"));
  }
  EXPECT_EQ(error_of(SegmentWriter::create(dir.path())), "");
}

TEST(SegmentWriter, ADirectoryWithAnythingInItIsRefused) {
  const TempDir recorded;
  testing_run::record(recorded.path(), {});
  EXPECT_THAT(error_of(SegmentWriter::create(recorded.path())),
              HasSubstr("already holds a recording (choose another directory)"));
  const TempDir foreign;
  testing_run::write_file(foreign.path() / "thesis.tex", "x");
  EXPECT_THAT(error_of(SegmentWriter::create(foreign.path())), HasSubstr("thesis.tex"));
  EXPECT_EQ(testing_run::read_file(foreign.path() / "thesis.tex"), "x");
}

TEST(SegmentWriter, APathThatCannotBeADirectoryIsOneClearLine) {
  const TempDir dir;
  testing_run::write_file(dir.path() / "file", "x");
  for (const auto& path : {dir.path() / "file", dir.path() / "file" / "below"}) {
    const std::string error = error_of(SegmentWriter::create(path));
    EXPECT_THAT(error, HasSubstr("Not a directory"));
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

TEST(SegmentWriter, ARunWithoutFramesIsARecording) {
  const TempDir dir;
  testing_run::record(dir.path(), {});
  const Recording got = read_all(dir.path());
  EXPECT_EQ(got.error, "");
  EXPECT_TRUE(got.clean && got.frames.empty() && got.damage.empty());
}

TEST(SegmentWriter, CountsTheBytesOfAllSegments) {
  const TempDir dir;
  WriterOptions options = testing_run::blocks_of(5);
  options.segment_bytes = 2000;
  auto writer = SegmentWriter::create(dir.path(), options);
  ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
  model::ChannelTable table;
  testing_run::grow(table, 8);
  for (const Frame& frame : testing_run::frames(2, 50, 8)) {
    ASSERT_TRUE(writer->write(table, frame));
  }
  ASSERT_TRUE(writer->finish());
  EXPECT_EQ(writer->bytes_on_disk(), testing_run::bytes_in(dir.path()));
}

TEST(SegmentWriter, DoesNotBeginBelowTheSpaceKeptFree) {
  const TempDir dir;
  WriterOptions options;
  options.min_free_bytes = std::uint64_t{1} << 62;
  auto writer = SegmentWriter::create(dir.path(), options);
  ASSERT_TRUE(writer);
  const auto begun = writer->begin(testing_run::facts());
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().kind, base::ErrorKind::kNoSpace);
  EXPECT_THAT(begun.error().message(), HasSubstr("stay free"));
}

// Records frames onto a disk that refuses after a third of them and works again after two thirds,
// and expects that nothing but the refused frames is missing, and that their absence is marked.
void record_through_a_full_disk(const testing_run::fs::path& dir, std::size_t count,
                                const std::function<void()>& fill,
                                const std::function<void()>& free) {
  const auto all = testing_run::frames(3, count, 50);
  model::ChannelTable table;
  testing_run::grow(table, 50);
  auto writer = SegmentWriter::create(dir, testing_run::without_reserve());
  ASSERT_TRUE(writer) << writer.error().message();
  ASSERT_TRUE(writer->begin(testing_run::facts()));
  std::vector<Frame> stored;
  bool after_a_gap = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == count / 3) fill();
    if (i == 2 * count / 3) free();
    ASSERT_TRUE(writer->write(table, all[i]));
    if (!writer->status().paused) {
      stored.push_back(all[i]);
      if (after_a_gap) stored.back().gap |= model::kGapStorage;
    }
    after_a_gap = writer->status().paused;
    EXPECT_EQ(testing_run::bytes_in(dir), writer->bytes_on_disk());
    EXPECT_EQ(read_all(dir).damage.size(), 0u);
  }
  EXPECT_EQ(writer->status().stored_frames, stored.size());
  EXPECT_EQ(writer->status().dropped_frames, all.size() - stored.size());
  EXPECT_GT(writer->status().dropped_frames, 0u);
  ASSERT_TRUE(writer->status().first_failure);
  EXPECT_THAT(writer->status().first_failure->message(), HasSubstr("cannot write"));
  EXPECT_FALSE(writer->status().paused);
  ASSERT_TRUE(writer->finish());

  const Recording got = read_all(dir);
  EXPECT_TRUE(got.clean && got.damage.empty());
  ASSERT_EQ(got.frames.size(), stored.size());
  for (std::size_t i = 0; i < stored.size(); ++i) expect_same(got.frames[i], stored[i]);
}

std::uint64_t lost_at_end(const testing_run::fs::path& dir) {
  auto reader = SegmentReader::open(dir);
  if (!reader) return 0;
  for (auto frame = reader->next(); frame && *frame != nullptr;) frame = reader->next();
  return reader->lost_at_end();
}

// A limit on file size refuses writes as a full disk does, after storing what still fits.
TEST(SegmentWriter, ALimitOnFileSizeCostsOnlyTheFramesItRefuses) {
  const TempDir dir;
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto set = [&](rlim_t bytes) {
    const rlimit limit{bytes, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  };
  const auto size = [&] { return testing_run::fs::file_size(dir.path() / "000001.rvj"); };
  record_through_a_full_disk(
      dir.path(), 96, [&] { set(size() + 1000); }, [&] { set(before.rlim_cur); });
  set(before.rlim_cur);
}

// Refused in the middle, frames leave a gap; refused at the end, only the end record knows of them.
TEST(SegmentWriter, ARecordingTellsWhichFramesAreMissingAtItsEnd) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto all = testing_run::frames(3, 300, 50);
  model::ChannelTable table;
  testing_run::grow(table, 50);
  for (const std::size_t until : {std::size_t{200}, all.size()}) {
    const TempDir dir;
    auto writer = SegmentWriter::create(dir.path(), testing_run::without_reserve());
    ASSERT_TRUE(writer) << writer.error().message();
    ASSERT_TRUE(writer->begin(testing_run::facts()));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const rlimit limit{i >= 100 && i < until ? 1024 : before.rlim_cur, before.rlim_max};
      ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
      ASSERT_TRUE(writer->write(table, all[i]));
    }
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    const auto dropped = writer->status().dropped_frames;
    EXPECT_GT(dropped, 0u);
    ASSERT_TRUE(writer->finish());
    EXPECT_EQ(lost_at_end(dir.path()), until < all.size() ? 0 : dropped);
  }
}

// Mounts a file system of 256 KiB, seen by this process only.
bool mount_small_disk(const testing_run::fs::path& at) {
  return ::unshare(CLONE_NEWNS) == 0 &&
         ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", at.c_str(), "tmpfs", 0, "size=256k") == 0;
}

TEST(SegmentWriter, AFullDiskCostsOnlyTheFramesItRefuses) {
  const TempDir disk;
  if (!mount_small_disk(disk.path())) GTEST_SKIP() << "cannot mount here; needs root";
  const auto ballast = disk.path() / "ballast";
  record_through_a_full_disk(
      disk.path() / "run", 96,
      [&] { testing_run::write_file(ballast, std::string(256 << 10, 'b')); },
      [&] { testing_run::fs::remove(ballast); });
  ::umount(disk.path().c_str());
}

TEST(SegmentWriter, TheSpaceKeptFreeIsKept) {
  const TempDir disk;
  if (!mount_small_disk(disk.path())) GTEST_SKIP() << "cannot mount here; needs root";
  WriterOptions options;
  options.min_free_bytes = 128 << 10;
  {
    auto writer = SegmentWriter::create(disk.path() / "run", options);
    ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
    model::ChannelTable table;
    testing_run::grow(table, 50);
    for (const Frame& frame : testing_run::frames(4, 2000, 50)) {
      ASSERT_TRUE(writer->write(table, frame));
    }
    EXPECT_TRUE(writer->status().paused);
    EXPECT_GT(writer->status().stored_frames, 0u);
    EXPECT_EQ(writer->status().first_failure->kind, base::ErrorKind::kNoSpace);
    ASSERT_TRUE(writer->finish());
    EXPECT_GT(testing_run::fs::space(disk.path()).available, 64u << 10);
  }
  EXPECT_TRUE(read_all(disk.path() / "run").clean);
  ::umount(disk.path().c_str());
}

// A service must not go blind because others fill the disk while it holds frames of last week.
TEST(SegmentWriter, ARecordingOfLimitedSizeMakesRoomForOthers) {
  const TempDir disk;
  if (!mount_small_disk(disk.path())) GTEST_SKIP() << "cannot mount here; needs root";
  const auto dir = disk.path() / "run";
  const auto available = [&] { return testing_run::fs::space(disk.path()).available; };
  WriterOptions options;
  options.min_free_bytes = 64 << 10;
  options.retention.max_bytes = 128 << 10;
  options.segment_bytes = 12 << 10;
  const auto all = testing_run::frames(4, 3200, 50);
  model::ChannelTable table;
  testing_run::grow(table, 50);
  const auto record = [&](SegmentWriter& writer, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) ASSERT_TRUE(writer.write(table, all[i]));
  };
  {
    auto writer = SegmentWriter::create(dir, options);
    ASSERT_TRUE(writer && writer->begin(testing_run::facts()));
    record(*writer, 0, 2000);
    ASSERT_GT(writer->bytes_on_disk(), 90u << 10);
    EXPECT_EQ(writer->removed().for_space, 0u);
    testing_run::write_file(disk.path() / "ballast", std::string(96 << 10, 'b'));
    ASSERT_LT(available(), options.min_free_bytes);
    record(*writer, 2000, 3000);
    EXPECT_FALSE(writer->status().paused);
    EXPECT_FALSE(writer->status().first_failure);
    EXPECT_GT(writer->removed().for_space, 0u);
    EXPECT_GT(available(), 48u << 10);
    ASSERT_TRUE(writer->finish());
  }
  // So does one that goes on, before it begins.
  testing_run::write_file(disk.path() / "more", std::string(available() - (48u << 10), 'b'));
  {
    auto writer = SegmentWriter::resume(dir, options);
    ASSERT_TRUE(writer);
    const auto begun = writer->begin(testing_run::facts());
    ASSERT_TRUE(begun) << begun.error().message();
    record(*writer, 3000, 3200);
    EXPECT_GT(writer->removed().for_space, 0u);
    EXPECT_FALSE(writer->status().first_failure);
    ASSERT_TRUE(writer->finish());
  }
  const auto read = read_all(dir);
  EXPECT_TRUE(read.clean);
  EXPECT_TRUE(read.damage.empty());
  EXPECT_EQ(read.frames.back().sequence, all.back().sequence);
  ::umount(disk.path().c_str());
}

// A child without root's rights tries a directory that it may not write.
TEST(SegmentWriter, WithoutPermissionItSaysSo) {
  const TempDir dir;
  testing_run::fs::permissions(
      dir.path(), testing_run::fs::perms::owner_read | testing_run::fs::perms::owner_exec);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(2);
    const auto writer = SegmentWriter::create(dir.path() / "run");
    ::_exit(error_of(writer).find("Permission denied") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace reveal::store
