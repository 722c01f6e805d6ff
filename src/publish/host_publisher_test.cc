// What a made host tells of itself, read from a broker in memory.
#include "publish/host_publisher.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "bus/testing/fake_bus.h"
#include "fleet/testing/made_host.h"
#include "wire/subject.h"

namespace reveal::publish {
namespace {

using fleet::kMadeBegin_ns;
using model::Kind;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
const std::string kHost = "abcdefghijklmnopqrstuvwxyz";

// A second as a reader has it.
struct Told {
  wire::LevelsHead head;
  bool is_key = false;
  std::map<std::string, float> levels;  // by metric
};

// A host that is recorded, publishes, and is read.
class HostPublishes : public testing::Test {
 protected:
  HostPublishes() : made(fleet::made_grid(0)) {
    made.facts.host = "node-7";
    made.facts.boot_id = "boot";
    made.facts.start_wall_ns = kMadeBegin_ns - 10 * kSecond_ns;
    EXPECT_TRUE(stream.begin(made.facts));
    made.also_to = &stream;
  }

  // Lets so many seconds pass.
  void pass(int seconds) {
    for (int s = 0; s < seconds; ++s) {
      made.tick();
      const auto now_ns = kMadeBegin_ns + static_cast<std::int64_t>(made.next) * kSecond_ns;
      for (const auto& bucket : stream.take()) {
        publisher.tell_levels(stream, bucket, verdict, now_ns + late_ns);
      }
      publisher.round(stream, made.facts, findings, now_ns + late_ns);
    }
  }
  // Returns the seconds that a reader understands of what the broker has.
  std::vector<Told> told() const {
    std::vector<Told> out;
    wire::LevelsDecoder decoder;
    std::map<std::uint32_t, wire::Dictionary> dictionaries;
    for (const auto& one : broker.kept) {
      const auto sender = wire::sender_of(one.subject).value();
      EXPECT_EQ(sender.host, kHost);
      if (sender.type == wire::Type::kDictionary) {
        const auto read = wire::read_dictionary(one.payload).value();
        dictionaries[wire::number_of(read.plain)] = read.dictionary;
      }
      if (sender.type != wire::Type::kLevels || !decoder.decode(one.payload)) continue;
      Told second{.head = decoder.head(), .is_key = decoder.is_key(), .levels = {}};
      const auto& quantities = dictionaries.at(second.head.dictionary).quantities;
      EXPECT_EQ(quantities.size(), decoder.codes().size());
      for (std::size_t i = 0; i < quantities.size(); ++i) {
        second.levels[quantities[i].metric] =
            wire::level_of(decoder.codes()[i], quantities[i].floor);
      }
      out.push_back(std::move(second));
    }
    return out;
  }
  std::size_t count(wire::Type type) const {
    return static_cast<std::size_t>(std::ranges::count_if(broker.kept, [&](const auto& one) {
      return wire::sender_of(one.subject).value().type == type;
    }));
  }
  // Returns the latest facts. REQUIRES: there are any.
  wire::Facts facts() const {
    wire::Facts out;
    for (const auto& one : broker.kept) {
      if (wire::sender_of(one.subject).value().type != wire::Type::kFacts) continue;
      out = wire::read_facts(one.payload).value();
    }
    return out;
  }

