// What `sadf -j` and `iostat -t -o JSON` print. Sources: sadf(1), iostat(1).
#pragma once

#include "base/result.h"
#include "exchange/gathering.h"
#include "exchange/import_options.h"
#include "exchange/text_input.h"

namespace reveal::exchange {

// Takes the statistics one after another, so that a file of days needs the memory of its samples
// alone. Channels are those of `sadf -d` (sysstat_columns.h). iostat's first report, the mean since
// the boot, is left out and told. Fails with kCorrupt on text that is no whole JSON, on members
// that are no numbers and on statistics without a time, which it counts.
base::Result<void> gather_sysstat_json(TextInput input, const ImportOptions& options,
                                       Gathering& out);

}  // namespace reveal::exchange
