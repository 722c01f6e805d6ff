// Made fleets whose hosts work on jobs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "peers/json.h"
#include "peers/testing/lab.h"

namespace reveal::peers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string kFirstJob = "job=slurm/1";
const std::string kSecondJob = "job=slurm/2";

void tell_job(Lab& lab, std::size_t from, std::size_t to, const std::string& job,
              std::size_t second) {
  for (std::size_t host = from; host < to; ++host) {
    lab.made.send_jobs(host, {{job, static_cast<std::int64_t>(second)}}, second);
  }
}

// The first four of nine hosts have one job. The others have another one, whose tasks wait far more
// in every other half of a minute. In the first one a host rises to less than that.
float level_of_two_jobs(std::size_t host, std::size_t quantity, std::size_t second) {
  if (quantity != kCpuPressure) return usual_level(host, quantity, second);
  const bool waits = host >= 4 && second / 30 % 2 == 1;
  const bool is_slow = host == 2 && second >= 300 && second < 360;
  const float waiting = is_slow ? 0.4F : waits ? 0.6F : 0.02F;
  return waiting * usual_level(host, kBusy, second) / 0.8F;
}

TEST(JobGroups, AHostThatIsSlowOnlyForItsJobIsNamed) {
  Lab lab(9);
  lab.made.introduce();
  lab.run(0, 20, level_of_two_jobs);
  tell_job(lab, 0, 4, "slurm/1", 20);
  tell_job(lab, 4, 9, "slurm/2", 20);
  lab.run(20, 30, level_of_two_jobs);
  EXPECT_THAT(lab.fleet.groups(), ElementsAre("role=train"));
  lab.run(30, 400, level_of_two_jobs);
  EXPECT_THAT(lab.fleet.groups(), ElementsAre(kFirstJob, kSecondJob));
  const auto opened = lab.of(Told::kOpened);
  ASSERT_THAT(opened, SizeIs(1));
  const auto& incident = opened[0].incident;
  EXPECT_EQ(incident.group, kFirstJob);
  EXPECT_EQ(incident.group_size, 4u);
  EXPECT_EQ(incident.id, incident_id(kFirstJob, lab.made.id(2), incident.onset_ns));
  EXPECT_EQ(incident.onset_ns, MadeFleet::begin_of(300));
  EXPECT_THAT(sentence(incident), HasSubstr("host n02 of Slurm job 1 is slow since"));
  EXPECT_THAT(sentence(incident), HasSubstr("(its 3 peers: 2 %)"));
  EXPECT_THAT(sentence(incident), Not(HasSubstr("unlike its peers")));
  EXPECT_THAT(json_of(opened[0]), HasSubstr(R"("job":{"kind":"slurm","id":"1","cluster":null})"));
  EXPECT_THAT(lab.of(Told::kClosed), SizeIs(1));
}

// If nobody knew of the jobs, most of its peers would go up and down, and it among them.
TEST(JobGroups, WithoutThemTheSameHostIsNotNamed) {
  Lab lab(9);
  lab.made.introduce();
  lab.run(0, 400, level_of_two_jobs);
  for (const auto& one : lab.news) {
    EXPECT_THAT(sentence(one.incident), Not(HasSubstr("n02")));
  }
}

TEST(JobGroups, AllOfAJobAreComparedWithItsOwnPast) {
  Lab lab(6);
  lab.made.introduce();
  tell_job(lab, 0, 3, "slurm/1", 0);
  lab.run(0, 300, spliced({0, 1, 2}, kCpuPressure, 0.9F, 260, 290));
  const auto opened = lab.of(Told::kOpened);
  ASSERT_THAT(opened, SizeIs(1));
  EXPECT_TRUE(opened[0].incident.is_of_all);
  EXPECT_THAT(sentence(opened[0].incident), HasSubstr("all 3 hosts of Slurm job 1 are slow"));
}

TEST(JobGroups, AJobOfTwoHostsChangesNothing) {
  Lab lab(6);
  lab.made.introduce();
  tell_job(lab, 0, 2, "slurm/1", 0);
  lab.run(0, 300, spliced({1}, kRetransmits, 0.04F));
  EXPECT_THAT(lab.fleet.groups(), ElementsAre("role=train"));
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_EQ(lab.of(Told::kOpened)[0].incident.group, "role=train");
}

