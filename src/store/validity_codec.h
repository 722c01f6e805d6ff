// Which samples of a frame are not fresh, as runs: docs/storage_format.md, "Validity". Costs one
// byte for a frame whose samples are all fresh.
#pragma once

#include <span>

#include "model/frame.h"
#include "store/bytes.h"

namespace reveal::store {

void put_validity(Bytes& out, std::span<const model::Validity> validity);

// Overwrites all of `validity`; returns false if the runs do not fit it.
bool read_validity(ByteCursor& in, std::span<model::Validity> validity);

}  // namespace reveal::store