  base::TempDir dir;
  bus::FakeBroker broker;
  bus::FakePublisher sent{broker};
  fleet::MadeHost made;
  fleet::LevelStream stream{kMadeBegin_ns};
  HostPublisher publisher{
      {.host = kHost,
       .labels = {.site = "main", .role = "trainer", .labels = {{"rack", "r4"}}},
       .events_file = dir.path() / "events",
       .pod_logs = dir.path() / "pods"},
      sent};
  std::optional<HostVerdict> verdict;
  std::vector<FindingState> findings;
  std::int64_t late_ns = 0;
};

TEST_F(HostPublishes, EachSecondWithoutAHole) {
  const auto load = made.add("load");
  for (int s = 0; s < 130; ++s) {
    made.set(load, 1 << (s % 8));
    pass(1);
  }
  const auto seconds = told();
  ASSERT_THAT(seconds, SizeIs(129)) << "the last second goes on";
  std::uint64_t keys = 0;
  for (std::size_t s = 0; s < seconds.size(); ++s) {
    const auto& head = seconds[s].head;
    EXPECT_EQ(head.head.time_ns, kMadeBegin_ns + static_cast<std::int64_t>(s) * kSecond_ns);
    EXPECT_EQ(head.sequence, s + 10) << "the recording is ten seconds older";
    EXPECT_EQ(head.head.run, wire::run_of("boot", made.facts.start_wall_ns));
    EXPECT_TRUE(head.learning);
    EXPECT_FALSE(head.gap_before);
    EXPECT_EQ(seconds[s].levels.at("load"), 1 << (s % 8));
    if (seconds[s].is_key) ++keys;
  }
  EXPECT_EQ(keys, 3u) << "the first, and one a minute";
  EXPECT_EQ(count(wire::Type::kDictionary), 1u);
}

TEST_F(HostPublishes, WhatItsDetectorsSay) {
  made.set(made.add("load"), 1);
  verdict = HostVerdict{.votes = 3, .strength = 1.5, .shares = {0.2, 0, 0, 0.8, 0}};
  pass(2);
  const auto seconds = told();
  ASSERT_THAT(seconds, SizeIs(1));
  EXPECT_FALSE(seconds[0].head.learning);
  EXPECT_EQ(seconds[0].head.votes, 3);
  EXPECT_EQ(seconds[0].head.strength, 1.5F);
  EXPECT_NEAR(seconds[0].head.shares[3], 0.8, 0.01);
}

TEST_F(HostPublishes, AGapAsOne) {
  made.set(made.add("load"), 1);
  pass(3);
  made.skip();
  made.skip();
  pass(3);
  const auto seconds = told();
  ASSERT_THAT(seconds, SizeIs(5));
  EXPECT_TRUE(seconds[3].head.gap_before);
  EXPECT_EQ(seconds[3].head.sequence, seconds[2].head.sequence + 3);
  EXPECT_FALSE(seconds[4].head.gap_before);
}

TEST_F(HostPublishes, ABrokerThatComesBackGetsAKeyMessageFirst) {
  made.set(made.add("load"), 1);
  pass(5);
  broker.is_away = true;
  pass(100);
  EXPECT_THAT(told(), SizeIs(4));
  broker.is_away = false;
  sent.deliver();
  pass(3);
  const auto seconds = told();
  ASSERT_THAT(seconds, SizeIs(7)) << "none of the past";
  EXPECT_TRUE(seconds[4].is_key);
  EXPECT_EQ(seconds[4].head.sequence, seconds[3].head.sequence + 101);
}

TEST_F(HostPublishes, WhatComesLaterIsInTheDictionaryAfterAWhile) {
  const auto load = made.add("load");
  made.set(load, 1);
  pass(1);
  const auto queue = made.add("queue", "dev=sda");
  for (int s = 0; s < 15; ++s) {
    made.set(queue, 4);
    pass(1);
  }
  const auto seconds = told();
  ASSERT_THAT(seconds, SizeIs(15));
  for (std::size_t s = 0; s < seconds.size(); ++s) {
    EXPECT_EQ(seconds[s].levels.contains("queue"), s >= 10) << s;
    EXPECT_EQ(seconds[s].levels.at("load"), 1);
  }
  EXPECT_TRUE(seconds[10].is_key);
  EXPECT_EQ(count(wire::Type::kDictionary), 2u);
}

TEST_F(HostPublishes, WhatHasBeenGoneForLongLeavesTheDictionaryWithTheNextChange) {
  made.set(made.add("load"), 1);
  const auto group = made.add("use", "cg=/a");
  made.set(group, 4);
  pass(2);
  made.set(group, std::nan(""));
  pass(620);
  EXPECT_TRUE(std::isnan(told().back().levels.at("use")));
  made.set(made.add("other"), 1);
  pass(2);
  EXPECT_THAT(told().back().levels,
              ElementsAre(testing::Pair("load", 1), testing::Pair("other", 1)));
  made.set(group, 8);
  pass(12);
  EXPECT_EQ(told().back().levels.at("use"), 8);
}

// Cut to what a message can hold they would be one.
TEST_F(HostPublishes, AllButNamesThatAreTooLong) {
  made.set(made.add("load"), 1);
  for (const char* end : {"a", "b"}) {
    made.set(made.add("use", "cg=/" + std::string(300, 'x') + end), 4);
  }
  pass(2);
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_THAT(told()[0].levels, ElementsAre(testing::Pair("load", 1)));
  EXPECT_EQ(publisher.trouble(), "");
}

TEST_F(HostPublishes, NothingOfLongAgo) {
  made.set(made.add("load"), 1);
  late_ns = 2 * kToldWithin_ns;
  pass(5);
  EXPECT_THAT(told(), IsEmpty());
  late_ns = 0;
  pass(2);
  EXPECT_THAT(told(), SizeIs(2));
}

TEST_F(HostPublishes, WhatItIs) {
  made.set(made.add("load"), 1);
  made.set(made.add("memory_installed_bytes", "", Kind::kStatic, "bytes"), 4096);
  made.say("governor", "powersave");
  made.notes.push_back({model::Note::Kind::kFact, "cgroup", "cg=/a", "somebody"});
  pass(2);
  auto read = facts();
  EXPECT_EQ(read.host, "node-7");
  EXPECT_EQ(read.kernel, "6.1.0");
  EXPECT_EQ(read.boot_id, "boot");
  EXPECT_THAT(read.groups, ElementsAre("role=trainer"));
  EXPECT_THAT(read.labels, ElementsAre(testing::Pair("rack", "r4")));
  std::map<std::string, std::string> texts;
  for (const auto& fact : read.facts) texts[fact.subject] = fact.text;
  EXPECT_THAT(texts, ElementsAre(testing::Pair("governor", "powersave"),
                                 testing::Pair("memory_installed_bytes", "4 KiB")));
  made.say("governor", "performance");
  pass(12);
  EXPECT_EQ(count(wire::Type::kFacts), 2u);
  EXPECT_EQ(facts().facts.front().text, "performance");
}

TEST_F(HostPublishes, LikeHardwareAsOneGroup) {
  made.facts.cpus_online = 8;
  made.notes = {{model::Note::Kind::kFact, "cpu_facts", "processor model", "A CPU"},
                {model::Note::Kind::kFact, "nvml", "name of gpu 0000:17:00.0", "A GPU"},
                {model::Note::Kind::kFact, "nvml", "name of gpu 0000:18:00.0", "A GPU"}};
  const auto memory = made.add("memory_installed_bytes", "", Kind::kStatic, "bytes");
  const auto group_with = [&](double bytes) {
    made.set(memory, bytes);
    pass(1);
    return group_of({.site = "main", .role = {}, .labels = {}}, stream, made.facts);
  };
  const auto group = group_with(512e9);
  EXPECT_THAT(group, testing::MatchesRegex("hw=A CPU, 8 cores, .* GiB, 2 x A GPU"));
  EXPECT_EQ(group_with(512.5e9), group);
  EXPECT_NE(group_with(256e9), group);
}

TEST_F(HostPublishes, JobsThatLast) {
  const auto jobs_now = [&] {
    std::vector<std::string> out;
    for (const auto& group : facts().groups) {
      if (group.starts_with("job=")) out.push_back(group);
    }
    return out;
  };
  const auto owns = [&](const std::string& subject, const std::string& text) {
    made.notes.push_back({model::Note::Kind::kFact, "cgroup", subject, text});
  };
  made.set(made.add("load"), 1);
  pass(2);
  EXPECT_THAT(jobs_now(), IsEmpty());
  const auto since_ns = stream.read_until_ns() + kSecond_ns;
  owns("cg=/slurm/job_7", "slurm job 7");
  owns("cg=/slurm/job_7/step_0", "slurm job 7 step 0");
  pass(28);
  EXPECT_THAT(jobs_now(), IsEmpty()) << "it may be over soon";
  pass(20);
  EXPECT_THAT(jobs_now(), ElementsAre("job=slurm/7"));
  EXPECT_THAT(facts().groups, ElementsAre("job=slurm/7", "role=trainer"));
  const auto all = facts().facts;
  const auto told = std::ranges::find(all, "job", &wire::Fact::source);
  ASSERT_NE(told, all.end());
  EXPECT_EQ(told->subject, "slurm/7");
  EXPECT_NEAR(static_cast<double>(std::stoll(told->text)), static_cast<double>(since_ns), 1e9);
  owns("cg=/slurm/job_7", "");
  pass(12);
  EXPECT_THAT(jobs_now(), ElementsAre("job=slurm/7"));
  owns("cg=/slurm/job_7/step_0", "");
  pass(12);
  EXPECT_THAT(jobs_now(), IsEmpty());
}

TEST_F(HostPublishes, WhatItsPodsBelongTo) {
  for (const auto* folder : {"ml_trainer-worker-3_8a1f", "ml_trainer-worker-4_8a1e",
                             "system_proxy-x7k2p_8a1d", "ml_other-0_8a1c"}) {
    std::filesystem::create_directories(dir.path() / "pods" / folder);
  }
  for (const std::string pod : {"8a1f", "8a1e", "8a1d"}) {
    made.notes.push_back({model::Note::Kind::kFact, "cgroup", "cg=/" + pod, "pod " + pod + " x"});
  }
  made.set(made.add("load"), 1);
  pass(50);
  EXPECT_THAT(facts().groups, ElementsAre("job=kubernetes/ml/trainer", "role=trainer"));
}

TEST_F(HostPublishes, NoMoreJobsThanAMessageHasRoomFor) {
  made.set(made.add("load"), 1);
  for (int job = 10; job < 40; ++job) {
    const auto id = std::to_string(job);
    made.notes.push_back({model::Note::Kind::kFact, "cgroup", "cg=/" + id, "slurm job " + id});
  }
  pass(50);
  EXPECT_THAT(facts().groups, testing::SizeIs(wire::kMaxGroups));
  EXPECT_EQ(facts().groups.back(), "role=trainer") << "what it is without a job is told";
}

TEST_F(HostPublishes, ItsFindings) {
  made.set(made.add("load"), 1);
  pass(2);
  findings = {{.id = "F1",
               .revision = 1,
               .open = true,
               .begin_ns = kMadeBegin_ns,
               .end_ns = kMadeBegin_ns + kSecond_ns,
               .subsystem = model::Subsystem::kStorage,
               .severity = "minor",
               .claim = "a claim",
               .pattern = {},
               .json = "{}"}};
  pass(3);
  ASSERT_EQ(count(wire::Type::kEvent), 1u);
  for (const auto& one : broker.kept) {
    if (wire::sender_of(one.subject).value().type != wire::Type::kEvent) continue;
    const auto event = wire::read_event(one.payload).value();
    EXPECT_EQ(event.what, wire::What::kOpened);
    EXPECT_EQ(event.head.run, wire::run_of("boot", made.facts.start_wall_ns));
    EXPECT_EQ(event.subsystem, model::Subsystem::kStorage);
  }
}

}  // namespace
}  // namespace reveal::publish
