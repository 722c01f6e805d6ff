#include "replay/channel_samples.h"

#include <bit>
#include <limits>

#include "replay/chosen_frames.h"

namespace reveal::replay {

base::Result<std::vector<double>> channel_samples(const std::string& directory,
                                                  const std::string& channel,
                                                  std::uint64_t first_sequence, std::size_t ticks) {
  exchange::Part part;
  part.names = {channel};
  auto chosen = ChosenFrames::open(directory, part, /*derived=*/true);
  if (!chosen) return base::pass(chosen);
  std::vector<double> out(ticks, std::numeric_limits<double>::quiet_NaN());
  for (;;) {
    const auto frame = chosen->frames().next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr || (*frame)->sequence >= first_sequence + ticks) return out;
    if ((*frame)->sequence < first_sequence || (*frame)->bits.empty()) continue;
    const model::ChannelId id(0);  // the one that was chosen
    if ((*frame)->validity[id.index()] == model::Validity::kMissing) continue;
    out[(*frame)->sequence - first_sequence] = std::bit_cast<double>((*frame)->bits[id.index()]);
  }
}

}  // namespace reveal::replay
