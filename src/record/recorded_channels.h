// The channels that `reveal record --select PLAN` stores: those that the plan keeps, the inputs of
// derived metrics that it keeps, static ones, and those that it has never seen.
#pragma once

#include "model/channel_filter.h"
#include "select/selection_plan.h"

namespace reveal::record {

model::ChannelFilter::Choice recorded_by(select::SelectionPlan plan);

}  // namespace reveal::record
