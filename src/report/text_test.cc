#include "report/text.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReportText, NoAnomalyDoesNotHideWhatIsNoted) {
  Report report;
  report.channel_table = std::make_shared<model::ChannelTable>();
  report.windows.resize(1);
  report.notes.push_back({0, {model::Note::Kind::kFact, "host", "kernel", "6.1"}});
  EXPECT_THAT(to_text(report, {}), HasSubstr("No anomaly"));
  EXPECT_THAT(to_text(report, {}), Not(HasSubstr("noted below")));
  report.notes.push_back({0, {model::Note::Kind::kEvent, "nvml", "gpu 1", "the GPU is lost"}});
  EXPECT_THAT(to_text(report, {}), HasSubstr("But 1 event is noted below.\n"));
  report.notes.push_back({0, {model::Note::Kind::kEvent, "nvml", "gpu 1", "the GPU is back"}});
  EXPECT_THAT(to_text(report, {}), HasSubstr("But 2 events are noted below.\n"));
}

}  // namespace
}  // namespace reveal::report
