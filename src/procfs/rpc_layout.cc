#include "procfs/rpc_layout.h"

namespace reveal::procfs {

void RpcLayout::read(std::string_view text, std::span<Value> values) const {
  Value calls;
  Value retransmissions;
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) {
    WordCursor words(line);
    std::string_view key;
    if (words.next(key) && key == "rpc" && words.next(calls)) words.next(retransmissions);
  }
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    values[i] = keys_[i] == "rpc calls"     ? calls
                : keys_[i] == "rpc retrans" ? retransmissions
                                            : std::nullopt;
  }
}

}  // namespace reveal::procfs