TEST(JobGroups, AJobOnTwoKindsOfHardwareIsOneGroup) {
  Lab lab(8);
  const auto facts_of = [&](std::size_t host) {
    auto out = lab.made.facts_of(host);
    out.groups = {host < 4 ? "hw=old" : "hw=new"};
    return out;
  };
  for (std::size_t host = 0; host < 8; ++host) {
    lab.made.send_dictionary(host);
    lab.made.send_facts(host, facts_of(host));
  }
  lab.run(0, 10, usual_level);
  EXPECT_THAT(lab.fleet.groups(), ElementsAre("hw=new", "hw=old"));
  for (std::size_t host = 2; host < 6; ++host) {
    lab.made.send_jobs(host, facts_of(host), {{"slurm/1", 10}}, 12);
  }
  const auto level = spliced({5}, kRetransmits, 0.04F, 300, 360);
  lab.run(10, 69, level);
  EXPECT_EQ(lab.fleet.group_of(lab.made.id(2)), "hw=old");
  lab.run(69, 400, level);
  EXPECT_EQ(lab.fleet.group_of(lab.made.id(1)), "hw=old");
  EXPECT_EQ(lab.fleet.group_of(lab.made.id(2)), kFirstJob);
  EXPECT_EQ(lab.fleet.group_of(lab.made.id(5)), kFirstJob);
  EXPECT_EQ(lab.fleet.group_of(lab.made.id(6)), "hw=new");
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  EXPECT_THAT(sentence(lab.of(Told::kOpened)[0].incident), HasSubstr("host n05 of Slurm job 1"));
  EXPECT_EQ(lab.of(Told::kOpened)[0].incident.group_size, 4u);
}

// Host 4 always waits more than the others, which is known after two minutes.
float level_with_an_offset(std::size_t host, std::size_t quantity, std::size_t second) {
  const float level = usual_level(host, quantity, second);
  return host == 4 && quantity == kCpuPressure ? level + 0.5F : level;
}

TEST(JobGroups, AtItsEndHostsGoBackToWhatWasKnownOfThem) {
  Lab lab(9);
  lab.made.introduce();
  lab.run(0, 200, level_with_an_offset);
  tell_job(lab, 3, 7, "slurm/1", 200);
  lab.run(200, 500, level_with_an_offset);
  ASSERT_EQ(lab.fleet.group_of(lab.made.id(4)), kFirstJob);
  for (std::size_t host = 3; host < 7; ++host) lab.made.send_jobs(host, {}, 500);
  // Ten seconds after it is back, a host is found slow: what is usual there was kept.
  const auto level = [](std::size_t host, std::size_t quantity, std::size_t second) {
    if (host == 5 && quantity == kRetransmits && second >= 512) return 0.04F;
    return level_with_an_offset(host, quantity, second);
  };
  lab.run(500, 503, level);
  EXPECT_EQ(lab.fleet.group_of(lab.made.id(4)), "role=train");
  EXPECT_THAT(lab.fleet.groups(), ElementsAre("role=train"));
  lab.run(503, 530, level);
  const auto opened = lab.of(Told::kOpened);
  ASSERT_THAT(opened, SizeIs(1)) << "the offset is no news";
  EXPECT_EQ(opened[0].incident.group, "role=train");
  EXPECT_THAT(sentence(opened[0].incident), HasSubstr("host n05 is slow"));
}

TEST(JobGroups, AfterMoreThanAnHourAHostIsLearntAnew) {
  Lab lab(9);
  lab.made.introduce();
  lab.run(0, 200, level_with_an_offset);
  tell_job(lab, 3, 7, "slurm/1", 200);
  lab.run(200, 3900, level_with_an_offset);
  for (std::size_t host = 3; host < 7; ++host) lab.made.send_jobs(host, {}, 3900);
  const auto level = [](std::size_t host, std::size_t quantity, std::size_t second) {
    // One that is back, and one that was there all the time.
    const bool is_it = (host == 5 && second >= 3912) || (host == 1 && second >= 3940);
    return is_it && quantity == kRetransmits ? 0.04F : level_with_an_offset(host, quantity, second);
  };
  lab.run(3900, 3950, level);
  ASSERT_EQ(lab.fleet.group_of(lab.made.id(5)), "role=train");
  const auto opened = lab.of(Told::kOpened);
  ASSERT_THAT(opened, SizeIs(1));
  EXPECT_THAT(sentence(opened[0].incident), HasSubstr("host n01 is slow"));
}

