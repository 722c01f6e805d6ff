// Jobs of hosts, from a broker in memory to the database.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyser/loop.h"
#include "base/temp_dir.h"
#include "bus/testing/fake_bus.h"
#include "peers/testing/lab.h"

namespace reveal::analyser {
namespace {

using peers::kSecond_ns;
using peers::MadeFleet;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class JobsOfAFleet : public testing::Test {
 protected:
  static constexpr std::size_t kHosts = 6;
  static constexpr std::size_t kOfJob = 4;

  void SetUp() override { start(); }
  // Starts an analyser that knows what the database has; the broker has kept all messages.
  void start() {
    loop.reset();
    auto ledger = ledger::Ledger::open(file());
    ASSERT_TRUE(ledger) << ledger.error().message();
    AnalyserOutput output;
    output.incident = [this](const peers::News& one) {
      news.push_back(one);
      return base::Result<void>();
    };
    output.notice = [](std::string_view) {};
    loop = std::make_unique<Loop>(Loop::Subscribers{std::make_unique<bus::FakeSubscriber>(facts),
                                                    std::make_unique<bus::FakeSubscriber>(events),
                                                    std::make_unique<bus::FakeSubscriber>(levels),
                                                    std::make_unique<bus::FakeSubscriber>(late)},
                                  Keeper(std::move(*ledger), [](std::string_view) {}),
                                  std::move(output), [this] { return steady_ns; });
  }
  std::string file() const { return (folder.path() / "fleet.db").string(); }
  std::vector<ledger::Row> rows(const std::string& statement) {
    const auto database = ledger::open_database(file(), ledger::Access::kRead);
    EXPECT_TRUE(database);
    auto out = (*database)->query(statement);
    EXPECT_TRUE(out) << out.error().message();
    return out ? *out : std::vector<ledger::Row>();
  }
  void run(std::size_t from, std::size_t to, const MadeFleet::Level& level = peers::usual_level) {
    for (std::size_t s = from; s < to; ++s) {
      made.send_second(s, level);
      steady_ns += kSecond_ns;
      ASSERT_TRUE(loop->round());
    }
  }
  void tell_jobs(const MadeFleet::Jobs& jobs, std::size_t second) {
    for (std::size_t host = 0; host < kOfJob; ++host) made.send_jobs(host, jobs, second);
  }
  void send_gap(std::size_t from, std::size_t to, const MadeFleet::Level& level,
                std::size_t hosts) {
    for (std::size_t host = 0; host < hosts; ++host) {
      for (std::size_t s = to; s-- > from;) made.send_late(host, s, level, MadeFleet::end_of(to));
    }
  }
  static std::string time_of(std::size_t second) {
    return std::to_string(MadeFleet::begin_of(second));
  }

  base::TempDir folder;
  bus::FakeBroker facts;
  bus::FakeBroker events;
  bus::FakeBroker levels;
  bus::FakeBroker late;
  MadeFleet made{kHosts, peers::made_dictionary(),
                 [this](const auto& subject, const auto& payload, std::int64_t stored_ns) {
                   auto& to = subject.find(".lvl.") != std::string::npos    ? levels
                              : subject.find(".late.") != std::string::npos ? late
                                                                            : facts;
                   to.kept.push_back({subject, payload, to.kept.size() + 1, stored_ns, 0});
                 }};
  std::int64_t steady_ns = 77 * kSecond_ns;
  std::unique_ptr<Loop> loop;
  std::vector<peers::News> news;
};

TEST_F(JobsOfAFleet, AreInTheDatabaseWithTheirHostsAndIncidents) {
  made.introduce();
  tell_jobs({{"slurm/4711", 0}}, 0);
  const auto level = peers::spliced({1}, peers::kRetransmits, 0.04F, 220, 400);
  run(0, 240, level);
  EXPECT_THAT(rows("SELECT group_key, count(*) FROM hosts GROUP BY group_key ORDER BY group_key"),
              ElementsAre(ElementsAre("job=slurm/4711", "4"), ElementsAre("role=train", "2")));
  EXPECT_THAT(rows("SELECT kind, job, hosts, first_seen_ns FROM jobs"),
              ElementsAre(ElementsAre("slurm", "4711", "4", time_of(0))));
  ASSERT_THAT(news, SizeIs(1));
  const auto id = news[0].incident.id;

  // The next analyser takes over what is open of the job.
  start();
  run(240, 260, level);
  EXPECT_THAT(rows("SELECT id, state, job FROM incidents"),
              ElementsAre(ElementsAre(id, "open", "4711")));
  tell_jobs({}, 260);
  run(260, 280, level);
  EXPECT_THAT(rows("SELECT id, state, job FROM incidents"),
              ElementsAre(ElementsAre(id, "closed", "4711")));
  EXPECT_THAT(rows("SELECT last_seen_ns FROM jobs"), ElementsAre(ElementsAre(time_of(262))));
  EXPECT_THAT(rows("SELECT DISTINCT group_key FROM hosts"), ElementsAre(ElementsAre("role=train")));
  EXPECT_EQ(news.back().told, peers::Told::kClosed);
  EXPECT_THAT(peers::sentence(news.back().incident), HasSubstr("host n01 of Slurm job 4711 was"));
}

// What a host told late of the time in which it had the same job is judged by what is usual there.
TEST_F(JobsOfAFleet, AGapIsJudgedWithinTheJob) {
  made.introduce();
  tell_jobs({{"slurm/4711", 0}}, 0);
  run(0, 300);
  const auto level = peers::spliced({1}, peers::kRetransmits, 0.04F, 320, 340);
  steady_ns += 60 * kSecond_ns;
  send_gap(300, 360, level, kHosts);
  run(360, 530);
  const auto found = rows("SELECT group_key, state FROM incidents");
  EXPECT_THAT(found, ElementsAre(ElementsAre("job=slurm/4711", "closed")));
  EXPECT_THAT(rows("SELECT group_key, begin_ns, hosts FROM gaps ORDER BY group_key"),
              ElementsAre(ElementsAre("job=slurm/4711", time_of(300), "4"),
                          ElementsAre("role=train", time_of(300), "2")));
}

// A job began in the gap, two minutes before its end. Agents tell late what they owe after ten
// seconds at the earliest.
TEST_F(JobsOfAFleet, SecondsOfAnotherJobAreNotJudgedWithThisOne) {
  made.introduce();
  run(0, 200);
  const auto level = peers::spliced({0, 1}, peers::kRetransmits, 0.04F, 220, 240);
  steady_ns += 200 * kSecond_ns;
  tell_jobs({{"slurm/4711", 280}}, 400);
  run(400, 410);
  send_gap(200, 400, level, kHosts);
  run(410, 700);
  EXPECT_THAT(rows("SELECT begin_ns FROM gaps WHERE group_key = 'job=slurm/4711'"),
              ElementsAre(ElementsAre(time_of(340))));
  EXPECT_THAT(rows("SELECT id FROM incidents"), IsEmpty());
  EXPECT_THAT(rows("SELECT count(*) FROM late_seconds"), ElementsAre(ElementsAre("1200")));
}

}  // namespace
}  // namespace reveal::analyser
