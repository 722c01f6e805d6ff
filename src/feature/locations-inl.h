// Where the extremes lie, as a share of the length: the first counts from the start of its sample,
// the last to its end.
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// Returns where `value` stands first.
inline V first_location(Samples& s, V value) {
  V place = all(0.0);
  for (std::size_t t = s.size(); t-- > 0;) place = choose(s[t] == value, all(t), place);
  return place / s.count();
}

inline V last_location(Samples& s, V value) {
  V place = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) place = choose(s[t] == value, all(t), place);
  return all(1.0) - (all(s.size() - 1) - place) / s.count();
}

inline V first_location_of_maximum(Samples& s) {
  return first_location(s, s.largest());
}
inline V last_location_of_maximum(Samples& s) {
  return last_location(s, s.largest());
}
inline V first_location_of_minimum(Samples& s) {
  return first_location(s, s.smallest());
}
inline V last_location_of_minimum(Samples& s) {
  return last_location(s, s.smallest());
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
