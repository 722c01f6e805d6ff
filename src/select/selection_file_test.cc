#include "select/selection_file.h"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace reveal::select {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const SelectionPlan kPlan{
    0.5, {{"a{dev=sda}", {{"b", 0.1 + 0.6}, {"c \"quoted\"", -1.0}}}, {"d", {}}}, {"e"}, {"f"}};

// A folder that goes away with the test.
class SelectionFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      ("selection_file_" +
       std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  const std::string path_ = folder_ / "selection.json";
};

TEST_F(SelectionFile, RoundTrips) {
  ASSERT_TRUE(save(kPlan, path_));
  const auto loaded = load(path_);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(*loaded, kPlan);
  ASSERT_TRUE(save(SelectionPlan{}, path_));  // over an older one
  EXPECT_EQ(*load(path_), SelectionPlan{});
}

TEST_F(SelectionFile, SaysWhyItCannotBeReadOrWritten) {
  const auto absent = load(path_);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, base::ErrorKind::kAbsent);
  EXPECT_THAT(absent.error().message(), HasSubstr(path_));
  EXPECT_FALSE(load(folder_));
  const auto unwritten = save(kPlan, folder_ / "none" / "selection.json");
  ASSERT_FALSE(unwritten);
  EXPECT_EQ(unwritten.error().kind, base::ErrorKind::kAbsent);
}

TEST_F(SelectionFile, LeavesTheOldPlanWhenItCannotWrite) {
  ASSERT_TRUE(save(kPlan, path_));
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit none{0, before.rlim_max};  // as good as a full disk
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
  const auto unwritten = save(SelectionPlan{}, path_);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  static_cast<void>(std::signal(SIGXFSZ, old));
  EXPECT_FALSE(unwritten);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  EXPECT_EQ(*load(path_), kPlan);
}

TEST(FromJsonNumbers, BeyondBinary64AreDamage) {
  const auto plan = from_json(
      R"({"schema":"reveal.selection","version":1,"threshold":1e400,"clusters":[],"constant":[]})",
      "p.json");
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().kind, base::ErrorKind::kCorrupt);
}

std::string error_of(std::string_view text) {
  const auto plan = from_json(text, "p.json");
  if (plan) return "no error";
  EXPECT_EQ(plan.error().kind, base::ErrorKind::kCorrupt);
  EXPECT_THAT(plan.error().message(), HasSubstr("p.json: "));
  return plan.error().what;
}

std::string with(const std::string& from, const std::string& to) {
  std::string text =
      R"({"schema":"reveal.selection","version":1,"threshold":0.5,"clusters":[)"
      R"({"representative":"a","members":[{"channel":"b","r":0.9}]}],"constant":["c"]})";
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(FromJson, NamesWhatIsWrong) {
  EXPECT_EQ(error_of(with("a", "a")), "no error");
  EXPECT_EQ(error_of(with("0.5", "0.5,\"new\":[]")), "no error");
  EXPECT_THAT(error_of(""), HasSubstr("not JSON from byte"));
  EXPECT_THAT(error_of("{\"schema\":"), HasSubstr("not JSON from byte"));
  EXPECT_EQ(error_of("[]"), "not a selection plan of Reveal");
  EXPECT_EQ(error_of("{}"), "not a selection plan of Reveal");
  EXPECT_EQ(error_of(with("reveal.selection", "other")), "not a selection plan of Reveal");
  EXPECT_THAT(error_of(with("\"version\":1", "\"version\":2")),
              AllOf(HasSubstr("version 2"), HasSubstr("version 1")));
  EXPECT_EQ(error_of(with("\"version\":1", "\"version\":\"1\"")),
            "\"version\" is not a whole number");
  EXPECT_EQ(error_of(with("0.5", "\"half\"")), "\"threshold\" is not a number");
  EXPECT_EQ(error_of(with("0.5", "1.5")), "\"threshold\" is not from 0 to 1");
  EXPECT_EQ(error_of(with("\"a\"", "7")),
            "\"clusters[0].representative\" is not the name of a channel");
  EXPECT_EQ(error_of(with("[{\"channel\":\"b\",\"r\":0.9}]", "{}")),
            "\"clusters[0].members\" is not a list");
  EXPECT_EQ(error_of(with("0.9", "null")), "\"clusters[0].members[0].r\" is not a number");
  EXPECT_EQ(error_of(with("0.9", "-1.5")), "\"clusters[0].members[0].r\" is not from -1 to 1");
  EXPECT_EQ(error_of(with("\"b\"", "\"a\"")), "\"clusters[0].members[0].channel\" repeats a");
  EXPECT_EQ(error_of(with("[\"c\"]", "[\"\"]")), "\"constant[0]\" is not the name of a channel");
  EXPECT_EQ(error_of(with("\"constant\"", "\"steady\"")), "\"constant\" is not a list");
  EXPECT_EQ(error_of(with("0.5", "0.5,\"left_out\":7")), "\"left_out\" is not a list");
  EXPECT_EQ(error_of(with("0.5", "0.5,\"left_out\":[\"c\"]")), "\"left_out[0]\" repeats c");
}

// Damage never crashes: every prefix and every changed byte is a plan or an error.
TEST(FromJson, SurvivesDamage) {
  const std::string text = to_json(kPlan);
  for (std::size_t size = 0; size + 2 < text.size(); ++size) {
    EXPECT_FALSE(from_json(text.substr(0, size), "p.json")) << size;
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
    const auto plan = from_json(damaged, "p.json");
    EXPECT_TRUE(plan || plan.error().kind == base::ErrorKind::kCorrupt);
  }
}

TEST(ToJson, TakesNamesThatAreNotUtf8) {
  const SelectionPlan plan{0.5, {{"bad\xff", {}}}, {}};
  EXPECT_TRUE(from_json(to_json(plan), "p.json"));
}

}  // namespace
}  // namespace reveal::select
