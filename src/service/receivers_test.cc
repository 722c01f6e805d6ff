#include "service/receivers.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>

#include "settings/file.h"
#include "settings/receivers.h"

namespace reveal::service {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

TEST(Receivers, Reveal_tomlHasEveryKindOfReceiver) {
  EXPECT_THAT(settings::receiver_kinds(), UnorderedElementsAreArray(alert::receiver_kinds()));
  for (const auto kind : settings::receiver_kinds()) {
    const auto known = alert::receiver_kind(kind);
    ASSERT_TRUE(known) << kind;
    EXPECT_EQ(alert::to_string(*known), kind);
  }
  EXPECT_FALSE(alert::receiver_kind("pigeon"));
}

TEST(Receivers, ReceiversAreThoseOfTheFile) {
  settings::Settings settings;
  settings.alerts.min_severity = "major";
  settings.alerts.resend_ns = 10 * kSecond_ns;
  settings.alerts.labels = {"cluster=a", "note=b=c"};
  settings::ReceiverSettings command;
  command.kind = "command";
  command.run = {"/bin/tell", "ops"};
  command.timeout_ns = kSecond_ns;
  settings::ReceiverSettings webhook;
  webhook.kind = "webhook";
  webhook.url = "https://example.com";
  webhook.secret_file = "/s";
  settings.receivers = {command, webhook};
  const auto options = alert_options(settings, "/var/lib/reveal/state/alerts.json");
  EXPECT_EQ(options.state_file, "/var/lib/reveal/state/alerts.json");
  EXPECT_EQ(options.resend, std::chrono::seconds(10));
  EXPECT_THAT(options.labels, ElementsAre(Pair("cluster", "a"), Pair("note", "b=c")));
  ASSERT_THAT(options.receivers, SizeIs(2));
  EXPECT_EQ(options.receivers[0].kind, alert::ReceiverKind::kCommand);
  EXPECT_THAT(options.receivers[0].command, ElementsAre("/bin/tell", "ops"));
  EXPECT_EQ(options.receivers[0].timeout, std::chrono::seconds(1));
  EXPECT_EQ(options.receivers[1].secret_file, "/s");
  EXPECT_EQ(options.receivers[1].least, alert::Severity::kCritical);
}

TEST(Receivers, LabelsThatAreNoneAreNamed) {
  for (const auto& [label, place] :
       {std::pair("9=a", "alerts.labels.9"), std::pair("cluster", "alerts.labels.cluster"),
        std::pair("severity=low", "alerts.labels.severity")}) {
    settings::Settings settings;
    settings.alerts.labels = {label};
    const auto sound = alert::check(alert_options(settings, "/var/lib/reveal/state/alerts.json"));
    ASSERT_FALSE(sound) << label;
    EXPECT_EQ(sound.error().where, place);
  }
}

// Receivers of the file have no names, so nobody is told to choose one.
TEST(Receivers, AReceiverThatTheFileHasTwiceIsNamedByItsPlace) {
  const std::string journal = "[[alerts.journal]]\n";
  const std::string webhook = "[[alerts.webhook]]\nurl = \"http://h/\"\n";
  for (const auto& [table, place] :
       {std::pair(journal, "alerts.journal[1]"), std::pair(webhook, "alerts.webhook[1]")}) {
    settings::Given given;
    ASSERT_TRUE(settings::read_settings(table + table, "reveal.toml", given));
    const auto sound =
        alert::check(alert_options(given.over({}), "/var/lib/reveal/state/alerts.json"));
    ASSERT_FALSE(sound) << place;
    EXPECT_EQ(sound.error().where, place);
    EXPECT_EQ(sound.error().remedy, "remove one");
  }
}

}  // namespace
}  // namespace reveal::service
