#include "settings/setting.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "settings/file.h"
#include "settings/given.h"
#include "settings/value_text.h"

namespace reveal::settings {
namespace {

// A value that is not the default, as a flag has it and as the file does.
struct Sample {
  std::string text;
  std::string toml;
};

Sample quoted(const std::string& text) {
  return {text, fmt::format("\"{}\"", text)};
}

struct SampleOf {
  const Setting& setting;

  Sample operator()(const bool* value) const { return quoted(*value ? "off" : "on"); }
  Sample operator()(std::int64_t*) const { return quoted("59s"); }
  Sample operator()(std::uint64_t*) const {
    return setting.form == Form::kBytes ? quoted("3GiB") : Sample{"7", "7"};
  }
  Sample operator()(std::uint32_t*) const { return {"3", "3"}; }
  Sample operator()(int*) const { return {"3", "3"}; }
  Sample operator()(double*) const { return {"0.25", "0.25"}; }
  Sample operator()(std::optional<double>*) const { return {"2", "2"}; }
  Sample operator()(std::string*) const {
    if (setting.form == Form::kWord) return reveal::settings::quoted(choices_of(setting).back());
    return quoted(setting.form == Form::kMethod ? "paper" : "some/file.json");
  }
  Sample operator()(std::vector<std::string>*) const {
    const bool features = setting.form == Form::kFeatures;
    return features ? Sample{"mean,range", R"(["mean", "range"])"}
                    : Sample{"saturation,zscore", R"(["saturation", "zscore"])"};
  }
  Sample operator()(std::optional<window::Length>*) const { return {"30", "30"}; }
  Sample operator()(detect::Threshold*) const { return {"3.5", "3.5"}; }
  Sample operator()(FreeSpace*) const { return quoted("7%"); }
};

Sample sample_of(const Setting& setting) {
  Settings any;
  return std::visit([&](auto* value) { return SampleOf{setting}(value); }, setting.slot(any));
}

base::Result<void> read(const Setting& setting, const std::string& toml, Given& given) {
  return read_settings(fmt::format("[{}]\n{} = {}\n", setting.section, setting.key, toml), "file",
                       given);
}

TEST(Settings, EachGoesByItsFlagAndByTheFileToTheSamePlace) {
  for (const auto& setting : all_settings()) {
    const auto sample = sample_of(setting);
    ASSERT_NE(text_of(setting, {}), sample.text) << setting.key;
    Given by_flag;
    Given by_file;
    ASSERT_TRUE(by_flag.by_flag(setting, sample.text)) << setting.key;
    const auto done = read(setting, sample.toml, by_file);
    ASSERT_TRUE(done) << done.error().message();
    EXPECT_EQ(text_of(setting, by_flag.over({})), sample.text) << setting.key;
    EXPECT_EQ(text_of(setting, by_file.over({})), sample.text) << setting.key;
    for (const auto& other : all_settings()) {
      if (&other == &setting) continue;
      EXPECT_EQ(text_of(other, by_flag.over({})), text_of(other, {})) << setting.key << other.key;
    }
  }
}

TEST(Settings, ShowTheDefaultThatTheyHave) {
  for (const auto& setting : all_settings()) {
    const auto text = text_of(setting, {});
    // What a recording's interval decides has a default to show and none to hold.
    EXPECT_TRUE(text.empty() || !setting.shown_default.empty()) << setting.key;
    if (setting.shown_default.empty()) continue;
    Settings shown;
    ASSERT_TRUE(set(setting, std::string(setting.shown_default), shown)) << setting.key;
    if (!text.empty()) {
      EXPECT_EQ(text_of(setting, shown), text) << setting.key;
    }
  }
}

TEST(Settings, HaveNamesOfTheirOwnAndStandTogether) {
  std::set<std::string> keys;
  std::set<std::string> flags;
  for (const auto& setting : all_settings()) {
    const auto key = fmt::format("{}.{}", setting.section, setting.key);
    EXPECT_TRUE(keys.insert(key).second) << key;
    if (setting.flag.empty()) continue;
    EXPECT_TRUE(setting.flag.starts_with("--")) << key;
    EXPECT_TRUE(flags.insert(fmt::format("{}{}", setting.section, setting.flag)).second) << key;
  }
  std::size_t rows = 0;
  for (const char* section :
       {"agent", "record", "collect", "analysis", "retention", "web", "web.tls", "web.auth",
        "alerts", "fleet", "fleet.tls", "analyser", "probes"}) {
    rows += settings_of(section).size();
  }
  EXPECT_EQ(rows, all_settings().size());
}

TEST(Settings, RefuseWhatLiesOutsideTheirBounds) {
  Settings all;
  const auto error_of = [&](const char* section, const char* key, const char* text) {
    const auto done = set(*find_setting(section, key), text, all);
    return done ? "" : done.error().message();
  };
  EXPECT_EQ(error_of("record", "interval", "1ms"), "1ms: must be from 10ms to 60s");
  EXPECT_EQ(error_of("record", "keep", "10ms"), "10ms: must be at least 1s");
  EXPECT_EQ(error_of("record", "max_size", "3KiB"), "3KiB: must be at least 256KiB");
  EXPECT_EQ(error_of("analysis", "contamination", "0"), "0: must be from 0.000001 to 0.5");
  EXPECT_EQ(error_of("analysis", "agreement", "0"), "0: must be at least 1");
  EXPECT_NE(error_of("analysis", "seed", "-1"), "");
  EXPECT_NE(error_of("analysis", "threshold", "nan"), "");
  EXPECT_NE(error_of("analysis", "select", ""), "");
  EXPECT_EQ(error_of("record", "processes", "no"), "no: must be on or off");
  EXPECT_EQ(error_of("record", "processes", ""), "must be on or off");
  EXPECT_EQ(all.record.interval_ns, RecordSettings{}.interval_ns);
}

TEST(Given, FlagsWinOverTheFile) {
  Given given;
  const auto& seed = *find_setting("analysis", "seed");
  ASSERT_TRUE(given.by_flag(seed, "3"));
  ASSERT_TRUE(read(seed, "4", given));
  EXPECT_EQ(given.over({}).analysis.seed, 3u);
  EXPECT_EQ(*given.flag_text("analysis", "seed"), "3");
  EXPECT_EQ(given.flag_text("analysis", "method"), nullptr);
}

TEST(Given, AFlagThatNamesAnotherMethodOverridesTheFilesAnalysis) {
  Given given;
  ASSERT_TRUE(read(*find_setting("analysis", "seed"), "4", given));
  ASSERT_TRUE(read(*find_setting("record", "interval"), "\"1s\"", given));
  EXPECT_EQ(given.method(), "default");
  EXPECT_EQ(given.over({}).analysis.seed, 4u);
  ASSERT_TRUE(given.by_flag(*find_setting("analysis", "method"), "paper"));
  EXPECT_EQ(given.method(), "paper");
  EXPECT_EQ(given.over({}).analysis.seed, 1u);
  EXPECT_EQ(given.over({}).record.interval_ns, 1'000'000'000);
}

TEST(ValueText, IsWhatTheParsersRead) {
  EXPECT_EQ(time_text(90'000'000'000), "90s");
  EXPECT_EQ(time_text(86'400'000'000'000), "1d");
  EXPECT_EQ(time_text(1), "1ns");
  EXPECT_EQ(size_text(std::uint64_t{3} << 29), "1536MiB");
  EXPECT_EQ(size_text(1000), "1000B");
  EXPECT_THAT(split_names("a,b"), ::testing::ElementsAre("a", "b"));
}

TEST(SettingsPage, HasARowForEach) {
  const auto page = settings_page();
  for (const auto& setting : all_settings()) {
    EXPECT_THAT(page, ::testing::HasSubstr(fmt::format("| `{}` |", setting.key)));
  }
}

}  // namespace
}  // namespace reveal::settings
