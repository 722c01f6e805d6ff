// A folder of an agent in which bytes are flipped, files cut off and things put that are nobody's.
#include "agent/store_check.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "agent/daily_reports.h"
#include "agent/evidence.h"
#include "agent/finding_file.h"
#include "agent/finding_id.h"
#include "agent/finding_verdict.h"
#include "agent/stretch.h"
#include "agent/testing/made_recording.h"
#include "agent/watch_log.h"
#include "base/rng.h"
#include "base/temp_dir.h"
#include "detect/baseline_file.h"
#include "detect/testing/made_workloads.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kBegin_ns = 1'700'000'000 * kSecond_ns;  // of a synthetic host

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string made_verdict() {
  FindingVerdict out;
  out.begin_ns = kBegin_ns;
  out.end_ns = kBegin_ns + 3 * kSecond_ns;
  out.ticks = 30;
  out.stride_ticks = 10;
  out.claim.channel = "cpu_0";
  out.claim.feature = "maximum";
  return to_json(out);
}

class StoreCheckTest : public testing::Test {
 protected:
  void SetUp() override {
    record(paths_.recording(), 100);
    const Stretch stretch{.from_ns = kBegin_ns, .to_ns = kBegin_ns + 20 * kSecond_ns};
    fs::create_directories(paths_.pins());
    ASSERT_TRUE(keep_stretch(paths_.recording(), pin_, stretch));
    LoggedFinding finding;
    finding.windows_begin_ns = kBegin_ns + 40 * kSecond_ns;
    finding.windows_end_ns = kBegin_ns + 45 * kSecond_ns;
    finding.begin_ns = finding.windows_begin_ns;
    finding.end_ns = finding.windows_end_ns;
    finding.id = new_finding_id(finding.windows_begin_ns);
    finding.open = false;
    finding.fields =
        R"({"severity_word":"minor","claim":"c","subsystem":"cpu","remedy":null,"patterns":[]})";
    ASSERT_TRUE(save_finding(paths_.findings(), finding));
    finding_ = folder_of(paths_.findings(), finding);
    ASSERT_TRUE(pin_evidence(paths_.recording(), finding_, finding, {}));
    write(paths_.judged(), "1700000100000000000\n");
    write(paths_.alerts(), R"({"format": "reveal alerts", "version": 1, "episodes": []})");
    write(
        paths_.watched() / "2023-11-14.json",
        R"({"schema":"reveal.watched","schema_version":1,"host":"h","missing_sources":[],"spans":[]})");
    write(paths_.fleet_events(), finding.id + " 3 2 open\n");
    write(paths_.workloads() / "1.baseline",
          detect::to_bytes(detect::MadeWorkloads().workload(1, 0.1, 1)));
    write(paths_.fleet_owed(), "0 1700000100000000000\n1700000000000000000 1700000050000000000\n");
    write(paths_.reports() / "2023/11/14.json", R"({"schema":"reveal.digest"})");
  }

  StoreCheck check() const {
    const auto out = check_store(paths_);
    EXPECT_TRUE(out) << out.error().message();
    return out ? *out : StoreCheck();
  }
  std::vector<std::string> damage() const {
    std::vector<std::string> out;
    for (const auto& one : check().damage) out.push_back(one.message());
    return out;
  }

  base::TempDir dir_;
  Paths paths_{dir_.path()};
  fs::path pin_ = paths_.pins() / "20231114T221340.000Z";
  fs::path finding_;
};

TEST_F(StoreCheckTest, WhatIsSoundIsCounted) {
  const auto sound = check();
  EXPECT_THAT(damage(), IsEmpty());
  EXPECT_THAT(sound.remarks, IsEmpty());
  EXPECT_EQ(sound.recordings, 3U);
  EXPECT_EQ(sound.frames, 1000U + 200U + 650U);
  EXPECT_EQ(sound.findings, 1U);
  EXPECT_EQ(sound.files, 7U);
  EXPECT_GT(sound.bytes, 1000U);
  EXPECT_THAT(summary_of(sound),
              AllOf(HasSubstr("3 recordings with 1850 frames"), HasSubstr("sound")));
}

TEST_F(StoreCheckTest, AFlippedByteAnywhereInARecordingIsFoundAndNamed) {
  base::Rng rng(5);
  for (const auto& dir : {paths_.recording(), pin_, finding_ / "evidence"}) {
    const auto file = dir / "000001.rvs";
    const auto before = content(file);
    for (int i = 0; i < 40; ++i) {
      auto text = before;
      const auto at = static_cast<std::size_t>(rng.below(text.size()));
      text[at] = static_cast<char>(text[at] ^ static_cast<char>(1U << rng.below(8)));
      write(file, text);
      EXPECT_THAT(damage(), Contains(HasSubstr(dir.string()))) << "byte " << at;
    }
    write(file, before);
    EXPECT_THAT(damage(), IsEmpty());
  }
}

TEST_F(StoreCheckTest, DamageSaysFromWhichByteOnAndWhatToDo) {
  const auto file = paths_.recording() / "000001.rvs";
  auto text = content(file);
  text[text.size() / 2] = static_cast<char>(~text[text.size() / 2]);
  write(file, text);
  EXPECT_THAT(damage(), ElementsAre(AllOf(HasSubstr("is damaged from byte "),
                                          HasSubstr(file.string()), HasSubstr("reveal repair"))));
}

