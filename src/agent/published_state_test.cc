#include "agent/published_state.h"

#include <array>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agent/finding_file.h"
#include "agent/finding_id.h"
#include "base/new_file.h"
#include "base/temp_dir.h"
#include "base/unique_fd.h"
#include "detect/detector.h"

namespace reveal::agent {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

class PublishedState : public testing::Test {
 protected:
  std::shared_ptr<const serve::AgentState> made(std::int64_t now_s) {
    return maker_.make({.history = history_,
                        .log = log_,
                        .times = times_,
                        .recorder = recorder_,
                        .receivers = receivers_,
                        .paths = paths_},
                       now_s * kSecond_ns);
  }
  void judge_window(std::int64_t end_s, double strength) {
    live::JudgedWindow window;
    window.span.begin_ns = (end_s - 3) * kSecond_ns;
    window.span.end_ns = end_s * kSecond_ns;
    window.judged = true;
    window.strength = strength;
    history_.windows.push_back(window);
  }

  base::TempDir dir_;
  Paths paths_{dir_.path()};
  live::History history_;
  FindingLog log_{{.directory = dir_.path()}, 1000 * kSecond_ns};
  SelfTimes times_{0};
  record::Recording::State recorder_{.channels = 700, .frames = 600, .missed = 2, .bytes = 5000};
  std::vector<alert::ReceiverStatus> receivers_;
  StateMaker maker_{{.version = "0.1.0",
                     .commit = "abc",
                     .config_hash = "cbf29ce484222325",
                     .not_in_force = {"record.keep"}}};
};

TEST_F(PublishedState, LearnsThenJudgesAndSaysSinceWhen) {
  history_.learning = "30 s to go";
  history_.not_judged = live::NotJudged{"what is usual is not learned yet", 0};
  auto state = made(100);
  EXPECT_EQ(state->state, serve::RunState::kLearning);
  EXPECT_EQ(state->reason, "30 s to go");
  EXPECT_EQ(state->state_since_wall_ns, 100 * kSecond_ns);
  EXPECT_FALSE(state->windows.strength) << "nothing is judged yet";
  history_.learning.clear();
  history_.not_judged.reset();
  judge_window(160, 0.25);
  state = made(161);
  EXPECT_EQ(state->state, serve::RunState::kJudging);
  EXPECT_EQ(state->state_since_wall_ns, 161 * kSecond_ns);
  EXPECT_EQ(state->windows.strength, 0.25);
  EXPECT_EQ(state->windows.judged, 1U);
  judge_window(161, 0.5);
  judge_window(162, 0.75);
  EXPECT_EQ(made(163)->windows.judged, 3U) << "each window is counted once";
  EXPECT_EQ(made(164)->state_since_wall_ns, 161 * kSecond_ns);
}

TEST_F(PublishedState, SaysWithWhichEarlierRunWindowsAreCompared) {
  judge_window(160, 0.25);
  EXPECT_EQ(made(161)->reason, "");
  EXPECT_FALSE(made(161)->windows.looks_like_wall_ns);
  history_.looks_like = live::EarlierRun{.begin_ns = 86'400 * kSecond_ns};
  const auto state = made(162);
  EXPECT_EQ(state->state, serve::RunState::kJudging);
  EXPECT_EQ(state->reason,
            "compared with the run of 1970-01-02 00:00:00.0 UTC, which this looks like");
  EXPECT_EQ(state->windows.looks_like_wall_ns, 86'400 * kSecond_ns);
}

TEST_F(PublishedState, NamesTheDetectorsForPeople) {
  const auto state = made(1);
  ASSERT_THAT(state->windows.detectors, SizeIs(detect::registry().size()));
  EXPECT_EQ(state->windows.detectors.front().name, detect::registry().front().name);
  EXPECT_EQ(state->windows.detectors.front().label, detect::registry().front().label);
}

TEST_F(PublishedState, IsDegradedIfNothingIsStoredOrTicksAreMissing) {
  recorder_.storing = false;
  EXPECT_EQ(made(1)->state, serve::RunState::kDegraded);
  EXPECT_THAT(made(1)->reason, HasSubstr("the disk is full"));
  EXPECT_FALSE(made(1)->storage.ready);
  recorder_.storing = true;
  history_.not_judged = live::NotJudged{"ticks are missing", 0};
  EXPECT_EQ(made(2)->reason, "ticks are missing");
  history_.not_judged.reset();
  recorder_.frames = 0;
  EXPECT_EQ(made(3)->state, serve::RunState::kDegraded);
}

TEST_F(PublishedState, NamesChannelsAndTheStrengthOfThePast) {
  model::ChannelTable channels;
  model::MetricDescriptor metric;
  metric.name = "memory_dirty_bytes";
  metric.unit = "bytes";
  channels.add_channel(channels.add_metric(metric));
  history_.channels = &channels;
  judge_window(100, 0.5);
  judge_window(110, 0.25);
  const auto state = made(111);
  ASSERT_THAT(state->past->stretches, SizeIs(1));
  EXPECT_EQ(state->past->stretches[0].strength, 0.5);
  ASSERT_THAT(*state->channel_names, SizeIs(1));
  EXPECT_EQ(state->channel_names->at(0).unit, "bytes");
  EXPECT_EQ(made(112)->channel_names, state->channel_names) << "made anew only if there are more";
}

TEST_F(PublishedState, HasWhatThePartsSay) {
  alert::ReceiverStatus webhook;
  webhook.name = "webhook";
  webhook.queue = 2;
  webhook.last_error = "refused";
  receivers_ = {webhook};
  history_.host = "n017";
  history_.unseen = {{"nvml", "no NVIDIA driver", "install it", 127}};
  const auto state = made(1);
  EXPECT_EQ(state->host, "n017");
  ASSERT_THAT(state->sources, SizeIs(1));
  EXPECT_FALSE(state->sources[0].up);
  EXPECT_EQ(state->sources[0].why_not, "no NVIDIA driver; install it");
  EXPECT_EQ(state->recorder.ticks, 600U);
  EXPECT_EQ(state->storage.recording_bytes, 5000U);
  EXPECT_GT(state->storage.free_bytes.value(), 0U);
  ASSERT_THAT(state->receivers, SizeIs(1));
  EXPECT_EQ(state->receivers[0].queued, 2U);
  EXPECT_EQ(state->receivers[0].last_error, "refused");
}

// Prometheus takes a counter that falls for one that began anew, and sees no increase in one that
// begins with a value.
TEST_F(PublishedState, AFindingThatGoesOnIsInNoTotalYet) {
  LoggedFinding open;
  open.id = new_finding_id(990 * kSecond_ns);
  open.windows_begin_ns = open.begin_ns = 990 * kSecond_ns;
  open.windows_end_ns = open.end_ns = 995 * kSecond_ns;
  open.fields =
      R"({"claim":"x","subsystem":"cpu","severity":0.5,"severity_word":"minor","remedy":null,"patterns":[]})";
  ASSERT_TRUE(save_finding(dir_.path(), open));
  const FindingLog log({.directory = dir_.path()}, 1000 * kSecond_ns);
  const auto state = maker_.make({.history = history_,
                                  .log = log,
                                  .times = times_,
                                  .recorder = recorder_,
                                  .receivers = receivers_,
                                  .paths = paths_},
                                 1000 * kSecond_ns);
  ASSERT_THAT(state->finding_counts, SizeIs(1));
  EXPECT_EQ(state->finding_counts[0].severity, "minor");
  EXPECT_EQ(state->finding_counts[0].open, 1U);
  EXPECT_EQ(state->finding_counts[0].total, 0U);
}

TEST_F(PublishedState, CountsWindowsWithoutAVerdictByReason) {
  for (std::int64_t end_s = 3; end_s < 6; ++end_s) {
    judge_window(end_s, 0.1);
    history_.windows.back().judged = end_s == 5;
  }
  auto state = made(6);
  EXPECT_EQ(state->windows.judged, 1U);
  ASSERT_THAT(state->windows.skipped, SizeIs(2));
  EXPECT_EQ(state->windows.skipped[0].name, "learning");
  EXPECT_EQ(state->windows.skipped[0].count, 2U);
  judge_window(6, 0.1);
  history_.windows.back().judged = false;
  history_.trouble = "no feature varies";
  state = made(7);
  EXPECT_EQ(state->windows.skipped[0].count, 2U);
  EXPECT_EQ(state->windows.skipped[1].name, "trouble");
  EXPECT_EQ(state->windows.skipped[1].count, 1U);
}

TEST_F(PublishedState, SaysWhyTheConfigurationWasNotReadAnew) {
  EXPECT_EQ(made(1)->config.last_reload_ok, true);
  std::filesystem::create_directories(paths_.state());
  std::ofstream(paths_.reload_error()) << "reveal.toml, line 3: fulll is not a key here";
  const auto state = made(2);
  EXPECT_EQ(state->config.last_reload_ok, false);
  EXPECT_THAT(state->config.last_error, HasSubstr("line 3"));
  std::filesystem::remove(paths_.reload_error());
  EXPECT_EQ(made(3)->config.last_reload_ok, true);
  EXPECT_EQ(made(3)->config.not_in_force, std::vector<std::string>{"record.keep"});
  EXPECT_EQ(made(3)->config.hash, "cbf29ce484222325");
}

// Tells how often a file was opened. Source: inotify(7); two events that are alike and follow each
// other would be one, but between two of opening one of closing comes.
class Openings {
 public:
  explicit Openings(const std::filesystem::path& file) : fd_(::inotify_init1(IN_NONBLOCK)) {
    EXPECT_GE(::inotify_add_watch(fd_.get(), file.c_str(), IN_OPEN | IN_CLOSE), 0);
  }
  int so_far() {
    alignas(inotify_event) std::array<char, 4096> events{};
    const ssize_t got = ::read(fd_.get(), events.data(), events.size());
    for (ssize_t at = 0; at < got;) {
      const auto* event = reinterpret_cast<const inotify_event*>(events.data() + at);
      if ((event->mask & IN_OPEN) != 0) ++count_;
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
    return count_;
  }

 private:
  base::UniqueFd fd_;
  int count_ = 0;
};

TEST_F(PublishedState, OpensTheErrorOfAReloadOnlyIfItIsAnotherOne) {
  std::filesystem::create_directories(paths_.state());
  ASSERT_TRUE(base::write_new_file(paths_.reload_error(), "line 3"));
  Openings openings(paths_.reload_error());
  for (std::int64_t second = 1; second <= 5; ++second) {
    EXPECT_EQ(made(second)->config.last_error, "line 3");
  }
  EXPECT_EQ(openings.so_far(), 1);
  ASSERT_TRUE(base::write_new_file(paths_.reload_error(), "line 4"));  // of the same size
  EXPECT_EQ(made(6)->config.last_error, "line 4");
}

// Lets no file be opened as long as it lives.
class NoOpenings {
 public:
  NoOpenings() {
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    const rlimit none{.rlim_cur = 0, .rlim_max = before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  }
  ~NoOpenings() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  NoOpenings(const NoOpenings&) = delete;
  NoOpenings& operator=(const NoOpenings&) = delete;

 private:
  rlimit before_{};
};

TEST_F(PublishedState, ReadsTheErrorOfAReloadAgainIfItCouldNotBeRead) {
  std::filesystem::create_directories(paths_.state());
  ASSERT_TRUE(base::write_new_file(paths_.reload_error(), "line 3"));
  {
    const NoOpenings none;
    const auto state = made(1);
    EXPECT_EQ(state->config.last_reload_ok, false);
    EXPECT_THAT(state->config.last_error, HasSubstr("cannot read the reload's error"));
  }
  EXPECT_EQ(made(2)->config.last_error, "line 3");
  std::filesystem::remove(paths_.reload_error());
  EXPECT_EQ(made(3)->config.last_reload_ok, true);
}

}  // namespace
}  // namespace reveal::agent
