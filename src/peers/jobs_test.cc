#include "peers/jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reveal::peers {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kNow_ns = 1'700'000'000 * kSecond_ns;

std::int64_t at(std::int64_t second) {
  return kNow_ns + second * kSecond_ns;
}

// Hosts that speak and have told nothing else yet.
class HostsOfJobs {
 public:
  explicit HostsOfJobs(const std::vector<std::string>& hosts) {
    for (const auto& host : hosts) {
      jobs.take(host, {}, at(-1000));
      jobs.set_speaks(host, true);
    }
  }
  // Tells jobs of a host, with the seconds in which they began.
  void tell(const std::string& host, const std::vector<std::pair<std::string, int>>& told,
            int second) {
    std::vector<HostJob> out;
    out.reserve(told.size());
    for (const auto& [group, since] : told) out.push_back({group, at(since)});
    jobs.take(host, std::move(out), at(second));
  }
  std::vector<std::string> settle(int second) { return jobs.settle(at(second)); }

  Jobs jobs;
};

TEST(Jobs, ThreeHostsAreFollowedAfterAMinute) {
  HostsOfJobs lab({"a", "b", "c", "d"});
  for (const std::string host : {"a", "b", "c"}) lab.tell(host, {{"job=slurm/1", 0}}, 5);
  for (int second = 5; second < 60; ++second) EXPECT_THAT(lab.settle(second), IsEmpty());
  EXPECT_THAT(lab.settle(60), ElementsAre("a", "b", "c"));
  EXPECT_EQ(lab.jobs.group_of("a"), "job=slurm/1");
  EXPECT_EQ(lab.jobs.group_of("d"), "");
  EXPECT_EQ(lab.jobs.since_ns("c"), at(60));
  EXPECT_THAT(lab.settle(60), IsEmpty()) << "it is decided";
  const auto news = lab.jobs.take_news();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].group, "job=slurm/1");
  EXPECT_EQ(news[0].hosts, 3u);
  EXPECT_EQ(news[0].first_ns, at(0));
  EXPECT_EQ(news[0].last_ns, at(60));
}

TEST(Jobs, TwoHostsAreNotFollowed) {
  HostsOfJobs lab({"a", "b", "c"});
  for (const std::string host : {"a", "b"}) lab.tell(host, {{"job=slurm/1", 0}}, 5);
  EXPECT_THAT(lab.settle(500), IsEmpty());
  EXPECT_THAT(lab.jobs.take_news(), IsEmpty());
}

TEST(Jobs, AHostCountsFromItsOwnBeginOn) {
  HostsOfJobs lab({"a", "b", "c", "d"});
  lab.tell("a", {{"job=slurm/1", 0}}, 1);
  lab.tell("b", {{"job=slurm/1", 0}}, 1);
  lab.tell("c", {{"job=slurm/1", 30}}, 31);
  lab.tell("d", {{"job=slurm/1", 100}}, 101);
  EXPECT_THAT(lab.settle(89), IsEmpty());
  EXPECT_THAT(lab.settle(90), ElementsAre("a", "b", "c"));
  EXPECT_EQ(lab.jobs.since_ns("a"), at(90));
  EXPECT_THAT(lab.settle(159), IsEmpty());
  EXPECT_THAT(lab.settle(160), ElementsAre("d"));
}

TEST(Jobs, AllGoBackOnceFewerThanThreeHaveIt) {
  HostsOfJobs lab({"a", "b", "c"});
  for (const std::string host : {"a", "b", "c"}) lab.tell(host, {{"job=slurm/1", 0}}, 5);
  lab.settle(60);
  lab.jobs.take_news();
  lab.tell("b", {}, 100);
  EXPECT_THAT(lab.settle(101), IsEmpty()) << "another analyser may not have read it";
  EXPECT_THAT(lab.settle(102), ElementsAre("a", "b", "c"));
  EXPECT_EQ(lab.jobs.group_of("a"), "");
  EXPECT_EQ(lab.jobs.since_ns("a"), at(102));
  const auto news = lab.jobs.take_news();
  ASSERT_THAT(news, SizeIs(1));
  EXPECT_EQ(news[0].last_ns, at(102));
}

TEST(Jobs, HostsThatAreSilentDoNotCountButStay) {
  HostsOfJobs lab({"a", "b", "c", "d"});
  for (const std::string host : {"a", "b", "c", "d"}) lab.tell(host, {{"job=slurm/1", 0}}, 5);
  lab.settle(60);
  lab.jobs.set_speaks("d", false);
  EXPECT_THAT(lab.settle(61), IsEmpty());
  EXPECT_EQ(lab.jobs.group_of("d"), "job=slurm/1");
  lab.jobs.set_speaks("c", false);
  EXPECT_THAT(lab.settle(62), ElementsAre("a", "b", "c", "d"));
  lab.jobs.set_speaks("c", true);
  EXPECT_THAT(lab.settle(63), ElementsAre("a", "b", "c", "d"));
  lab.jobs.forget("a");
  EXPECT_THAT(lab.settle(64), ElementsAre("b", "c", "d"));
}

