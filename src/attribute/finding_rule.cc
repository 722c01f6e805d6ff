#include "attribute/finding_rule.h"

#include "detect/saturation_signals.h"

namespace reveal::attribute {

bool tells_stalls(const model::ChannelTable& channels, bool sees_saturation) {
  return sees_saturation && detect::has_pressure_metrics(channels);
}

}  // namespace reveal::attribute
