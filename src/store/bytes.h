// The encodings of docs/storage_format.md by the names that the format's code has for them.
#pragma once

#include "base/bytes.h"

namespace reveal::store {

using base::as_bytes;
using base::as_text;
using base::ByteCursor;
using base::Bytes;
using base::ByteView;
using base::put_bytes;
using base::put_difference;
using base::put_text;
using base::put_u16;
using base::put_u32;
using base::put_u64;
using base::put_varint;
using base::put_zigzag;

}  // namespace reveal::store
