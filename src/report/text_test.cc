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

TEST(ReportText, LostGpuIsToldFirst) {
  Report report;
  report.channel_table = std::make_shared<model::ChannelTable>();
  report.windows.resize(1);
  report.notes.push_back({0, {model::Note::Kind::kEvent, "nvml", "gpu 1", "XID 31 (...)"}});
  EXPECT_THAT(to_text(report, {}), Not(HasSubstr("GPU was lost")));
  constexpr std::int64_t kNoonNs = std::int64_t{12} * 3600 * 1'000'000'000;  // on 1 January 1970
  report.notes.push_back({kNoonNs,
                          {model::Note::Kind::kEvent, "nvml", "gpu 0000:17:00.0",
                           "the GPU is lost: it has fallen off the bus or wants a reset"}});
  const std::string text = to_text(report, {});
  EXPECT_THAT(text, HasSubstr("A GPU was lost at 12:00:00"));
  EXPECT_THAT(text, HasSubstr(" (gpu 0000:17:00.0), see Noted.\nNo anomaly"));
}

}  // namespace
}  // namespace reveal::report
