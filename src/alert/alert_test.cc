#include "alert/alert.h"

#include <gtest/gtest.h>

namespace reveal::alert {
namespace {

TEST(Severity, IsNamedAndOrdered) {
  EXPECT_LT(Severity::kInfo, Severity::kWarning);
  EXPECT_LT(Severity::kWarning, Severity::kCritical);
  for (const auto severity : {Severity::kInfo, Severity::kWarning, Severity::kCritical}) {
    EXPECT_EQ(severity_from(to_string(severity)), severity);
  }
  EXPECT_EQ(severity_from("page"), std::nullopt);
  EXPECT_EQ(severity_of({{"severity", "critical"}}), Severity::kCritical);
  EXPECT_EQ(severity_of({{"severity", "page"}}), Severity::kWarning);
  EXPECT_EQ(severity_of({}), Severity::kWarning);
}

TEST(Identity, IsAllLabelsButTheSeverity) {
  const Labels labels = {{"host", "a"}, {"severity", "warning"}};
  EXPECT_EQ(identity_of(labels), identity_of({{"host", "a"}, {"severity", "critical"}}));
  EXPECT_EQ(identity_of(labels), identity_of({{"host", "a"}}));
  EXPECT_NE(identity_of(labels), identity_of({{"host", "b"}}));
  EXPECT_NE(identity_of({{"a", "bc"}}), identity_of({{"ab", "c"}}));
  EXPECT_NE(identity_of({{"a", "b"}, {"c", "d"}}), identity_of({{"a", "bcd"}}));
}

// Alertmanager 0.25 gave this fingerprint to an alert with these labels (GET /api/v2/alerts).
TEST(Fingerprint, IsAlertmanagers) {
  EXPECT_EQ(fingerprint({}), 0xcbf29ce484222325U);  // the offset basis of FNV-1a
  EXPECT_EQ(
      fingerprint({{"alertname", "RevealFinding"}, {"host", "n017"}, {"severity", "warning"}}),
      0x841128cba02c996fU);
}

TEST(WithLabels, AddsWhatIsMissing) {
  EXPECT_EQ(with_labels({{"host", "a"}}, {{"host", "b"}, {"cluster", "c"}}),
            (Labels{{"host", "a"}, {"cluster", "c"}}));
}

}  // namespace
}  // namespace reveal::alert
