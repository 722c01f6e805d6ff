#include "tables/annotations.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/new_file.h"
#include "base/temp_dir.h"

namespace reveal::tables {
namespace {

using testing::HasSubstr;

window::WindowSpan span(std::int64_t begin_ns, std::int64_t end_ns) {
  window::WindowSpan out;
  out.begin_ns = begin_ns;
  out.end_ns = end_ns;
  return out;
}

TrueInterval interval(const std::string& kind, std::int64_t begin_ns, std::int64_t end_ns) {
  TrueInterval out;
  out.kind = kind;
  out.begin_ns = begin_ns;
  out.end_ns = end_ns;
  return out;
}

Step step(std::int64_t end_ns, double seconds, double work = 1) {
  Step out;
  out.end_ns = end_ns;
  out.seconds = seconds;
  out.work = work;
  return out;
}

TEST(KindsIn, AreThoseThatShareTimeEachOnce) {
  const std::vector truth{interval("a", 0, 10), interval("b", 10, 20), interval("a", 15, 30)};
  EXPECT_EQ(kinds_in(truth, span(5, 12)), "a;b");
  EXPECT_EQ(kinds_in(truth, span(12, 40)), "b;a");
  EXPECT_EQ(kinds_in(truth, span(10, 12)), "b");  // the first ends where the window begins
  EXPECT_EQ(kinds_in(truth, span(30, 40)), "");
}

TEST(ShareIn, CountsTimeThatTwoIntervalsHaveOnce) {
  const std::vector truth{interval("a", 0, 10), interval("b", 5, 20), interval("c", 6, 8)};
  EXPECT_DOUBLE_EQ(share_in(truth, span(0, 40)), 0.5);
  EXPECT_DOUBLE_EQ(share_in(truth, span(8, 12)), 1);
  EXPECT_DOUBLE_EQ(share_in(truth, span(18, 28)), 0.2);
  EXPECT_DOUBLE_EQ(share_in(truth, span(20, 28)), 0);
}

TEST(StepsIn, AreThoseThatEndInTheWindow) {
  const std::vector steps{step(10, 0.5), step(20, 0.1, 4), step(25, 0.3), step(30, 0.2)};
  const auto of = steps_in(steps, span(10, 25));  // that at its begin is of the time before
  EXPECT_DOUBLE_EQ(of.work, 5);
  EXPECT_DOUBLE_EQ(of.median_seconds, 0.2);
  EXPECT_DOUBLE_EQ(steps_in(steps, span(0, 25)).median_seconds, 0.3);
  const auto none = steps_in(steps, span(30, 40));
  EXPECT_DOUBLE_EQ(none.work, 0);
  EXPECT_TRUE(std::isnan(none.median_seconds));
}

TEST(StepsIn, WithoutLengthsHaveNoMedian) {
  const std::vector steps{step(10, std::nan("")), step(20, std::nan(""), 3)};
  const auto of = steps_in(steps, span(0, 25));
  EXPECT_DOUBLE_EQ(of.work, 4);
  EXPECT_TRUE(std::isnan(of.median_seconds));
}

class ReadAnnotations : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_.path() / "r"); }

  // Writes the file and returns its name as one gives it for recordings.
  std::string file(const std::string& name, const std::string& text) {
    EXPECT_TRUE(base::write_new_file(folder_.path() / name, text));
    return "../" + name;
  }

  base::Result<Annotations> read(const AnnotationFiles& files,
                                 const std::vector<std::string>& labels = {}) const {
    return read_annotations((folder_.path() / "r").string(), files, labels);
  }

  base::TempDir folder_;
};

TEST_F(ReadAnnotations, FilesAreBesideTheRecording) {
  AnnotationFiles files;
  files.labels = file("l.json", R"({"model": "mlp", "hosts": 2, "elastic": false, "faults": []})");
  files.truth = file("t.json", R"({"faults": [{"fault": "b", "begin_ns": 5, "end_ns": 9},
                                   {"fault": "a", "strength": 7, "begin_ns": 1, "end_ns": 1}]})");
  files.steps = file("s.jsonl", "{\"end_ns\": 9, \"ms\": 40}\n{\"end_ns\": 5, \"work\": 3}\n");
  const auto known = read(files, {"model=vit", "who=me=you"});
  ASSERT_TRUE(known) << known.error().message();
  EXPECT_EQ(known->labels.dump(), R"({"model":"vit","hosts":2,"elastic":false,"who":"me=you"})");
  ASSERT_EQ(known->truth->size(), 2U);
  EXPECT_EQ(known->truth->front().kind, "a");
  EXPECT_EQ(known->truth->front().strength, 7);
  EXPECT_TRUE(std::isnan(known->truth->back().strength));
  ASSERT_EQ(known->steps->size(), 2U);
  EXPECT_EQ(known->steps->front().work, 3);
  EXPECT_DOUBLE_EQ(known->steps->back().seconds, 0.04);
}

TEST_F(ReadAnnotations, WithoutFilesNobodySaidAnything) {
  const auto known = read({"../none", "../none", "../none"});
  ASSERT_TRUE(known) << known.error().message();
  EXPECT_FALSE(known->has_label_file);
  EXPECT_TRUE(known->labels.empty());
  EXPECT_FALSE(known->truth);
  EXPECT_FALSE(known->steps);
}

TEST_F(ReadAnnotations, AListOfIntervalsIsTruthToo) {
  const auto known =
      read({{}, file("t.json", R"([{"kind": "x", "begin_ns": 1, "end_ns": 2}])"), {}});
  ASSERT_TRUE(known) << known.error().message();
  EXPECT_EQ(known->truth->front().kind, "x");
}

TEST_F(ReadAnnotations, WhatIsNotAsItShouldBeIsRefused) {
  const auto complaint = [this](const AnnotationFiles& files) {
    const auto known = read(files);
    return known ? std::string("none") : known.error().message();
  };
  const std::string backwards = R"([{"kind": "x", "begin_ns": 3, "end_ns": 2}])";
  EXPECT_THAT(complaint({{}, file("a", backwards), {}}), HasSubstr("interval 1"));
  EXPECT_THAT(complaint({{}, file("b", R"([{"begin_ns": 1, "end_ns": 2}])"), {}}),
              HasSubstr("interval 1"));
  EXPECT_THAT(complaint({{}, file("c", "[7]"), {}}), HasSubstr("interval 1"));
  EXPECT_THAT(complaint({{}, file("d", "{}"), {}}), HasSubstr("no list"));
  EXPECT_THAT(complaint({{}, file("e", "[{"), {}}), HasSubstr("not JSON"));
  EXPECT_THAT(complaint({{}, file("f", std::string(5000, '[')), {}}), HasSubstr("not JSON"));
  const auto deep = R"([{"fault": "x", "begin_ns": 1, "end_ns": 2, "more": )" +
                    std::string(40, '[') + std::string(40, ']') + "}]";
  EXPECT_THAT(complaint({{}, file("g", deep), {}}), HasSubstr("not JSON"));
  EXPECT_THAT(complaint({file("g", "[]"), {}, {}}), HasSubstr("not a JSON object"));
  EXPECT_THAT(complaint({{}, {}, file("h", "{\"end_ns\": 1}\n{\"ms\": 2}\n")}),
              HasSubstr("line 2"));
  EXPECT_THAT(read({}, {"=x"}).error().message(), HasSubstr("KEY=VALUE"));
}

}  // namespace
}  // namespace reveal::tables