TEST(Jobs, OfSeveralJobsTheOneWithMostHostsIsTaken) {
  HostsOfJobs lab({"a", "b", "c", "d", "e", "f", "g"});
  for (const std::string host : {"a", "b", "c"}) {
    lab.tell(host, {{"job=slurm/1", 0}, {"job=slurm/2", 10}}, 11);
  }
  lab.tell("d", {{"job=slurm/2", 10}}, 11);
  for (const std::string host : {"e", "f", "g"}) {
    lab.tell(host, {{"job=slurm/3", 20}, {"job=slurm/4", 10}}, 21);
  }
  lab.settle(60);
  EXPECT_EQ(lab.jobs.group_of("a"), "job=slurm/1") << "the larger one is not a minute old";
  lab.settle(70);
  EXPECT_EQ(lab.jobs.group_of("a"), "job=slurm/2");
  EXPECT_EQ(lab.jobs.since_ns("a"), at(70));
  lab.settle(100);
  EXPECT_EQ(lab.jobs.group_of("e"), "job=slurm/4") << "it began first";
  lab.tell("d", {}, 100);
  lab.settle(102);
  EXPECT_EQ(lab.jobs.group_of("a"), "job=slurm/1") << "as large now, and began first";
}

TEST(Jobs, HostsOfALargerJobDoNotCountForASmallerOne) {
  HostsOfJobs lab({"a", "b", "c", "d", "e"});
  for (const std::string host : {"a", "b", "c", "d"}) {
    lab.tell(host, {{"job=slurm/1", 0}, {"job=slurm/2", 0}}, 1);
  }
  lab.tell("a", {{"job=slurm/1", 0}}, 2);
  lab.tell("e", {{"job=slurm/2", 0}}, 2);
  // Both have four; the first by its key is taken, and of the other one host is left.
  lab.settle(60);
  EXPECT_EQ(lab.jobs.group_of("b"), "job=slurm/1");
  EXPECT_EQ(lab.jobs.group_of("e"), "");
}

TEST(Jobs, WhoBeginsToReadLaterDecidesAlike) {
  HostsOfJobs first({"a", "b", "c"});
  for (const std::string host : {"a", "b", "c"}) first.tell(host, {{"job=slurm/1", 0}}, 5);
  // Of the hosts it gets what they told last, before all else.
  Jobs second;
  for (const std::string host : {"a", "b", "c"}) {
    second.take(host, {{"job=slurm/1", at(0)}}, at(400));
    second.set_speaks(host, true);
  }
  for (int now = 50; now < 70; ++now) {
    EXPECT_EQ(first.settle(now), second.settle(at(now))) << now;
    EXPECT_EQ(first.jobs.group_of("b"), second.group_of("b"));
    EXPECT_EQ(first.jobs.since_ns("b"), second.since_ns("b"));
  }
  EXPECT_EQ(second.group_of("b"), "job=slurm/1");
}

TEST(Jobs, AHostThatRecordsAnewKeepsItsJob) {
  HostsOfJobs lab({"a", "b", "c"});
  for (const std::string host : {"a", "b", "c"}) lab.tell(host, {{"job=slurm/1", 0}}, 5);
  lab.settle(60);
  lab.tell("a", {{"job=slurm/1", 200}}, 201);
  EXPECT_THAT(lab.settle(203), IsEmpty());
  EXPECT_EQ(lab.jobs.group_of("a"), "job=slurm/1");
}

TEST(Jobs, AreToldOfEachMinuteAndWithMoreHosts) {
  HostsOfJobs lab({"a", "b", "c", "d"});
  for (const std::string host : {"a", "b", "c"}) lab.tell(host, {{"job=slurm/1", 0}}, 5);
  lab.tell("d", {{"job=slurm/1", 20}}, 25);
  std::vector<std::pair<std::size_t, std::int64_t>> told;
  for (int second = 0; second < 205; ++second) {
    lab.settle(second);
    for (const auto& one : lab.jobs.take_news()) told.emplace_back(one.hosts, one.last_ns);
  }
  EXPECT_THAT(told, ElementsAre(std::pair(3, at(60)), std::pair(4, at(80)), std::pair(4, at(140)),
                                std::pair(4, at(200))));
}

TEST(HostJobs, AreReadWithTheirTimesByTheBrokersClock) {
  wire::Facts facts;
  facts.groups = {"hw=x", "job=slurm/1", "job=slurm/2", "job="};
  facts.head.time_ns = at(100);
  facts.facts = {{"job", "slurm/1", std::to_string(at(40))}, {"job", "slurm/3", "0"}};
  // Its clock is five seconds behind.
  EXPECT_THAT(jobs_in(facts, at(105)),
              ElementsAre(HostJob{"job=slurm/1", at(45)}, HostJob{"job=slurm/2", at(105)}));
  facts.labels = {{"cluster", "east"}};
  facts.facts[0].text = "yesterday";
  EXPECT_THAT(jobs_in(facts, at(105)), ElementsAre(HostJob{"east/job=slurm/1", at(105)},
                                                   HostJob{"east/job=slurm/2", at(105)}));
  EXPECT_EQ(group_key(facts), "east/hw=x");
  facts.groups = {"job=slurm/1"};
  facts.machine = "x86_64";
  facts.cpus_online = 8;
  EXPECT_EQ(group_key(facts), "east/hw=x86_64 8 processors") << "a job is for its time";
}

}  // namespace
}  // namespace reveal::peers