TEST_F(StoreCheckTest, AJournalIsCheckedToo) {
  const base::TempDir other;
  pipeline::SyntheticHost host;
  auto writer = store::SegmentWriter::create(other.path() / "recording");
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->begin(host.facts));
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(writer->write(host.channels, host.tick()));
  fs::create_directories(other.path() / "state");
  const Paths paths{other.path()};
  EXPECT_THAT(check_store(paths)->damage, IsEmpty()) << "it is being written";
  EXPECT_EQ(check_store(paths)->frames, 300U);
  const auto journal = other.path() / "recording/000001.rvj";
  auto text = content(journal);
  ASSERT_GT(text.size(), 1000U);
  text[text.size() / 2] = static_cast<char>(~text[text.size() / 2]);
  write(journal, text);
  const auto found = check_store(paths)->damage;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found.front().message(), HasSubstr(journal.string()));
}

TEST_F(StoreCheckTest, WhatWasWrittenAtOnceMustBeWhole) {
  for (const auto& dir : {pin_, finding_ / "evidence"}) {
    const auto file = dir / "000001.rvs";
    const auto before = content(file);
    write(file, before.substr(0, before.size() - 5));
    EXPECT_THAT(damage(), Contains(HasSubstr(dir.string())));
    fs::remove(file);
    EXPECT_THAT(damage(), Contains(HasSubstr(dir.string())));
    write(file, before);
  }
}

TEST_F(StoreCheckTest, FilesThatDoNotHoldWhatTheyMustAreNamed) {
  const std::map<fs::path, std::string> files{
      {finding_ / "finding.json", "move its folder elsewhere"},
      {paths_.judged(), "may be told once more"},
      {paths_.alerts(), "receivers may be told again"},
      {paths_.watched() / "2023-11-14.json", "for that day nothing is known"},
      {paths_.fleet_events(), "told to the fleet once more"},
      {paths_.workloads() / "1.baseline", "of that workload is learned anew"},
      {paths_.fleet_owed(), "is not told of the seconds"},
      {paths_.reports() / "2023/11/14.json", "makes it again"}};
  for (const auto& [file, remedy] : files) {
    const auto before = content(file);
    for (const char* text : {"\x01 rubbish", "null"}) {
      write(file, text);
      EXPECT_THAT(damage(), ElementsAre(AllOf(HasSubstr(file.string()), HasSubstr(remedy))))
          << text;
    }
    write(file, before);
  }
  write(finding_ / "verdict.json", "{}");
  EXPECT_THAT(damage(), ElementsAre(AllOf(HasSubstr("verdict.json"), HasSubstr("not explained"))));
  fs::remove(finding_ / "verdict.json");
  write(paths_.identity(), "not an id\n");
  EXPECT_THAT(damage(), ElementsAre(HasSubstr("identity")));
}

TEST_F(StoreCheckTest, AFlippedBitInAFindingAReportOrTimesThatWereWatchedIsFoundAndNamed) {
  const auto finding = load_finding(finding_ / "finding.json");
  ASSERT_TRUE(finding);
  write(finding_ / "verdict.json", made_verdict());
  WatchLog watched(paths_.watched(), kBegin_ns);
  for (int i = 0; i < 300; ++i) {
    serve::AgentState state;
    state.host = "h";
    watched.take(state, kBegin_ns + i * kSecond_ns);
  }
  ASSERT_TRUE(watched.save());
  fs::remove_all(paths_.reports());
  ASSERT_TRUE(write_report_of_yesterday(paths_, kBegin_ns + 86'400 * kSecond_ns).value());
  const auto json = report_file(paths_, kBegin_ns, ".json");
  ASSERT_THAT(damage(), IsEmpty());
  base::Rng rng(7);
  for (const auto& file :
       {finding_ / "finding.json", finding_ / "verdict.json", json,
        fs::path(json).replace_extension(".txt"), paths_.watched() / "2023-11-14.json"}) {
    const auto before = content(file);
    ASSERT_GT(before.size(), 100U) << file;
    for (int i = 0; i < 60; ++i) {
      auto text = before;
      const auto at = static_cast<std::size_t>(rng.below(text.size()));
      text[at] = static_cast<char>(text[at] ^ static_cast<char>(1U << rng.below(8)));
      write(file, text);
      EXPECT_THAT(damage(), ElementsAre(HasSubstr(file.string()))) << "byte " << at;
    }
    write(file, before);
    EXPECT_THAT(damage(), IsEmpty());
  }
}

TEST_F(StoreCheckTest, WhatIsNotThereIsNoDamage) {
  fs::remove_all(finding_ / "evidence");
  EXPECT_THAT(damage(), IsEmpty());
  EXPECT_THAT(check().remarks, ElementsAre(HasSubstr("has no frames")));
  note_evidence_gone(finding_, kBegin_ns);
  EXPECT_THAT(check().remarks, IsEmpty());
  fs::create_directories(paths_.pins() / "20231114T221350.000Z.part");
  fs::create_directories(finding_.parent_path() / "notes");
  EXPECT_THAT(check().remarks,
              ElementsAre(HasSubstr("being copied"), HasSubstr("not the agent's")));
}

TEST_F(StoreCheckTest, ChangesNothing) {
  const auto listing = [&] {
    std::map<fs::path, std::string> out;
    for (const auto& at : fs::recursive_directory_iterator(dir_.path())) {
      out[at.path()] = at.is_regular_file() ? content(at.path()) : std::string();
    }
    return out;
  };
  write(paths_.alerts(), "rubbish");
  const auto before = listing();
  check();
  EXPECT_EQ(listing(), before);
}

TEST_F(StoreCheckTest, AFolderOfNoAgentIsRefused) {
  const base::TempDir other;
  const auto refused = check_store({other.path()});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::kAbsent);
  EXPECT_FALSE(check_store({other.path() / "none"}));
}

}  // namespace
}  // namespace reveal::agent
