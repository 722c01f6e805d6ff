// Finds out, for all channels of a window at once, which samples are valid and whether they move.
#include "feature/lanes-inl.h"
#include "feature/survey.h"
#include "model/absence.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// Counts kWidth channels from `first` on, whose samples lie at `rows`.
inline void survey_channels(std::span<const double* const> rows, std::size_t first, Survey& out) {
  const hn::Rebind<std::uint64_t, Tag> bits;
  const auto not_due = hn::BitCast(kTag, hn::Set(bits, model::kNotDueBits));
  const V start = hn::LoadU(kTag, rows.front() + first);
  V valid = all(0.0);
  V due = all(rows.size());
  Mask moves = opposite(start == start);
  for (const double* row : rows) {
    const V sample = hn::LoadU(kTag, row + first);
    const auto same_bits = hn::BitCast(bits, sample) == hn::BitCast(bits, not_due);
    valid = valid + one_if(hn::IsFinite(sample));
    due = due - one_if(hn::RebindMask(kTag, same_bits));
    moves = hn::Or(moves, opposite(sample == start));
  }
  hn::StoreU(valid, kTag, out.valid.data() + first);
  hn::StoreU(due, kTag, out.due.data() + first);
  hn::StoreU(one_if(moves), kTag, out.moves.data() + first);
}

// The last channels are counted together with some before them, for rows end where they end.
inline void survey_window(std::span<const double* const> rows, std::size_t channels, Survey& out) {
  for (std::size_t first = 0; first + kWidth <= channels; first += kWidth) {
    survey_channels(rows, first, out);
  }
  if (channels % kWidth != 0 && channels >= kWidth) survey_channels(rows, channels - kWidth, out);
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
