#include "attribute/usual.h"

#include <map>
#include <optional>
#include <utility>

namespace reveal::attribute {

Usual usual_of(const detect::FittedBaseline& saved) {
  return {saved.usual, [&saved](std::size_t live) -> UsualColumn {
            return {saved.columns[live].median, saved.columns[live].mad};
          }};
}

PatternReader::UsualLevel usual_levels(const detect::FittedBaseline& saved,
                                       const detect::Design& layout) {
  std::map<std::size_t, double> medians;
  for (std::size_t live = 0; live < layout.columns.size(); ++live) {
    medians.emplace(layout.columns[live], saved.columns[live].median);
  }
  return [medians = std::move(medians)](std::size_t column) -> std::optional<double> {
    const auto found = medians.find(column);
    if (found == medians.end()) return std::nullopt;
    return found->second;
  };
}

}  // namespace reveal::attribute
