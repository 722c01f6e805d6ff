#include "fleet/level_stream.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fleet/testing/made_host.h"
#include "model/hanging_source.h"

namespace reveal::fleet {
namespace {

using model::Kind;
using model::Note;
using model::Scope;
using model::Subsystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// A host whose frames go to a comparison and to a stream.
struct Streamed {
  explicit Streamed(std::int64_t from_ns = kMadeBegin_ns) : host(made_grid(60)), stream(from_ns) {
    static_cast<void>(stream.begin(host.facts));
    host.also_to = &stream;
  }
  void say(Note::Kind kind, std::string_view source, const std::string& subject,
           std::string_view text) {
    host.notes.push_back({kind, std::string(source), subject, std::string(text)});
  }
  // Lets so many seconds pass, and returns the buckets until then, with the open one.
  std::vector<LevelBucket> after(int seconds) {
    for (int s = 0; s < seconds; ++s) host.tick();
    static_cast<void>(stream.finish());
    return stream.take();
  }

  MadeHost host;
  LevelStream stream;
};

bool same(float one, float other) {
  return std::isnan(one) ? std::isnan(other) : one == other;
}

TEST(LevelStream, HasTheLevelsOfAComparison) {
  Streamed it;
  base::Rng rng(1);
  std::vector<model::ChannelId> all{
      it.host.add("bytes_total", "", Kind::kCounter),
      it.host.add("errors_total", "dev=eth0", Kind::kEvent, "errors", Subsystem::kNetwork),
      it.host.add("load", "cpu=0", Kind::kGauge, "tasks", Subsystem::kCpu, Scope::kCore),
      it.host.add("load", "cpu=1", Kind::kGauge, "tasks", Subsystem::kCpu, Scope::kCore),
      it.host.add("slow", "", Kind::kGauge)};
  for (int s = 0; s < 60; ++s) {
    if (s == 20) all.push_back(it.host.add("later", "", Kind::kGauge));
    if (s == 30 || s == 31) {
      it.host.skip();
      continue;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double value = rng.below(8) == 0 ? std::nan("") : 100.0 * s + rng.uniform();
      it.host.set(all[i], value);
    }
    it.host.tick();
  }
  it.host.finish();
  ASSERT_TRUE(it.stream.finish());
  const auto buckets = it.stream.take();
  ASSERT_THAT(buckets, SizeIs(58));
  const auto& series = it.host.levels.series();
  ASSERT_THAT(series, SizeIs(it.stream.quantities().size()));
  ASSERT_THAT(series, SizeIs(6));
  const Grid grid = made_grid(60);
  for (const auto& bucket : buckets) {
    const auto second = static_cast<std::size_t>(grid.bucket_of(bucket.begin_ns));
    for (std::size_t i = 0; i < series.size(); ++i) {
      EXPECT_EQ(series[i].quantity.key(), it.stream.quantities()[i].key());
      // A quantity that came later has no level yet.
      const float streamed = i < bucket.levels.size() ? bucket.levels[i] : std::nanf("");
      EXPECT_TRUE(same(streamed, series[i].levels[second]))
          << series[i].quantity.key() << " in second " << second;
    }
  }
}

TEST(LevelStream, LeavesOutWhatWasBeforeAndKnowsItsFacts) {
  Streamed it(kMadeBegin_ns + 50 * kSecond_ns);
  const auto counter = it.host.add("bytes_total", "", Kind::kCounter);
  it.host.say("governor", "powersave");
  for (int s = 0; s < 53; ++s) {
    it.host.set(counter, 7.0 * s);
    it.host.tick();
  }
  const auto ended = it.stream.take();
  ASSERT_THAT(ended, SizeIs(2)) << "the last second goes on";
  EXPECT_EQ(ended[0].begin_ns, kMadeBegin_ns + 50 * kSecond_ns);
  EXPECT_THAT(ended[0].levels, ElementsAre(7));
  ASSERT_THAT(it.stream.notes(), SizeIs(1));
  EXPECT_EQ(it.stream.notes()[0].text, "powersave");
  EXPECT_THAT(it.stream.take(), IsEmpty());
}

TEST(LevelStream, SaysWhatIsMissing) {
  Streamed it;
  it.host.facts.interval_ns = kSecond_ns / 2;  // so that each second lacks a frame
  ASSERT_TRUE(it.stream.begin(it.host.facts));
  it.host.set(it.host.add("gauge"), 1);
  it.host.tick();
  it.host.skip();
  const auto buckets = it.after(2);
  ASSERT_THAT(buckets, SizeIs(3));
  EXPECT_FALSE(buckets[0].gap_before);
  EXPECT_TRUE(buckets[1].gap_before);
  EXPECT_FALSE(buckets[2].gap_before);
  for (const auto& bucket : buckets) EXPECT_EQ(bucket.missing, 0.5);
}

TEST(LevelStream, SaysThatJobsChanged) {
  Streamed it;
  it.say(Note::Kind::kFact, "cgroup", "cg=/a", "service a");
  it.host.tick();
  it.say(Note::Kind::kFact, "cgroup", "cg=/a", "service a");  // stated anew
  it.say(Note::Kind::kEvent, "mark", "mark", "a text");
  it.host.tick();
  it.say(Note::Kind::kFact, "cgroup", "cg=/a", "");
  it.host.tick();
  it.say(Note::Kind::kEvent, "mark", "job 7", "started");
  const auto buckets = it.after(2);
  std::vector<bool> changed;
  for (const auto& bucket : buckets) changed.push_back(bucket.jobs_changed);
  EXPECT_THAT(changed, ElementsAre(false, false, true, true, false));
}

TEST(LevelStream, CountsSourcesThatHang) {
  Streamed it;
  it.host.set(it.host.add("gauge"), 1);
  const auto say = [&](const std::string& source, std::string_view text) {
    it.say(Note::Kind::kEvent, model::kRecorderSource, source, text);
  };
  say("nfs", model::kHangs);
  it.host.tick();
  say("nvml", std::string(model::kHangs) + " for 3 s");
  it.host.tick();
  say("nfs", model::kAnswersAgain);
  it.host.tick();
  it.host.skip();
  const auto buckets = it.after(1);
  std::vector<std::size_t> hung;
  for (const auto& bucket : buckets) hung.push_back(bucket.hung_sources);
  EXPECT_THAT(hung, ElementsAre(1, 2, 1, 0)) << "after a gap nobody knows";
}

TEST(LevelStream, TellsTheClocksErrorWhileItIsKept) {
  Streamed it;
  const auto error = it.host.add("cpu_clock_estimated_error_seconds");
  const auto unsynchronized = it.host.add("cpu_clock_unsynchronized_flag");
  it.host.set(error, 0.002);
  it.host.set(unsynchronized, 0);
  it.host.tick();
  it.host.set(unsynchronized, 1);
  const auto buckets = it.after(1);
  ASSERT_THAT(buckets, SizeIs(2));
  EXPECT_EQ(buckets[0].clock_error_s, 0.002);
  EXPECT_TRUE(std::isnan(buckets[1].clock_error_s));
}

}  // namespace
}  // namespace reveal::fleet
