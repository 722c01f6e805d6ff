#include "study/workloads.h"

#include <filesystem>

#include <gtest/gtest.h>

namespace reveal::study {
namespace {

std::string written(const std::vector<std::string>& words) {
  const auto workloads = workloads_of(words);
  if (!workloads) return workloads.error().what;
  std::string out;
  for (const auto& one : *workloads) {
    out += one.name + ":";
    for (const auto& run : one.runs) out += " " + run;
    out += "\n";
  }
  return out;
}

TEST(Workloads, RunsOfOneFolderAreOfOneWorkload) {
  EXPECT_EQ(written({"/r/bert/1", "/r/vit/1", "/r/bert/2/", "/other/./bert/x/../3", "/1"}),
            "bert: /r/bert/1 /r/bert/2/ /other/./bert/x/../3\nvit: /r/vit/1\n/: /1\n");
  const auto here = std::filesystem::current_path().filename().string();
  EXPECT_EQ(written({"a", "./b", "bert/1"}), here + ": a ./b\nbert: bert/1\n");
}

TEST(Workloads, ANameIsGivenBeforeTheDirectory) {
  EXPECT_EQ(written({"bert=/r/1", "vit=/r/2", "/x/bert/3", "vit=a=b"}),
            "bert: /r/1 /x/bert/3\nvit: /r/2 a=b\n");
  EXPECT_EQ(written({"/r/lr=3/1"}), "lr=3: /r/lr=3/1\n");
}

TEST(Workloads, WordsThatCannotBeMeant) {
  for (const std::string word : {"=r", "bert=", ""}) {
    EXPECT_EQ(written({word}), "is neither a directory nor NAME=DIR") << word;
  }
  EXPECT_EQ(written({"r", "bert=./r"}), "is given twice");
}

TEST(Workloads, TheNoteCountsRuns) {
  const std::vector<Workload> some{{"bert", {"1", "2"}}, {"vit", {"3"}}};
  EXPECT_EQ(workloads_note(some), "Workloads: bert (2 runs), vit (1 run).");
}

}  // namespace
}  // namespace reveal::study
