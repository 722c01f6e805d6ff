#include "settings/file.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/new_file.h"
#include "base/temp_dir.h"

namespace reveal::settings {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

std::string error_of(std::string_view text) {
  Given given;
  const auto read = read_settings(text, "reveal.toml", given);
  return read ? "" : read.error().message();
}

Settings settings_of_file(std::string_view text) {
  Given given;
  const auto read = read_settings(text, "reveal.toml", given);
  EXPECT_TRUE(read) << (read ? "" : read.error().message());
  return given.over({});
}

TEST(SettingsFile, SaysWhatIsReadHowOften) {
  const auto all = settings_of_file(R"([collect]
quick = "200ms"
medium = "500ms"
slow = "60s"
budget = 0.05
[collect.poll_classes]
interrupts = "slow"
edac = "off"
)");
  EXPECT_EQ(all.collect.quick_ns, 200'000'000);
  EXPECT_EQ(all.collect.medium_ns, 500'000'000);
  EXPECT_EQ(all.collect.slow_ns, 60'000'000'000);
  EXPECT_EQ(all.collect.budget_ratio, 0.05);
  EXPECT_THAT(all.collect.poll_classes,
              ElementsAre(Pair("edac", "off"), Pair("interrupts", "slow")));
}

TEST(SettingsFile, NothingMeansTheDefaults) {
  const auto all = settings_of_file("");
  EXPECT_EQ(all.collect.medium_ns, CollectSettings{}.medium_ns);
  EXPECT_TRUE(all.collect.poll_classes.empty());
}

TEST(SettingsFile, CoversRecordingAnalysisAndRetention) {
  const auto all = settings_of_file(R"([record]
interval = "200ms"
max_size = "10GiB"
[analysis]
window = 30
threshold = 4
features = ["mean", "range"]
[retention]
full = "12h"
)");
  EXPECT_EQ(all.record.interval_ns, 200'000'000);
  EXPECT_EQ(all.record.max_bytes, std::uint64_t{10} << 30);
  EXPECT_EQ(all.analysis.windows.length, (window::Length{30, window::Length::Unit::kTicks}));
  EXPECT_EQ(all.analysis.threshold, detect::Threshold::fixed(4));
  EXPECT_THAT(all.analysis.feature_names, ElementsAre("mean", "range"));
  EXPECT_EQ(all.retention.full_ns, 43'200'000'000'000);
}

TEST(SettingsFile, CoversTheAgentAndItsReceivers) {
  const auto all = settings_of_file(R"([agent]
directory = "/srv/reveal"
[web]
listen = ["127.0.0.1:9999"]
[alerts]
min_severity = "major"
resend = "10s"
[[alerts.webhook]]
url = "https://example.com/one"
secret_file = "/etc/reveal/secret"
[[alerts.webhook]]
url = "https://example.com/two"
timeout = "2s"
[[alerts.command]]
run = ["/usr/local/bin/tell", "ops team"]
[[alerts.journal]]
)");
  EXPECT_EQ(all.agent.directory, "/srv/reveal");
  EXPECT_THAT(all.web.listen, ElementsAre("127.0.0.1:9999"));
  EXPECT_EQ(all.alerts.min_severity, "major");
  EXPECT_EQ(all.alerts.resend_ns, 10'000'000'000);
  ASSERT_EQ(all.receivers.size(), 4U);
  EXPECT_THAT(all.receivers[0].run, ElementsAre("/usr/local/bin/tell", "ops team"));
  EXPECT_EQ(all.receivers[1].kind, "journal");
  EXPECT_EQ(all.receivers[1].timeout_ns, 5'000'000'000);
  EXPECT_EQ(all.receivers[2].kind, "webhook");
  EXPECT_EQ(all.receivers[2].secret_file, "/etc/reveal/secret");
  EXPECT_EQ(all.receivers[3].url, "https://example.com/two");
  EXPECT_EQ(all.receivers[3].timeout_ns, 2'000'000'000);
}

TEST(SettingsFile, ATableMayHaveTables) {
  const auto all = settings_of_file(R"([web]
names = ["n017.example.org", "n017"]
[web.tls]
cert_file = "/etc/reveal/tls/cert.pem"
min_version = "TLS13"
[web.auth]
tokens_file = "/etc/reveal/tokens"
)");
  EXPECT_THAT(all.web.names, ElementsAre("n017.example.org", "n017"));
  EXPECT_EQ(all.web.tls.cert_file, "/etc/reveal/tls/cert.pem");
  EXPECT_EQ(all.web.tls.min_version, "TLS13");
  EXPECT_EQ(all.web.tls.client_auth_type, "NoClientCert");
  EXPECT_EQ(all.web.auth.tokens_file, "/etc/reveal/tokens");
  EXPECT_THAT(error_of("[web.tls]\ncert = \"x\"\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("did you mean cert_file?")));
  EXPECT_THAT(error_of("[web]\ntls = true\n"), AllOf(HasSubstr("line 2"), HasSubstr("[web.tls]")));
  EXPECT_THAT(error_of("[web.tsl]\n"), AllOf(HasSubstr("line 1"), HasSubstr("did you mean tls?")));
  EXPECT_THAT(error_of("[web.tls]\nmin_version = \"TLS11\"\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("TLS12, TLS13")));
  EXPECT_THAT(error_of("[web.tls]\nclient_auth_type = \"RequireClientCert\"\n"),
              HasSubstr("line 2"));
}

TEST(SettingsFile, SaysWhereAValueStands) {
  Given given;
  ASSERT_TRUE(read_settings("[web]\n\nlisten = [\"0.0.0.0:1\"]\n", "reveal.toml", given));
  EXPECT_EQ(given.place_of("web", "listen"), "reveal.toml, line 3: listen");
  EXPECT_EQ(given.place_of("web.tls", "cert_file"), "[web.tls] cert_file");
}

TEST(SettingsFile, ASwitchIsABooleanOrAWord) {
  EXPECT_TRUE(settings_of_file("[web]\ninsecure = true\n").web.insecure);
  EXPECT_TRUE(settings_of_file("[web]\ninsecure = \"on\"\n").web.insecure);
  EXPECT_FALSE(settings_of_file("[record]\nprocesses = false\n").record.processes);
  EXPECT_THAT(error_of("[web]\ninsecure = 1\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("true or false")));
  EXPECT_THAT(error_of("[web]\ninsecure = \"true\"\n"), HasSubstr("on or off"));
}

TEST(SettingsFile, MistakesInReceiversAreNamedWithTheirLine) {
  EXPECT_THAT(error_of("[[alerts.webhook]]\nulr = \"x\"\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("did you mean url?")));
  EXPECT_THAT(error_of("[[alerts.webhook]]\ntimeout = \"1s\"\n"),
              AllOf(HasSubstr("line 1"), HasSubstr("needs the key url")));
  EXPECT_THAT(error_of("[[alerts.command]]\nrun = \"tell ops\"\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("list of words")));
  EXPECT_THAT(error_of("[[alerts.command]]\nrun = [\"tell\"]\nurl = \"x\"\n"),
              AllOf(HasSubstr("line 3"), HasSubstr("url is not a key here")));
  EXPECT_THAT(error_of("[[alerts.alertmanager]]\nurl = \"x\"\ntimeout = \"1h\"\n"),
              HasSubstr("line 3"));
  EXPECT_THAT(error_of("[[alerts.journal]]\nurl = \"x\"\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("url is not a key here")));
  EXPECT_THAT(error_of("[[alerts.journal]]\ntimeout = \"1m\"\n"), HasSubstr("line 2"));
  EXPECT_THAT(error_of("[alerts]\nwebhook = 3\n"), HasSubstr("[[alerts.webhook]]"));
  EXPECT_THAT(error_of("[alerts]\nmin_severity = \"huge\"\n"), HasSubstr("line 2"));
}

TEST(SettingsFile, EveryMistakeIsNamedWithItsLine) {
  EXPECT_THAT(error_of("[collect]\nmedum = \"1s\"\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("medum"), HasSubstr("did you mean medium?")));
  EXPECT_THAT(error_of("\n[colect]\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("colect"), HasSubstr("[collect]")));
  EXPECT_THAT(error_of("collect = 3"), HasSubstr("line 1"));
  EXPECT_THAT(error_of("[collect]\npoll_classes = 1\n"), HasSubstr("[collect.poll_classes]"));
  EXPECT_THAT(error_of("[collect.poll_classes]\nedac = \"never\"\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("edac"), HasSubstr("off")));
  EXPECT_THAT(error_of("[analysis]\nfeatures = \"avarage\"\n"),
              AllOf(HasSubstr("reveal.toml, line 2"), HasSubstr("avarage"), HasSubstr("--list")));
  EXPECT_THAT(error_of("[analysis]\nfeatures = [\"mean\", 3]\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("name")));
  EXPECT_THAT(error_of("[analysis]\nfeatures = []\n"), HasSubstr("line 2"));
  EXPECT_THAT(error_of("[analysis]\nfeature = \"mean\"\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("features")));
  EXPECT_THAT(error_of("[collect\n"), HasSubstr("line 1"));
}

TEST(SettingsFile, ValuesOutsideTheirBoundsAreNamedWithTheirLine) {
  for (const char* text :
       {"[collect]\nslow = \"1ms\"\n", "[collect]\nslow = 10\n", "[collect]\nbudget = 0\n",
        "[collect]\nbudget = nan\n", "[record]\ninterval = \"1ms\"\n", "[record]\nkeep = \"1ms\"\n",
        "[record]\nmax_size = 5\n", "[record]\nmin_free = -1\n", "[record]\nmin_free = 1.5\n",
        "[analysis]\ncontamination = 0.6\n", "[analysis]\nthreshold = \"high\"\n",
        "[analysis]\nthreshold = -1\n", "[analysis]\nmethod = \"papr\"\n",
        "[analysis]\nseed = true\n", "[analysis]\ndetectors = [\"saturation\", \"no\"]\n",
        "[analysis]\nwindow = 0\n", "[retention]\nfull = \"1\"\n"}) {
    EXPECT_THAT(error_of(text), HasSubstr("reveal.toml, line 2")) << text;
  }
  EXPECT_THAT(error_of("[collect]\nslow = 10\n"), HasSubstr("10ms"));
  EXPECT_THAT(error_of("[record]\ninterval = \"1ms\"\n"), HasSubstr("from 10ms to 60s"));
}

std::vector<std::string> mistakes_of(std::string_view text) {
  Given given;
  std::vector<std::string> out;
  for (const auto& one : read_all_settings(text, "reveal.toml", given))
    out.push_back(one.message());
  return out;
}

TEST(SettingsFile, AllMistakesAreToldByLine) {
  EXPECT_THAT(mistakes_of("[web]\nlisten = 3\n[record]\nkep = \"1d\"\ninterval = \"1ms\"\n[wat]\n"),
              ElementsAre(HasSubstr("line 2"), AllOf(HasSubstr("line 4"), HasSubstr("keep")),
                          HasSubstr("line 5"), HasSubstr("line 6")));
  EXPECT_THAT(mistakes_of("[collect.poll_classes]\nedac = \"never\"\nnuma = 3\n"),
              ElementsAre(HasSubstr("line 2"), HasSubstr("line 3")));
  EXPECT_THAT(mistakes_of("[record]\nkeep = \"1d\"\n"), testing::IsEmpty());
}

// Files in a folder, of which reveal.toml is the first.
class SettingsFiles : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((dir_.path() / name).parent_path());
    ASSERT_TRUE(base::write_new_file(dir_.path() / name, text));
  }
  std::string error() const {
    Given given;
    const auto read = load_settings(main_, given);
    return read ? "" : read.error().message();
  }

  base::TempDir dir_;
  std::filesystem::path main_ = dir_.path() / "reveal.toml";
};

TEST_F(SettingsFiles, OfConfDAreReadAfterTheFirstInTheOrderOfTheirNames) {
  write("reveal.toml", "[record]\nkeep = \"1d\"\nmax_size = \"1GiB\"\n[[alerts.journal]]\n");
  write("conf.d/20-site.toml", "[record]\nkeep = \"3d\"\n");
  write("conf.d/10-vendor.toml",
        "[record]\nkeep = \"2d\"\ninterval = \"200ms\"\n[[alerts.journal]]\n");
  write("conf.d/30-off.toml.disabled", "[wat]\n");
  write("conf.d/.40-hidden.toml", "[wat]\n");
  write("conf.d/README", "not TOML");
  Given given;
  const auto read = load_settings(main_, given);
  ASSERT_TRUE(read) << read.error().message();
  const auto all = given.over({});
  EXPECT_EQ(all.record.keep_ns, std::int64_t{3} * 86'400'000'000'000);
  EXPECT_EQ(all.record.interval_ns, 200'000'000);
  EXPECT_EQ(all.record.max_bytes, std::uint64_t{1} << 30);
  EXPECT_EQ(all.receivers.size(), 2U);
  EXPECT_THAT(given.place_of("record", "keep"), HasSubstr("conf.d/20-site.toml, line 2"));
  EXPECT_THAT(given.place_of("record", "max_size"), HasSubstr("reveal.toml, line 3"));
}

TEST_F(SettingsFiles, OfConfDAreNamedInTheirMistakes) {
  write("reveal.toml", "[record]\nkep = \"1d\"\n");
  write("conf.d/a.toml", "\n[record\n");
  write("conf.d/b.toml", "[web]\nlisten = 3\n");
  const auto text = text_of_file(main_);
  ASSERT_TRUE(text);
  Given given;
  const auto mistakes = read_all_settings(*text, name_of(main_), given);
  ASSERT_EQ(mistakes.size(), 3U);
  EXPECT_THAT(mistakes[0].message(), HasSubstr("reveal.toml, line 2"));
  EXPECT_THAT(mistakes[1].message(), HasSubstr("conf.d/a.toml, line 2"));
  EXPECT_THAT(mistakes[2].message(), HasSubstr("conf.d/b.toml, line 2"));
}

TEST_F(SettingsFiles, OfConfDMustBeTexts) {
  write("reveal.toml", "");
  write("conf.d/a.toml", std::string("[record]\n\0[web]\n", 16));
  EXPECT_THAT(error(), AllOf(HasSubstr("conf.d/a.toml"), HasSubstr("is not a text")));
  std::filesystem::remove(dir_.path() / "conf.d/a.toml");
  EXPECT_EQ(error(), "");
  std::filesystem::create_directory(dir_.path() / "conf.d/b.toml");
  EXPECT_THAT(error(), HasSubstr("conf.d/b.toml"));
  std::filesystem::remove_all(dir_.path() / "conf.d");
  EXPECT_EQ(error(), "");
  write("conf.d", "a file");
  EXPECT_THAT(error(), AllOf(HasSubstr("cannot list the folder"), HasSubstr("conf.d")));
}

TEST(SettingsFile, AFileThatIsAskedForMustBeThere) {
  Given given;
  const auto read = load_settings("/nonexistent/reveal.toml", given);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, base::ErrorKind::kUsage);
  EXPECT_THAT(read.error().message(), HasSubstr("/nonexistent/reveal.toml"));
}

}  // namespace
}  // namespace reveal::settings
