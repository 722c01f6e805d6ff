// A finding from a judge to its folder, and from the folder alone to its explanation.
#include "agent/kept_finding.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "agent/evidence.h"
#include "agent/evidence_archive.h"
#include "agent/explained.h"
#include "agent/finding_file.h"
#include "agent/finding_log.h"
#include "base/temp_dir.h"
#include "live/live_judge.h"
#include "pipeline/testing/synthetic_host.h"
#include "store/segment_writer.h"

namespace reveal::agent {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::int64_t kBegin_ns = 1'700'000'000'000'000'000;  // of a synthetic host

// Records a host with a burst, and judges it as it comes.
class KeptFindings : public ::testing::Test {
 protected:
  void SetUp() override {
    host_.tell_what_waits(true);
    auto writer = store::SegmentWriter::create(recording());
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->begin(host_.facts));
    ASSERT_TRUE(judge_.begin(host_.facts));
    const auto live = [&](int seconds, bool burst) {
      for (int i = 0; i < 10 * seconds; ++i) {
        const auto& frame = host_.tick(burst);
        ASSERT_TRUE(writer->write(host_.channels, frame));
        ASSERT_TRUE(judge_.write(host_.channels, frame));
        if (i % 10 == 9) log_.update(judge_.history());
      }
    };
    live(80, false);
    live(5, true);
    live(60, false);
    ASSERT_TRUE(writer->finish());
    ASSERT_EQ(log_.recent().size(), 1U);
    folder_ = folder_of(findings(), log_.recent().front());
  }

  fs::path recording() const { return dir_.path() / "recording"; }
  fs::path findings() const { return dir_.path() / "findings"; }
  const LoggedFinding& finding() const { return log_.recent().front(); }

  base::TempDir dir_;
  pipeline::SyntheticHost host_;
  live::LiveJudge judge_{pipeline::PipelineConfig{}};
  FindingLog log_{{.directory = dir_.path() / "findings"}, kBegin_ns};
  fs::path folder_;
};

TEST_F(KeptFindings, AreExplainedFromTheirFoldersAlone) {
  ASSERT_TRUE(pin_evidence(recording(), folder_, finding(), {}));
  fs::remove_all(recording());
  const auto kept = load_kept_finding(folder_);
  ASSERT_TRUE(kept) << kept.error().message();
  const auto verdict = verdict_of(judge_.history(), judge_.history().findings.front());
  ASSERT_TRUE(verdict);
  EXPECT_EQ(to_json(kept->verdict), to_json(*verdict)) << "the last word is on the disk";
  const auto text = explanation(*kept, std::vector<double>(30, 4.25));
  EXPECT_THAT(text, HasSubstr("Finding " + finding().id + " of synthetic: storage"));
  EXPECT_THAT(text, HasSubstr(finding().claim));
  EXPECT_THAT(text, HasSubstr("1  The samples of " + verdict->claim.channel + "\n"));
  EXPECT_THAT(text, HasSubstr("  4.25  4.25  4.25  4.25  4.25\n"));
  EXPECT_THAT(text, HasSubstr("2  The feature " + verdict->claim.feature + "\n"));
  EXPECT_THAT(text, HasSubstr("of the samples above"));
  EXPECT_THAT(text, HasSubstr("3  The usual value, over "));
  EXPECT_THAT(text, HasSubstr("votes; 2 make a finding\n"));
  EXPECT_THAT(text, HasSubstr((folder_ / "evidence").string()));
}

TEST_F(KeptFindings, SayIfTheUsualIsThatOfEarlierRuns) {
  auto kept = load_kept_finding(folder_);
  ASSERT_FALSE(kept) << "its frames are not kept yet";
  ASSERT_TRUE(pin_evidence(recording(), folder_, finding(), {}));
  kept = load_kept_finding(folder_);
  ASSERT_TRUE(kept);
  EXPECT_FALSE(kept->verdict.is_earlier_run);
  kept->verdict.is_saved_baseline = true;
  EXPECT_THAT(explanation(*kept, {}), HasSubstr("3  The usual value, in the saved baseline\n"));
  kept->verdict.is_earlier_run = true;
  EXPECT_THAT(explanation(*kept, {}), HasSubstr("windows of earlier runs, the last from 20"));
}

TEST_F(KeptFindings, SayIfTheSamplesWereNotKept) {
  ASSERT_TRUE(pin_evidence(recording(), folder_, finding(), {}));
  const auto kept = load_kept_finding(folder_);
  ASSERT_TRUE(kept);
  const auto text = explanation(*kept, std::vector<double>(30, std::nan("")));
  EXPECT_THAT(text, HasSubstr("were not kept"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("of the samples above")));
}

TEST_F(KeptFindings, SayIfTheFramesWent) {
  ASSERT_TRUE(pin_evidence(recording(), folder_, finding(), {}));
  note_evidence_gone(folder_, kBegin_ns);
  fs::remove_all(folder_ / "evidence");
  const auto text = explained(folder_);
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_THAT(*text, HasSubstr("Its frames are not kept since 2023-11-14T22:13:20.000Z"));
  EXPECT_THAT(*text, HasSubstr("are not kept any more"));
  EXPECT_THAT(*text, HasSubstr("votes; 2 make a finding\n"))
      << "what the judge knew is still there";
  EXPECT_THAT(*text, ::testing::Not(HasSubstr("reveal export"))) << "nothing is left to export";
  const auto archive = evidence_archive(findings(), finding().id);
  ASSERT_FALSE(archive);
  EXPECT_THAT(archive.error().message(), HasSubstr("not kept since 2023-11-14T22:13:20.000Z"));
}

TEST_F(KeptFindings, AreFoundByTheirNames) {
  const auto found = find_folder(findings(), finding().id);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, folder_);
  const auto other = find_folder(findings(), std::string(26, '0'));
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message(), HasSubstr("there is no finding 0000"));
  EXPECT_FALSE(find_folder(findings(), "../recording"));
}

TEST_F(KeptFindings, SayWhatIsMissing) {
  EXPECT_TRUE(is_finding_folder(folder_));
  EXPECT_FALSE(is_finding_folder(recording()));
  const auto early = load_kept_finding(folder_);
  ASSERT_FALSE(early);
  EXPECT_THAT(early.error().message(), HasSubstr("are not kept yet"));
  fs::remove(verdict_file(folder_));
  const auto old = load_kept_finding(folder_);
  ASSERT_FALSE(old);
  EXPECT_THAT(old.error().message(), HasSubstr("nothing was kept that explains this finding"));
}

}  // namespace
}  // namespace reveal::agent
