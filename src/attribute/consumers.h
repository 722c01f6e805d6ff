// Who did it, and who suffered: control groups whose use of a resource rose while a finding lasted,
// and those whose tasks had to wait. A group that did not exist before used nothing, so one that is
// made when the fault starts is named as well. The tables are in consumers.cc.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attribute/families.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"
#include "model/metric.h"

namespace reveal::attribute {

// A control group's level of a metric: highest in the finding's windows, and usual, that is the
// median before them (usual_before.h), where a group that is not there has 0. In the metric's base
// unit (of a counter, a second).
struct GroupLevel {
  model::ChannelId channel;
  double observed = 0;
  double usual = 0;
};

// Returns whether the tables of users and waiters name the metric.
bool is_group_metric(std::string_view metric);

// Says what a level is, as the end of a sentence that begins with the group's name: "used 0.94 of a
// core (usually 0)", "waited for a CPU 42 % of the time (usually 3 %)".
std::string phrase_of(const model::ChannelTable& channels, const GroupLevel& level);

class ConsumerReader {
 public:
  // Both must outlive this; windows may be added to the matrix meanwhile.
  ConsumerReader(const model::ChannelTable& channels, const feature::FeatureMatrix& matrix);

  // Returns the group whose use of that subsystem's resource rose most in these rows, by a quarter
  // and by what an operator would call something; nothing if none did. If the host does not say
  // which group uses it, it is who came to a GPU that another group uses, and then the group's CPU
  // time tells, of traffic half a core. Of groups within one another it is the innermost that has
  // most of the rise. `last`: the row in which the finding still goes on, if that is after these.
  std::optional<GroupLevel> culprit(const std::vector<std::size_t>& rows,
                                    model::Subsystem subsystem, std::size_t last = 0) const;

  // Returns the group, other than the culprit and those around it, whose tasks waited most: by its
  // own pressure, by its CPU quota, or for what it had to send again. Nothing if none did more than
  // usually. `families`: of each row, as in rows_told_by().
  std::optional<GroupLevel> sufferer(const std::vector<std::size_t>& rows,
                                     const std::optional<GroupLevel>& culprit,
                                     const std::vector<Families>& families = {}) const;

 private:
  struct Level {
    std::size_t row = 0;  // of the table
    std::size_t column = 0;
    model::ChannelId channel;
  };

  // Where a finding lies, for what is usual before it.
  struct Extent {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  double highest(const std::vector<std::size_t>& rows, const Level& level) const;
  std::vector<GroupLevel> rises(const std::vector<std::size_t>& rows, std::size_t table_row,
                                const Extent& extent) const;
  // Returns the largest of them, and of those within it the innermost that has most of it.
  std::optional<GroupLevel> largest(std::vector<GroupLevel> rises) const;
  // Returns who came to a GPU that others use, by that row of the table.
  std::optional<GroupLevel> newcomer(const std::vector<std::size_t>& rows, std::size_t table_row,
                                     const Extent& extent) const;
  bool has_company(const std::vector<std::size_t>& rows, const GroupLevel& one) const;

  const model::ChannelTable& channels_;
  const feature::FeatureMatrix& matrix_;
  std::vector<Level> levels_;
};

}  // namespace reveal::attribute
