#include "settings/toml_text.h"

#include <gmock/gmock.h>

#include "settings/file.h"
#include "settings/given.h"
#include "settings/probes.h"
#include "settings/setting.h"

namespace reveal::settings {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Settings read(const std::string& text) {
  Given given;
  const auto done = read_settings(text, "reveal.toml", given);
  EXPECT_TRUE(done) << done.error().message() << "\n" << text;
  return given.over({});
}

void expect_same(const Settings& ours, const Settings& theirs) {
  for (const auto& setting : all_settings()) {
    EXPECT_EQ(text_of(setting, ours), text_of(setting, theirs)) << setting.key;
  }
  EXPECT_EQ(ours.collect.poll_classes, theirs.collect.poll_classes);
  ASSERT_EQ(ours.probes.metrics.size(), theirs.probes.metrics.size());
  for (std::size_t i = 0; i < ours.probes.metrics.size(); ++i) {
    const auto& metric = ours.probes.metrics[i];
    EXPECT_EQ(probe_texts(metric), probe_texts(theirs.probes.metrics[i]));
    EXPECT_EQ(metric.scale, theirs.probes.metrics[i].scale);
  }
  ASSERT_EQ(ours.probes.commands.size(), theirs.probes.commands.size());
  for (std::size_t i = 0; i < ours.probes.commands.size(); ++i) {
    EXPECT_EQ(ours.probes.commands[i].run, theirs.probes.commands[i].run);
    EXPECT_EQ(ours.probes.commands[i].every_ns, theirs.probes.commands[i].every_ns);
    EXPECT_EQ(ours.probes.commands[i].timeout_ns, theirs.probes.commands[i].timeout_ns);
  }
  ASSERT_EQ(ours.receivers.size(), theirs.receivers.size());
  for (std::size_t i = 0; i < ours.receivers.size(); ++i) {
    EXPECT_EQ(ours.receivers[i].kind, theirs.receivers[i].kind);
    EXPECT_EQ(ours.receivers[i].url, theirs.receivers[i].url);
    EXPECT_EQ(ours.receivers[i].secret_file, theirs.receivers[i].secret_file);
    EXPECT_EQ(ours.receivers[i].run, theirs.receivers[i].run);
    EXPECT_EQ(ours.receivers[i].timeout_ns, theirs.receivers[i].timeout_ns);
  }
}

TEST(TomlText, OfTheUsualSettingsIsReadAsThese) {
  const Settings usual;
  expect_same(read(toml_text(usual)), usual);
  EXPECT_THAT(toml_text(usual),
              HasSubstr("\n[record]\ninterval = \"100ms\"\nmin_free = \"auto\"\n"));
  EXPECT_THAT(toml_text(usual), Not(HasSubstr("max_size"))) << "it has no value";
  EXPECT_THAT(toml_text(usual), Not(HasSubstr("names"))) << "nor has this";
}

TEST(TomlText, OfAllThatAFileCanSayIsReadAsThat) {
  const auto given = read(R"([agent]
directory = "/a \"quoted\" \\ place"
[record]
interval = "20ms"
max_size = "10GiB"
keep = "7d"
[collect.poll_classes]
interrupts = "slow"
[analysis]
window = 30
threshold = 4.5
features = ["default", "previous_ks_distance"]
false_alarms = 0.5
[web]
listen = ["127.0.0.1:0", "unix:/run/a.sock"]
names = ["n017.example.org"]
[web.tls]
cert_file = "/etc/reveal/tls/cert.pem"
client_auth_type = "RequestClientCert"
[web.auth]
tokens_file = "/etc/reveal/tokens"
[probes]
textfile = "/var/lib/metrics"
statsd = "127.0.0.1:8125"
[[probes.metric]]
name = "train_step_seconds"
kind = "gauge"
unit = "seconds"
subsystem = "gpu"
label = "A \"step\""
scale = 0.001
[[probes.metric]]
name = "requests_total"
kind = "counter"
unit = "requests"
subsystem = "unknown"
[[probes.command]]
run = ["/usr/local/bin/power", "--all racks"]
every = "30s"
timeout = "2500ms"
[[alerts.webhook]]
url = "https://example.com/hook"
secret_file = "/etc/reveal/secret"
timeout = "1500ms"
[[alerts.command]]
run = ["/bin/tell", "two words"]
[[alerts.journal]]
timeout = "2s"
)");
  const auto text = toml_text(given);
  expect_same(read(text), given);
  EXPECT_THAT(text, HasSubstr("\n[web.tls]\ncert_file = \"/etc/reveal/tls/cert.pem\"\n"));
  EXPECT_THAT(text, HasSubstr("secret_file = \"/etc/reveal/secret\"\n"));
  EXPECT_THAT(text, HasSubstr("\n[[alerts.journal]]\ntimeout = \"2s\"\n"));
  EXPECT_THAT(text, HasSubstr("listen = [\"127.0.0.1:0\", \"unix:/run/a.sock\"]\n"));
}

}  // namespace
}  // namespace reveal::settings
