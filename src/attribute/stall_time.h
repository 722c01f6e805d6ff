// How long work was stalled while a finding lasted, by the metrics that tell stalls as a share of
// time or of work (work_phrase.h): pressure, throttling, steal, segments that are sent again.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attribute/families.h"
#include "attribute/finding.h"
#include "feature/feature_matrix.h"
#include "model/channel_table.h"

namespace reveal::attribute {

class StallReader {
 public:
  // Both must outlive this; windows may be added to the matrix meanwhile.
  StallReader(const model::ChannelTable& channels, const feature::FeatureMatrix& matrix);

  // Returns how long the sufferer waited in these rows, beyond the usual: the most that any of its
  // metrics says. Without a sufferer the host's metrics tell, unless it was the culprit itself that
  // waited, such as a task of idle priority: that harms nobody else. Nothing if no metric tells.
  //
  // The time is the sum over the rows of the share beyond the usual, times the stride; at least
  // what the worst window has, which a finding of one or two windows would fall short of.
  // `families`: of each row, as in rows_told_by().
  std::optional<Stall> read(const std::vector<std::size_t>& rows,
                            const std::optional<GroupLevel>& culprit,
                            const std::optional<GroupLevel>& sufferer,
                            const std::vector<Families>& families = {}) const;

 private:
  struct Share {
    model::ChannelId channel;
    std::size_t column = 0;
  };

  // Returns the time in those rows, given what is usual.
  double seconds(const std::vector<std::size_t>& rows, std::size_t column, double usual) const;
  // Returns the longest stall of the shares whose instance is that group's; of the host's if it is
  // empty.
  std::optional<Stall> longest(const std::vector<std::size_t>& rows,
                               const std::vector<Families>& families, std::string_view group) const;

  const model::ChannelTable& channels_;
  const feature::FeatureMatrix& matrix_;
  std::vector<Share> shares_;
};

}  // namespace reveal::attribute
