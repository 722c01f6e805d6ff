#include "probes/textfile_collector.h"

#include <fstream>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "base/temp_dir.h"
#include "probes/testing/reading.h"

namespace reveal::probes {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Textfile : public ::testing::Test {
 protected:
  Textfile() : probe_(std::make_unique<TextfileCollector>(folder_.path(), declared())) {
    EXPECT_TRUE(probe_.open());
  }

  // As programs should: the reader never meets half a file.
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / "new", std::ios::trunc) << text;
    std::filesystem::rename(folder_.path() / "new", folder_.path() / name);
  }

  base::TempDir folder_;
  Reading probe_;
};

TEST_F(Textfile, HasTheValuesOfAllFiles) {
  write("a.prom", "# TYPE step_seconds gauge\nstep_seconds{rank=\"0\"} 0.5\nsteps_total 10\n");
  write("b.prom", "step_seconds{rank=\"1\"} 0.75\n");
  write("c.txt", "step_seconds{rank=\"2\"} 1\n");
  write(".d.prom", "step_seconds{rank=\"3\"} 1\n");
  probe_.tick();
  EXPECT_EQ(probe_.value("step_seconds{rank=0}"), 0.5);
  EXPECT_EQ(probe_.value("step_seconds{rank=1}"), 0.75);
  EXPECT_EQ(probe_.value("steps_total"), 10);
  EXPECT_EQ(probe_.channels().channel_count(), 3u);
}

TEST_F(Textfile, ValuesStandUntilTheFileIsWrittenAgain) {
  write("a.prom", "steps_total 10\n");
  probe_.tick();
  EXPECT_TRUE(probe_.is_new("steps_total"));
  probe_.tick();
  EXPECT_FALSE(probe_.is_new("steps_total"));
  EXPECT_EQ(probe_.value("steps_total"), 10) << "stale, not missing";
  write("a.prom", "steps_total 10\n");
  probe_.tick();
  EXPECT_TRUE(probe_.is_new("steps_total")) << "written again with the same value";
  std::filesystem::remove(folder_.path() / "a.prom");
  probe_.tick();
  EXPECT_FALSE(probe_.value("steps_total"));
}

TEST_F(Textfile, TellsWhatItDoesNotRead) {
  write("a.prom", "step_seconds 0.5\nsteps_total ten\nsteps_total 1 2\nnot_declared 1\n");
  probe_.tick();
  EXPECT_EQ(probe_.value("step_seconds"), 0.5) << "the rest of the file counts";
  EXPECT_EQ(probe_.remark("text file a.prom"),
            "line 2: the value is not a number; 2 lines are not read in all");
  EXPECT_EQ(probe_.remark("textfile: metrics that are not declared"), "not_declared");
  probe_.tick();
  EXPECT_EQ(probe_.notes(), 0u) << "once";
  write("a.prom", "step_seconds 0.5\n");
  probe_.tick();
  EXPECT_EQ(probe_.remark("text file a.prom"), "is in order again");
}

TEST_F(Textfile, NothingThatIsNoFileStopsIt) {
  ASSERT_EQ(::mkfifo((folder_.path() / "a.prom").c_str(), 0600), 0);
  std::filesystem::create_directory(folder_.path() / "b.prom");
  std::filesystem::create_symlink("/dev/zero", folder_.path() / "c.prom");
  std::filesystem::create_symlink("/nowhere", folder_.path() / "d.prom");
  write("e.prom", std::string(TextfileCollector::kMostBytes + 1, '#'));
  write("f.prom", "steps_total 1\n");
  probe_.tick();
  EXPECT_EQ(probe_.value("steps_total"), 1);
  for (const char* name : {"a.prom", "c.prom"}) {
    EXPECT_THAT(probe_.remark(std::string("text file ") + name), HasSubstr("not a regular file"));
  }
  EXPECT_NE(probe_.remark("text file b.prom"), "");
  EXPECT_THAT(probe_.remark("text file e.prom"), HasSubstr("larger than the limit"));
}

TEST_F(Textfile, ReadsSoManyFilesAndNoMore) {
  for (int i = 0; i < 205; ++i) {
    const auto number = std::to_string(1000 + i);
    write(number + ".prom", "step_seconds{i=\"" + number + "\"} 1\n");
  }
  probe_.tick();
  EXPECT_EQ(probe_.channels().channel_count(), TextfileCollector::kMostFiles);
  EXPECT_FALSE(probe_.value("step_seconds{i=1204}"));
  EXPECT_THAT(probe_.remark("textfile: too many files"), HasSubstr("first 200"));
}

TEST_F(Textfile, WhoeverWritesCannotFillTheRecordingWithRemarks) {
  std::size_t notes = 0;
  for (int i = 0; i < 1000; ++i) {
    write("a.prom", std::string(static_cast<std::size_t>(i), '\n') + "wrong\n");
    probe_.tick();
    notes += probe_.notes();
  }
  EXPECT_EQ(notes, Remarks::kMost);
}

TEST(TextfileFolder, ThatIsNotThereIsSaidWithARemedy) {
  Reading probe(std::make_unique<TextfileCollector>("/nonexistent/folder", declared()));
  const auto opened = probe.open();
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, base::ErrorKind::kAbsent);
  EXPECT_THAT(opened.error().message(),
              AllOf(HasSubstr("/nonexistent/folder"), HasSubstr("textfile in [probes]")));
}

}  // namespace
}  // namespace reveal::probes
