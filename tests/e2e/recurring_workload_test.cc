// The lab's recordings as the runs of a host's jobs, through the live judge: which of them are
// taken for runs of one job, and what an earlier run tells of a fault that is there from the first
// second on.
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "detect/footprint.h"
#include "live/live_judge.h"
#include "pipeline/pipeline.h"
#include "store/segment_reader.h"

namespace reveal {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

std::filesystem::path folder_of(const std::string& name) {
  return std::filesystem::path(REVEAL_SOURCE_DIR) / "tests/recordings" / name;
}

// Writes the frames of a recording from that time on, for so many seconds; returns the first's.
std::int64_t replay(const std::string& name, model::FrameSink& sink, double seconds = 1e9,
                    std::int64_t from_ns = 0) {
  auto reader = store::SegmentReader::open(folder_of(name) / "host0");
  EXPECT_TRUE(reader) << name;
  EXPECT_TRUE(sink.begin(reader->facts()));
  std::int64_t begin_ns = 0;
  for (;;) {
    const auto frame = reader->next();
    EXPECT_TRUE(frame);
    if (*frame == nullptr) return begin_ns;
    if ((*frame)->wall_ns < from_ns) continue;
    if (begin_ns == 0) begin_ns = (*frame)->wall_ns;
    if (static_cast<double>((*frame)->wall_ns - begin_ns) > seconds * kSecond_ns) return begin_ns;
    EXPECT_TRUE(sink.write(reader->channels(), **frame));
  }
}

detect::Footprint footprint(const std::string& name) {
  pipeline::Pipeline pipeline{pipeline::PipelineConfig{}};
  replay(name, pipeline);
  std::vector<detect::Footprint> all;
  detect::FootprintReader reader;
  for (std::size_t row = 30; row < pipeline.window_count(); ++row) {
    all.push_back(reader.read(pipeline.features(), pipeline.channels(), row));
  }
  return detect::median_of(all);
}

// Windows of 3 s every 0.5 s: a recording of two minutes has enough of them for a job to be
// learned, and a fault of six seconds fills ten.
pipeline::PipelineConfig frequent_windows() {
  pipeline::PipelineConfig out;
  out.windows.stride = window::Length{kSecond_ns / 2};
  return out;
}

// What a judge says that starts in the midst of a recording, whether or not it knows the steady run
// of the same job.
class RecurringWorkload : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    known_.emplace();
    live::LiveJudge judge(frequent_windows());
    judge.remember_workloads({.folder = known_->path()});
    replay("steady", judge);
    EXPECT_TRUE(judge.history().findings.empty());
    EXPECT_FALSE(std::filesystem::is_empty(known_->path()));
  }
  static void TearDownTestSuite() { known_.reset(); }

  struct Told {
    std::vector<model::Subsystem> findings;
    double begin_s = 0;  // of the first, since the judge started
    bool looks_like = false;
  };

  static Told told_of(const std::string& name, std::int64_t from_ns, bool knows) {
    constexpr double kSeconds = 15;
    const base::TempDir folder;
    std::filesystem::copy(known_->path(), folder.path());
    live::LiveJudge judge(frequent_windows());
    if (knows) judge.remember_workloads({.folder = folder.path()});
    const auto begin_ns = replay(name, judge, kSeconds, from_ns);
    Told out;
    for (const auto& one : judge.history().findings) {
      out.findings.push_back(one.subsystem());
      EXPECT_TRUE(one.looks_like_ns) << one.claim;
      out.begin_s = static_cast<double>(one.windows_begin_ns() - begin_ns) / 1e9;
      std::printf("%s: %.1f s, %s\n", name.c_str(), out.begin_s, one.claim.c_str());
    }
    out.looks_like = judge.history().looks_like.has_value();
    return out;
  }

  static std::optional<base::TempDir> known_;
};

std::optional<base::TempDir> RecurringWorkload::known_;

struct Fault {
  const char* recording;
  std::int64_t begin_ns;  // truth.json
  model::Subsystem subsystem;
};

// The judge starts with the fault, so all that it sees is the fault. Left out are those of memory
// that is swapped or taken as giant pages, which its windows show too late or not at all.
TEST_F(RecurringWorkload, AFaultThatIsThereFromTheStartIsFoundByAnEarlierRunAlone) {
  using enum model::Subsystem;
  for (const auto& one : {Fault{"network", 1795365077027079957, kNetwork},
                          Fault{"network", 1795365109767721921, kNetwork},
                          Fault{"network", 1795365141755562412, kNetwork},
                          Fault{"network_weak", 1795365215598001951, kNetwork},
                          Fault{"network_weak", 1795365248339498379, kNetwork},
                          Fault{"network_weak", 1795365280326470741, kCpu},
                          Fault{"storage", 1795365631457190859, kStorage},
                          Fault{"storage", 1795365664197205787, kStorage},
                          Fault{"storage", 1795365696184206401, kStorage},
                          Fault{"memory", 1795365941648201981, kMemory},
                          Fault{"processor", 1795365354167298991, kCpu},
                          Fault{"processor_weak", 1795365492697038218, kCpu}}) {
    SCOPED_TRACE(one.recording + (" " + std::to_string(one.begin_ns)));
    const auto told = told_of(one.recording, one.begin_ns, /*knows=*/true);
    EXPECT_TRUE(told.looks_like);
    ASSERT_THAT(told.findings, ::testing::SizeIs(1));
    EXPECT_EQ(told.findings.front(), one.subsystem);
    EXPECT_LT(told.begin_s, 6);
    EXPECT_THAT(told_of(one.recording, one.begin_ns, /*knows=*/false).findings,
                ::testing::IsEmpty());
  }
}

TEST_F(RecurringWorkload, AnotherHealthyRunHasNoFinding) {
  for (const char* name : {"network", "network_weak", "storage", "memory", "pause", "steady",
                           "stops", "processor", "processor_weak", "memory_weak"}) {
    const auto told = told_of(name, 0, /*knows=*/true);
    EXPECT_TRUE(told.looks_like) << name;
    EXPECT_THAT(told.findings, ::testing::IsEmpty()) << name;
  }
}

// Recordings of the lab's jobs, most of them of one, and one in which the host is idle for most
// of the time. On so small a host jobs of other models leave the same in place: they are taken for
// the same.
TEST_F(RecurringWorkload, RunsOfAJobAreAlikeAndTheIdleHostIsNot) {
  const auto job = footprint("steady");
  for (const char* name : {"network", "network_weak", "storage", "memory", "pause", "starts"}) {
    EXPECT_TRUE(detect::are_alike(footprint(name), job)) << name;
  }
  EXPECT_GE(detect::levels_apart(footprint("stops"), job), 2U);
}

}  // namespace
}  // namespace reveal
