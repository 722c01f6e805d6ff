// What `reveal record --select PLAN` stores: the channels that the plan keeps, those from which
// kept derived metrics are made, static ones, and those that the plan has never seen.
#pragma once

#include "model/channel_filter.h"
#include "select/selection_plan.h"

namespace reveal::record {

model::ChannelFilter::Choice recorded_by(select::SelectionPlan plan);

}  // namespace reveal::record
