#include "probes/sources.h"

#include <bit>
#include <fstream>
#include <map>
#include <string>

#include <gmock/gmock.h>

#include "base/temp_dir.h"
#include "collect/sampler.h"
#include "probes/testing/udp_client.h"

namespace reveal::probes {
namespace {

using ::testing::HasSubstr;

Metric metric(const std::string& name, model::Kind kind) {
  return {name, "Label", "things", kind, model::Subsystem::kGpu};
}

TEST(ProbeSources, AreThoseThatAreAskedFor) {
  Options options;
  EXPECT_TRUE(sources(options)->empty());
  options.metrics = {metric("a", model::Kind::kGauge)};
  EXPECT_TRUE(sources(options)->empty());
  options.textfile = "/a";
  options.statsd = "127.0.0.1:8125";
  options.commands = {{{"/bin/true"}, std::chrono::seconds(60), std::chrono::seconds(1)}};
  const auto all = sources(options);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 3u);
  EXPECT_EQ((*all)[0].name, "textfile");
  EXPECT_EQ((*all)[1].name, "command");
  EXPECT_EQ((*all)[2].name, "statsd");
}

TEST(ProbeSources, RefuseANameThatIsTaken) {
  const auto error_of = [](const std::vector<Metric>& metrics) {
    const auto made = sources({"/a", {}, {}, metrics});
    return made ? "" : made.error().message();
  };
  const auto gauge = model::Kind::kGauge;
  EXPECT_THAT(error_of({metric("a", gauge), metric("a", gauge)}), HasSubstr("declared twice"));
  EXPECT_THAT(error_of({metric("memory_dirty_bytes", gauge)}), HasSubstr("Reveal itself reads"));
  EXPECT_THAT(error_of({metric("cpu_busy_ratio", gauge)}), HasSubstr("Reveal itself reads"));
  EXPECT_EQ(error_of({metric("a", gauge), metric("b", gauge)}), "");
  const auto open = sources({{}, "0.0.0.0:8125", {}, {}});
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().kind, base::ErrorKind::kUsage);
}

// All three, read as a recording reads them.
TEST(ProbeSources, AreReadBesideTheCollectors) {
  const base::TempDir folder;
  std::ofstream(folder.path() / "a.prom") << "level 1.5\n";
  Options options;
  options.textfile = folder.path().string();
  const auto port = free_port();
  options.statsd = "127.0.0.1:" + std::to_string(port);
  options.commands = {
      {{"/bin/echo", "printed 4"}, std::chrono::seconds(60), std::chrono::seconds(10)}};
  options.metrics = {metric("level", model::Kind::kGauge), metric("printed", model::Kind::kGauge),
                     metric("done_total", model::Kind::kCounter)};
  auto own = sources(options);
  ASSERT_TRUE(own);
  auto sampler =
      collect::Sampler::open({.interval = std::chrono::milliseconds(50)}, std::move(*own));
  ASSERT_TRUE(sampler) << sampler.error().message();
  const UdpClient client(port);
  std::map<std::string, double> last;
  for (int i = 0; i < 200 && last.size() < 3; ++i) {
    ASSERT_TRUE(client.send("done_total:1|c"));
    const auto frame = (*sampler)->next();
    ASSERT_TRUE(frame);
    const auto& channels = (*sampler)->channels();
    for (std::size_t id = 0; id < (*frame)->bits.size(); ++id) {
      const model::ChannelId channel(id);
      if (!(*frame)->was_read(channel)) continue;
      const auto value = std::bit_cast<double>((*frame)->bits[id]);
      if (value > 0) last[channels.name(channel)] = value;
    }
  }
  EXPECT_EQ(last["level"], 1.5);
  EXPECT_EQ(last["printed"], 4);
  EXPECT_GE(last["done_total"], 1);
}

}  // namespace
}  // namespace reveal::probes