TEST(JobGroups, IncidentsOfAJobEndWithIt) {
  Lab lab(6);
  lab.made.introduce();
  tell_job(lab, 0, 4, "slurm/1", 0);
  const auto level = spliced({1}, kRetransmits, 0.04F, 250, 400);
  lab.run(0, 260, level);
  ASSERT_THAT(lab.of(Told::kOpened), SizeIs(1));
  for (std::size_t host = 0; host < 4; ++host) lab.made.send_jobs(host, {}, 260);
  lab.run(260, 270, level);
  const auto closed = lab.of(Told::kClosed);
  ASSERT_THAT(closed, SizeIs(1));
  EXPECT_EQ(closed[0].incident.id, lab.of(Told::kOpened)[0].incident.id);
  EXPECT_THAT(sentence(closed[0].incident), HasSubstr("host n01 of Slurm job 1 was slow"));
}

// A fleet that gets facts as they are told, and one that begins later and gets the last ones first,
// as from a broker.
TEST(JobGroups, TwoAnalysersPlaceHostsAlike) {
  Lab first(6);
  Lab later(6);
  first.made.introduce();
  for (std::size_t host = 0; host < 6; ++host) later.made.send_dictionary(host);
  later.deliver();
  for (std::size_t host = 0; host < 6; ++host) {
    MadeFleet::Jobs jobs;
    if (host < 4) jobs.emplace_back("slurm/1", 20);
    later.made.send_jobs(host, jobs, 180);
  }
  // As if they had been read before all levels.
  for (const auto& [stored_ns, message] : std::exchange(later.waiting, {})) {
    ASSERT_TRUE(later.fleet.take({message.first, message.second, stored_ns}));
  }
  for (std::size_t second = 0; second < 200; ++second) {
    for (std::size_t host = 0; host < 4; ++host) {
      if (second == 30) first.made.send_jobs(host, {{"slurm/1", 20}}, second);
    }
    first.run(second, second + 1, usual_level);
    later.run(second, second + 1, usual_level);
    for (std::size_t host = 0; host < 6; ++host) {
      EXPECT_EQ(first.fleet.group_of(first.made.id(host)),
                later.fleet.group_of(later.made.id(host)))
          << second;
    }
  }
  EXPECT_EQ(later.fleet.group_of(later.made.id(0)), kFirstJob);
}

TEST(JobGroups, MovesAndJobsAreToldToBeKept) {
  Lab lab(4);
  lab.made.introduce();
  tell_job(lab, 0, 3, "slurm/1", 0);
  lab.run(0, 65, usual_level);
  const auto moves = lab.fleet.take_moves();
  ASSERT_THAT(moves, SizeIs(3));
  EXPECT_EQ(moves[0].host, lab.made.id(0));
  EXPECT_EQ(moves[0].group, kFirstJob);
  const auto jobs = lab.fleet.take_jobs();
  ASSERT_THAT(jobs, SizeIs(1));
  EXPECT_EQ(jobs[0].group, kFirstJob);
  EXPECT_EQ(lab.fleet.in_group_since_ns(lab.made.id(0)), MadeFleet::begin_of(60));
  for (std::size_t host = 0; host < 3; ++host) lab.made.send_jobs(host, {}, 100);
  lab.run(65, 105, usual_level);
  ASSERT_THAT(lab.fleet.take_moves(), SizeIs(3));
  EXPECT_EQ(lab.fleet.in_group_since_ns(lab.made.id(0)), MadeFleet::begin_of(102));
}

// After a minute of silence a host does not count, and a job of two that speak is over.
TEST(JobGroups, SilentHostsDoNotHoldAJobTogether) {
  Lab lab(4);
  lab.made.introduce();
  tell_job(lab, 0, 3, "slurm/1", 0);
  lab.run(0, 100, usual_level);
  lab.run_without(0, 100, 155, usual_level);
  EXPECT_EQ(lab.fleet.group_of(lab.made.id(1)), kFirstJob);
  lab.run_without(0, 155, 170, usual_level);
  EXPECT_EQ(lab.fleet.group_of(lab.made.id(1)), "role=train");
  EXPECT_THAT(lab.news, IsEmpty());
  lab.run(170, 175, usual_level);
  EXPECT_EQ(lab.fleet.group_of(lab.made.id(1)), kFirstJob);
}

}  // namespace
}  // namespace reveal::peers
