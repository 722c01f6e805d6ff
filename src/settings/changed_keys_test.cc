#include "settings/changed_keys.h"

#include <string_view>

#include <gmock/gmock.h>

#include "settings/file.h"
#include "settings/setting.h"

namespace reveal::settings {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Settings settings_in(std::string_view text) {
  Given given;
  const auto read = read_settings(text, "reveal.toml", given);
  EXPECT_TRUE(read) << (read ? "" : read.error().message());
  return given.over({});
}

TEST(ChangedKeys, AreThoseWhoseValuesDiffer) {
  const auto before = settings_in(R"([record]
keep = "24h"
[web]
listen = ["127.0.0.1:1", "unix:/a"]
[alerts]
resend = "1m"
)");
  EXPECT_THAT(changed_keys(before, before), IsEmpty());
  const auto after = settings_in(R"([record]
keep = "1d"
interval = "200ms"
[web]
listen = ["unix:/a", "127.0.0.1:1"]
[web.tls]
cert_file = "/etc/reveal/cert"
)");
  EXPECT_THAT(changed_keys(before, after),
              ElementsAre("record.interval", "web.listen", "web.tls.cert_file", "alerts.resend"));
  EXPECT_THAT(changed_keys(after, before),
              ElementsAre("record.interval", "web.listen", "web.tls.cert_file", "alerts.resend"));
}

TEST(ChangedKeys, ProbesOfAKindAreOneEach) {
  const auto before = settings_in(
      "[[probes.metric]]\nname = \"jobs\"\n"
      "kind = \"gauge\"\nunit = \"jobs\"\nsubsystem = \"unknown\"\n");
  const auto after = settings_in(R"([probes]
statsd = "127.0.0.1:8125"
[[probes.metric]]
name = "jobs"
kind = "gauge"
unit = "jobs"
subsystem = "unknown"
[[probes.metric]]
name = "tokens_total"
kind = "counter"
unit = "tokens"
subsystem = "unknown"
[[probes.command]]
run = ["/usr/bin/true"]
)");
  EXPECT_THAT(changed_keys(before, before), IsEmpty());
  EXPECT_THAT(changed_keys(before, after),
              ElementsAre("probes.statsd", "probes.metric", "probes.command"));
}

TEST(ChangedKeys, PollClassesAndReceiversOfAKindAreOneEach) {
  const auto before = settings_in("[[alerts.webhook]]\nurl = \"http://a/1\"\n");
  const auto after = settings_in(R"([collect.poll_classes]
interrupts = "slow"
edac = "off"
[[alerts.webhook]]
url = "http://a/1"
timeout = "6s"
[[alerts.webhook]]
url = "http://a/2"
[[alerts.journal]]
)");
  EXPECT_THAT(changed_keys(before, after),
              ElementsAre("collect.poll_classes", "alerts.webhook", "alerts.journal"));
}

// A setting of which no change is seen would be said to hold while it does not.
TEST(ChangedKeys, EachSettingOfTheTableIsSeen) {
  const Settings usual;
  for (const auto& setting : all_settings()) {
    Settings other;
    bool is_other = false;
    for (const auto* text : {"7", "3", "7s", "7MiB", "0.3", "on", "off", "mean", "saturation",
                             "TLS13", "major", "paper", "RequestClientCert"}) {
      if (!set(setting, text, other) || text_of(setting, other) == text_of(setting, usual))
        continue;
      is_other = true;
      break;
    }
    ASSERT_TRUE(is_other) << setting.section << "." << setting.key;
    EXPECT_THAT(changed_keys(usual, other),
                ElementsAre(std::string(setting.section) + "." + std::string(setting.key)));
  }
}

}  // namespace
}  // namespace reveal::settings
