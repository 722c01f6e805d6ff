// What the largest processes of a run used over time, read off its notes, and who of them used more
// than usual in a stretch of it.
//
// Processes of one name in one control group count as one: a job's workers, a compiler's many short
// runs. A process that a reading does not list is taken to have used nothing then; if the reading
// has as many as are kept, to have used as much as the least of them, so that nobody is accused of
// a rise that is only a place in the list. Before it began it used nothing, whatever the list held.
// The kernel's own threads are nobody's culprits: they have a place in the list, and do what
// processes asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/frame.h"
#include "model/metric.h"
#include "model/process_use.h"

namespace reveal::model {

// The processes of one name that used more.
struct ProcessRise {
  std::string name;
  std::string group;      // their control group, as channels name it, without "cg="
  std::uint64_t pid = 0;  // of the one that used most
  std::size_t count = 1;  // of processes
  // Of kCpu cores, of kStorage bytes a second, of kMemory bytes held.
  Subsystem resource = Subsystem::kCpu;
  double observed = 0;    // the highest mean over three seconds; of memory the highest level
  double usual = 0;       // the median outside; of memory the level that it rose from
  double share = 0;       // of what all listed processes used more, 0 to 1
  bool at_least = false;  // the list was full, so more of that name may have used what was observed
  // A signal or a tracer had stopped them: `observed` is 0, `usual` what they used before.
  bool stopped = false;
};

class ProcessTimeline {
 public:
  // Takes the notes of a frame; others than those about processes are none of its business.
  // `mono_ns` is the time since boot, which processes' starts are counted in.
  void add(std::int64_t wall_ns, std::int64_t mono_ns, const std::vector<Note>& notes);
  // Forgets what was used before.
  void forget_before(std::int64_t wall_ns);

  // Returns whether processes were recorded at all.
  bool is_recorded() const { return recorded_; }

  // Returns who used most more than usual from `begin_ns` to `end_ns`: by a quarter, and by what an
  // operator would call something (0.1 core, 1 MiB/s, 64 MiB). Usual is what was used in the minute
  // before, or after if there is no time before. Of kCpu, kStorage and kMemory; nothing for others.
  // With a group ("cg=/job1"), of its processes and those of groups within it.
  std::optional<ProcessRise> largest_rise(std::int64_t begin_ns, std::int64_t end_ns,
                                          Subsystem resource, std::string_view group = {}) const;

  // Returns the processes of one name that were stopped from `begin_ns` to `end_ns`, of several
  // those that had used most CPU time. Nothing if none was.
  std::optional<ProcessRise> stopped(std::int64_t begin_ns, std::int64_t end_ns) const;

 private:
  struct Process {
    std::string name;
    std::string group;
    std::uint64_t pid = 0;
    std::int64_t began_ns = 0;  // of the wall clock
  };
  struct Row {
    std::int64_t end_ns = 0;
    double seconds = 0;
    double cores = 0;
    double io = 0;
    double grown = 0;
    double resident = 0;
    bool stopped = false;
    std::size_t process = 0;
  };
  // The least that a reading with a full list has, by measure; 0 if its list is not full.
  struct Cut {
    std::int64_t end_ns = 0;
    double cores = 0;
    double io = 0;
  };
  struct Family;
  struct Grid;

  std::size_t index_of(const ProcessUse& use, std::int64_t began_ns);
  void compact();
  bool is_of(const Process& process, std::string_view group) const;
  std::vector<Family> families(const Grid& grid, Subsystem resource, std::string_view group) const;
  double cores_before(std::size_t process, std::int64_t ns) const;
  std::vector<double> cuts_on(const Grid& grid, Subsystem resource) const;

  bool recorded_ = false;
  std::optional<std::int64_t> first_ns_;  // of the frames
  std::int64_t last_ns_ = 0;
  std::vector<Process> processes_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> index_;  // by pid and start
  std::vector<Row> rows_;
  std::vector<Cut> cuts_;
};

}  // namespace reveal::model
