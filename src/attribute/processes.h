// Which process did it: beside the control group (consumers.h) a finding names the process whose
// use of the same resource rose most meanwhile, if processes were recorded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "attribute/finding.h"
#include "model/channel_table.h"
#include "model/process_timeline.h"

namespace reveal::attribute {

// Returns the process of the culprit's group that used more of the finding's subsystem's resource,
// else of the resource that the group did. If no group is known, that of any group, else the one
// that clearly used more CPU time: by half a core, and most of what all used more. Nothing if there
// is none: no process is named that the group contradicts. Of a finding that tells of stopped
// processes it is these, and of a frozen group none.
std::optional<model::ProcessRise> process_of(const model::ProcessTimeline& processes,
                                             const model::ChannelTable& channels,
                                             const Finding& finding);

// Returns whether the finding's culprit, a group that used more CPU time, is not the one who did
// it, because a process outside of it used more of the finding's own resource:
//   cpu      more than the group, and no group is known of that process (groups are told apart by
//            their own channels)
//   storage  where none within used more, of another group; or of the root if the group did not
//            come with the finding, or if that process did most of what was read and written, for
//            in the root somebody always writes; where one within did, too, four times as much
// Such a group may well be who suffered. If the finding tells of stopped processes or of a
// frozen group, a group that uses more uses what these left.
bool is_cleared_by(const model::ProcessTimeline& processes, const model::ChannelTable& channels,
                   const Finding& finding);

// Returns whether processes that used next to nothing before clearly took processors while the
// finding lasted: half a core, a twentieth of the host's, and most of what all used more.
bool take_processors(const model::ProcessTimeline& processes, const model::ChannelTable& channels,
                     const Finding& finding);

// Returns why process_of() found none; `processes` may be null.
std::string_view why_no_process(const model::ProcessTimeline* processes);

// Says what the rise is, as the end of a sentence: "used 1.88 cores (usually 0.02), 93 % of what
// all processes used more".
std::string phrase_of(const model::ProcessRise& rise);

}  // namespace reveal::attribute
